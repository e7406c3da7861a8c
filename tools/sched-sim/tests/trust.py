#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Compare the simulator with a guest: trust.py SIM GUEST1.jsonl GUEST2.jsonl -> the page's table.

Runs the simulator on the workloads of trust.tbl and computes the same ratios
from it and from what the guests counted. See schedfix/scripts/sim-trust.sh.
"""
import json
import os
import re
import subprocess
import sys
from statistics import median

HERE = os.path.dirname(os.path.abspath(__file__))
SPREAD, WARMUP_MS, RUN_MS = 20, 500, 1000
SIM_SEEDS = range(1, 11)
LIMIT = 1.10        # ratios agree within this factor
NONE = 0.01         # below it on both sides: hardly ever happens on either


def rows():
    """The lines of trust.tbl: name, kind, workload, parameters."""
    with open(os.path.join(HERE, "trust.tbl"), encoding="utf-8") as table:
        for line in table:
            words = line.split()
            if words and not line.startswith("#"):
                yield words[0], words[1], words[2], words[3:]


def guest_commands(seeds):
    """What the guest has to run, one command a line; twin takes no defaults."""
    return "\n".join(
        f"/twin {workload} {' '.join(params)} row={name} seed={seed} spread={SPREAD} "
        f"warmup_ms={WARMUP_MS} run_ms={RUN_MS} >$RESULTS || exit"
        for seed in range(1, seeds + 1) for name, _, workload, params in rows())


def simulate(sim, cpus, workload, params, seed, costs):
    """One run, as a record like those of twin."""
    top = os.path.join(HERE, "../../..")
    text = subprocess.run(
        [sim, workload, *params, f"spread={SPREAD}", "--halt", "--verbose",
         "--topo", f"{top}/schedfix/topologies/{cpus}c.topo", "--seed", str(seed),
         "--seconds", str(RUN_MS / 1000), "--warmup", str(WARMUP_MS / 1000), *costs],
        check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    figure = dict(re.findall(r"^(\w+) +(\d+)$", text, re.M))
    lines = [line.split() for line in text[text.index("\ntask "):].splitlines()[2:]]
    return {"wakeups": int(figure["wakeups"]), "delayed": int(figure["delayed_dequeues"]),
            "requeued": int(figure["delayed_requeues"]), "seconds": RUN_MS / 1000,
            "tasks": [{"comm": t[0], "nice": int(t[3]), "run_us": int(t[4]), "ops": int(t[6]),
                       "migrations": int(t[7]), "voluntary": int(t[8]),
                       "involuntary": int(t[9])} for t in lines if len(t) == 10]}


def metrics(kind, cpus, record):
    """Ratios that do not depend on the speed of the machine, by name."""
    def total(key):
        return sum(t[key] for t in record["tasks"])

    def ratio(a, b):
        return a / b if b else 0.0

    wakeups = record.get("wakeups") or sum(t.get("wakeups", 0) for t in record["tasks"])
    sleeps, preempted = total("voluntary"), total("involuntary")
    if kind == "cpu":
        run = {}
        for t in record["tasks"]:
            who = t["comm"] + (f" nice {t['nice']}" if t["comm"] == "hog" else "")
            run[who] = run.get(who, 0) + t["run_us"]
        out = {f"share of {who}": ratio(us, sum(run.values())) for who, us in run.items()}
        out["preemptions / tick"] = ratio(preempted, 250 * cpus * record["seconds"])
        return out
    out = {"switches / operation": ratio(sleeps + preempted, total("ops")),
           "wakeups / operation": ratio(wakeups, total("ops")),
           "preemptions / wakeup": ratio(preempted, wakeups),
           "delayed dequeues / sleep": ratio(record["delayed"], sleeps),
           "woken / delayed": ratio(record["requeued"], record["delayed"])}
    if cpus > 1:
        out["migrations / wakeup"] = ratio(total("migrations"), wakeups)
    return out


class Samples:
    """The values of one metric over the seeds."""
    def __init__(self, values):
        self.values = values
        self.mid = median(values)

    def __str__(self):
        if max(self.values) < NONE:
            return f"< {NONE}"
        half = (max(self.values) - min(self.values)) / 2 / self.mid * 100 if self.mid else 0
        return f"{self.mid:.3f} ±{half:.0f} %"


def compare(guest, sim):
    """Ratio of the medians, and whether they agree."""
    if max(guest.mid, sim.mid) < NONE:
        return "", "yes"
    if not guest.mid or not sim.mid:
        return "", "no"
    ratio = sim.mid / guest.mid
    verdict = "yes" if 1 / LIMIT <= ratio <= LIMIT else "no"
    if verdict == "no" and min(guest.values) <= max(sim.values) and \
            min(sim.values) <= max(guest.values):
        verdict = "no (ranges overlap)"
    return f"{ratio:.2f}", verdict


def measure(sim, records, cpus, row):
    """(guest, sim, sim's range over costs) by metric, for one row of trust.tbl."""
    name, kind, workload, params = row
    mine = [r for r in records if r["row"] == name]
    if not mine:
        return {}
    guest = [metrics(kind, cpus, r) for r in mine]
    cost = "1l4c"       # invented as well; 1c and 2c are such machines with fewer cores
    arms = [["--costs", "zero"], ["--costs", cost], ["--costs", cost, "--cost-scale", "8"]]
    runs = [[metrics(kind, cpus, simulate(sim, cpus, workload, params, seed, arm))
             for seed in SIM_SEEDS] for arm in arms]
    out = {}
    for key in guest[0]:
        arm = [Samples([m.get(key, 0.0) for m in run]) for run in runs]
        out[key] = (Samples([m[key] for m in guest]), arm[1], [a.mid for a in arm])
    return out


def table(sim, guests):
    """The lines of the table, and how many agree."""
    head = ["workload", "metric", "guest, 1", "sim, 1", "ratio", "agree",
            "guest, 2", "sim, 2", "ratio", "agree", "sim, costs x0, x1, x8 (1; 2 CPUs)"]
    lines, count = [head], {"yes": 0, "no": 0}
    for row in rows():
        sides = [measure(sim, guest, cpus, row) for cpus, guest in zip((1, 2), guests)]
        for key in dict.fromkeys([*sides[0], *sides[1]]):
            line, costs = [row[0], key], []
            for side in sides:
                if key not in side:
                    line += ["", "", "", ""]
                    continue
                ratio, verdict = compare(*side[key][:2])
                count[verdict.split()[0]] += 1
                line += [str(side[key][0]), str(side[key][1]), ratio, verdict]
                costs.append(" ".join(f"{v:.3f}" for v in side[key][2]))
            lines.append(line + ["; ".join(costs)])
    return lines, count


def simple_table(lines):
    """As a simple table of reStructuredText."""
    width = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    rule = "  ".join("=" * w for w in width)
    text, last = [rule], None
    for n, line in enumerate(lines):
        cells = [c.ljust(w) for c, w in zip(line, width)]
        if line[0] == last:     # a first cell that is empty would continue the row above
            cells[0] = "..".ljust(width[0])
        last = line[0]
        text.append("  ".join(cells).rstrip())
        if n == 0:
            text.append(rule)
    return "\n".join(text + [rule])


def main():
    """trust.py --commands SEEDS, or trust.py SIM GUEST1.jsonl GUEST2.jsonl"""
    if len(sys.argv) == 3 and sys.argv[1] == "--commands":
        print(guest_commands(int(sys.argv[2])))
        return
    if len(sys.argv) != 4:
        sys.exit(f"schedfix: trust.py: usage: {main.__doc__}")
    guests = []
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8") as lines:
            guests.append([json.loads(line) for line in lines if line.strip()])
    lines, count = table(sys.argv[1], guests)
    print(simple_table(lines))
    names = {row[0] for row in rows()}
    runs = [sum(r["row"] == name for r in guest) for guest in guests for name in names]
    seeds = " to ".join(str(n) for n in sorted({min(runs), max(runs)}))
    print(f"\n{count['yes']} of {count['yes'] + count['no']} figures agree within "
          f"{(LIMIT - 1) * 100:.0f} %. Medians; ±: half the range, over {seeds} "
          f"seeds in the guests and {len(SIM_SEEDS)} in the simulator.")


if __name__ == "__main__":
    main()
