#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""What the series adds to the wakeup path, in instructions: instructions.py BASE-DIR PATCHED-DIR

Runs both simulators in QEMU's user mode, an instruction at a time, and counts from entry
to exit of each call. With the bits off both make the same calls in the same order, so
the difference is that of each call. Needs qemu-user. Takes minutes.
"""
import collections
import functools
import re
import shutil
import statistics
import subprocess
import sys

BASE, PATCHED = (f"{folder}/sched-sim" for folder in sys.argv[1:3])
OFF = "NO_DELAY_LAG,NO_WA_IRQ,NO_TTWU_COND,NO_DELAY_MIGRATE"
ON = "DELAY_LAG,WA_IRQ,TTWU_COND,DELAY_MIGRATE"
FUNCTIONS = ("try_to_wake_up", "dequeue_task_fair")
# A wakeup that requeues a delayed task is ttwu_runnable()'s, which the compiler puts into
# its caller; with DELAY_MIGRATE those that move are among the others.
REQUEUE = "requeue_delayed_entity"
WORKLOADS = (
    "hackbench groups=1 -t 2l4c -d 0.002 --warmup 0.002",
    "schbench messengers=2 workers=8 -t 2l4c -d 0.01 --warmup 0.002",
    "dmatest fill_us=20 -t 2l4c -d 0.01 --warmup 0.002",
)


@functools.lru_cache
def disassembly(program):
    """Addresses of calls and returns, and of the functions."""
    calls, returns, entry = set(), set(), {}
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", "-w", program], stdout=subprocess.PIPE,
                          text=True, check=True).stdout
    for line in text.splitlines():
        function = re.match(r"([0-9a-f]+) <k_(\w+)>:", line)
        if function:
            entry[function[2]] = int(function[1], 16)
            continue
        part = re.match(r"\s*([0-9a-f]+):\s+(?:(?:bnd|notrack|repz) )?(call|ret)", line)
        if part:
            (calls if part[2] == "call" else returns).add(int(part[1], 16))
    return calls, returns, entry


def counts(program, arguments, bits):
    """Of each call of the functions, in order: instructions, and whether it requeued a delayed task."""
    calls, returns, entry = disassembly(program)
    starts = {entry[name]: name for name in FUNCTIONS}
    requeue = entry[REQUEUE]
    command = ["qemu-x86_64", "-cpu", "max", "-singlestep", "-d", "exec,nochain", "-D", "/dev/stdout",
               program, *arguments.split(), "--no-check"] + (["-f", bits] if bits else [])
    out = {name: [] for name in FUNCTIONS}
    depth, inside, instructions = 0, [], 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace") as run:
        for line in run.stdout:
            if not line.startswith("Trace "):
                continue
            pc = int(line.split("/", 2)[1], 16)
            instructions += 1
            if pc in starts:
                inside.append([starts[pc], depth, instructions, False])
            elif pc == requeue:
                for call in inside:
                    call[3] = True
            if pc in calls:
                depth += 1
            elif pc in returns:
                if inside and inside[-1][1] == depth:
                    name, _, begin, delayed = inside.pop()
                    out[name].append((instructions - begin + 1, delayed))
                depth -= 1
    return out


def instructions(calls, delayed):
    return [n for n, requeued in calls if requeued == delayed]


def main():
    if not shutil.which("qemu-x86_64"):
        sys.exit("instructions.py: qemu-x86_64: not found; it is in the package qemu-user")
    print(f"{'':58}{'calls':>6}{'base':>7}{'off':>7}{'on':>7}   off - base of each call: median, most")
    for arguments in WORKLOADS:
        runs = [counts(*run) for run in ((BASE, arguments, None), (PATCHED, arguments, OFF),
                                         (PATCHED, arguments, ON))]
        for name in FUNCTIONS:
            if [delayed for _, delayed in runs[0][name]] != [delayed for _, delayed in runs[1][name]]:
                sys.exit(f"instructions.py: {arguments}: other calls of {name} with the bits off")
            for kind, delayed in ((name, False), (name + ", delayed", True)):
                base, off, on = (instructions(run[name], delayed) for run in runs)
                if not base:
                    continue
                more = [b - a for a, b in zip(base, off)]
                print(f"{arguments.split()[0] + ': ' + kind:58}{len(more):6}{statistics.median(base):7.0f}"
                      f"{statistics.median(off):7.0f}{statistics.median(on or [0]):7.0f}"
                      f"   {statistics.median(more):+.0f} {max(more):+d}"
                      f"  ({', '.join(f'{k:+d}: {v}' for k, v in collections.Counter(more).most_common(4))})", flush=True)


main()
