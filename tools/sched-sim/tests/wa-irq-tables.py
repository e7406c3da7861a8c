#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The tables of Documentation/scheduler/sched-wa-irq.rst: wa-irq-tables.py BASE-DIR PATCHED-DIR

BASE-DIR also needs the variant crude-pull (make variants). Means over 2 seeds.
"""
import json
import re
import subprocess
import sys
import tempfile

BASE, PATCHED = sys.argv[1:3]
COSTS = f"{sys.path[0]}/../costs/xeon-6132.cost"
C6_US = 133         # exit latency in the topology, of which a share is paid
SEEDS = range(1, 3)

WORKLOADS = [
    ("fixed", "irqwake -d 2 work_us=1500"),
    ("rotates", "irqwake -d 2 work_us=1500 spread_irqs=1 irq_cpus=0-55"),
    ("8 behind", "irqwake -d 2 work_us=1500 tasks=8"),
    ("12 pairs", "irqwake -d 2 work_us=1500 tasks=12 irq_cpus=0-11"),
    # Its CPU also gets 50000 interrupts a second that wake nobody.
    ("noisy CPU", "irqwake -d 2 work_us=1500 noise_us=20"),
]
# Block reads at queue depth 1: the device takes long enough for deep sleep, or not.
BLOCK = [
    ("1 reader", "irqwake -d 1 service_us=80 work_us=5"),
    ("1, 100 us of work", "irqwake -d 1 service_us=80 work_us=100"),
    ("1, device of 10 us", "irqwake -d 1 service_us=10 work_us=5"),
    ("4 readers", "irqwake -d 1 service_us=80 work_us=5 tasks=4"),
    ("4, 100 us of work", "irqwake -d 1 service_us=80 work_us=100 tasks=4"),
]


def simulate(program, arguments, costs=COSTS):
    runs = []
    for seed in SEEDS:
        command = [program, *arguments.split(), "-t", "xeon-6132", f"--costs={costs}", "-s", str(seed),
                   "--no-check", "--json"]
        runs.append(json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout))
    metrics = {name: sum(run["metrics"][name] for run in runs) / len(runs) for name in runs[0]["metrics"]}
    moves = sum(sum(run["placed_from_prev"].values()) - run["placed_from_prev"]["self"] for run in runs)
    wakeups = sum(sum(run["placed_from_prev"].values()) for run in runs)
    return metrics, 1000 * moves / max(1, wakeups)


def with_exit(share):
    """The cost file with another share of the exit latency."""
    file = tempfile.NamedTemporaryFile("w", suffix=".cost", delete=False)
    with open(COSTS, encoding="utf-8") as text, file:
        file.write(re.sub(r"(?m)^idle_exit_percent = \d+", f"idle_exit_percent = {share}", text.read()))
    return file.name


def exit_share():
    with open(COSTS, encoding="utf-8") as text:
        return int(re.search(r"(?m)^idle_exit_percent = (\d+)", text.read()).group(1))


def iops_table():
    share = exit_share()
    off0 = None
    print("exit latency      off: us       iops  predicted      on: us       iops")
    for factor in (0, 0.5, 1, 2):
        costs = with_exit(round(share * factor))
        off = simulate(f"{PATCHED}/sched-sim", "dmatest -d 4 -f NO_WA_IRQ", costs)[0]["latency_mean"]
        on = simulate(f"{PATCHED}/sched-sim", "dmatest -d 4 -f WA_IRQ", costs)[0]["latency_mean"]
        off0 = off0 or off
        guess = off0 + factor * C6_US * share / 100
        print(f"x{factor:<4} {C6_US * share * factor / 100:6.1f} us   {off:10.1f} {1e6 / off:10.0f} {1e6 / guess:10.0f}"
              f"  {on:10.1f} {1e6 / on:10.0f}")


def table(workloads, alternatives):
    """A row for each alternative: name, program, more arguments (None: of "fixed" only), costs."""
    print("us per transfer, change of operations, moves per 1000 wakeups\n" + " " * 31 +
          "".join(f"{name:>22}" for name, _ in workloads))
    nothing = {}
    for name, program, more, costs in alternatives:
        cells = []
        for workload, arguments in workloads:
            if more is None:
                if workload != "fixed":
                    cells.append("-")
                    continue
                run = simulate(program, arguments + " irq_cpus=14 cpus=14", costs)
            else:
                run = simulate(program, arguments + more, costs)
            nothing.setdefault(workload, run[0]["ops"])
            cells.append(f"{run[0]['latency_mean']:.1f} {100 * (run[0]['ops'] / nothing[workload] - 1):+.1f} % {run[1]:.0f}")
        print(f"{name:31}" + "".join(f"{cell:>22}" for cell in cells), flush=True)


PULLS = [
    ("nothing", f"{BASE}/sched-sim", "", COSTS),
    ("WA_IRQ", f"{PATCHED}/sched-sim", " -f WA_IRQ,NO_DELAY_LAG", COSTS),
    ("crude pull", f"{BASE}/mutants/crude-pull/sched-sim", "", COSTS),
]
iops_table()
print()
table(BLOCK, PULLS)
print()
table(WORKLOADS, PULLS + [
    ("WF_CURRENT_CPU", f"{BASE}/sched-sim", " current_cpu=1", COSTS),
    ("latency limit, all CPUs", f"{BASE}/sched-sim", "", with_exit(5)),
    ("interrupt moved to the thread", f"{BASE}/sched-sim", None, COSTS),
])
