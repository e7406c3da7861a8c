#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""What WA_IRQ does and must not do in the simulator, by wa-irq.tbl, as TAP with figures.

    wa-irq.py BASE-DIR PATCHED-DIR [NAME]...     all lines, or those named

SEEDS=n (2): seeds are paired, their mean is judged. COSTS=factor on all costs (1).
"""
import concurrent.futures
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
SEEDS = range(1, int(os.environ.get("SEEDS", "2")) + 1)
TOPOLOGY = "xeon-6132"
SLACK = 10          # per 1000 wakeups
MARGIN = 1          # per cent
# On the patched kernel: of our bits that one alone, for the base kernel has none.
BITS = "WA_IRQ,NO_DELAY_LAG"


def simulate(folder, arguments, features, seed):
    command = [f"{folder}/sched-sim", *arguments, "-t", TOPOLOGY, "-s", str(seed), "--no-check", "--json"]
    if "COSTS" in os.environ:
        command += ["--cost-scale", os.environ["COSTS"]]
    run = subprocess.run(command + features, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(run.stdout)


def pulls(run):
    from_prev = run["placed_from_prev"]
    return 1000 * (from_prev["node"] + from_prev["remote"]) / max(1, run["metrics"]["wakeup_wait_count"])


def moves(run):
    total = sum(run["placed_from_prev"].values())
    return 1000 * (total - run["placed_from_prev"]["self"]) / max(1, total)


def at_waker(run):
    return 100 * run["placed_from_waker"]["self"] / max(1, run["metrics"]["wakeup_wait_count"])


def mean(runs, figure):
    get = figure if callable(figure) else lambda run: run["metrics"][figure]
    return sum(map(get, runs)) / len(runs)


def change(runs, figure):
    base, patched = (mean(side, figure) for side in runs)
    return 100 * (patched - base) / base if base else 0.0


def good(kind, base, patched):
    if kind == "bound":
        return mean(patched, at_waker) >= 95 and mean(base, at_waker) <= 5
    if kind == "half":
        return 40 <= mean(patched, at_waker) <= 60
    if kind == "same":
        return all(b["hash"] == p["hash"] for b, p in zip(base, patched))
    runs = (base, patched)
    return (mean(patched, pulls) <= mean(base, pulls) + SLACK and
            mean(patched, moves) <= mean(base, moves) + SLACK and
            change(runs, "ops") >= -MARGIN and change(runs, "wakeup_wait_p99") <= MARGIN)


def main():
    folders, wanted = sys.argv[1:3], sys.argv[3:]
    with open(f"{HERE}/wa-irq.tbl", encoding="utf-8") as table:
        lines = [line.rstrip("\n").split("\t") for line in table if line.strip() and line[0] != "#"]
    lines = [line for line in lines if not wanted or line[0] in wanted]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [[[pool.submit(simulate, folder, arguments.split(), bits, seed) for seed in SEEDS]
                 for folder, bits in zip(folders, ([], ["-f", BITS]))]
                for _, _, arguments in lines]
        for n, ((name, kind, _), job) in enumerate(zip(lines, jobs), 1):
            runs = base, patched = [[run.result() for run in side] for side in job]
            ok = good(kind, base, patched)
            failed += not ok
            print(f"{'ok' if ok else 'not ok'} {n} - {kind}: {name}: "
                  f"at waker {mean(base, at_waker):.0f} {mean(patched, at_waker):.0f} %, "
                  f"pulls {mean(base, pulls):.1f} {mean(patched, pulls):.1f}, "
                  f"moves {mean(base, moves):.0f} {mean(patched, moves):.0f}, "
                  f"latency {mean(base, 'latency_mean'):.1f} {mean(patched, 'latency_mean'):.1f} us, "
                  f"ops {change(runs, 'ops'):+.2f} %, p99 wait {change(runs, 'wakeup_wait_p99'):+.1f} %",
                  flush=True)
    print(f"1..{len(lines)}")
    print(f"{len(lines) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed or not lines else 0


sys.exit(main())
