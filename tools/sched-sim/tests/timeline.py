#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Is FILE a trace that Perfetto opens? timeline.py FILE: Chrome's JSON trace event format.

Besides what the format demands (object format; phases X, i and M with their keys):
a CPU runs one task at a time, has a name, and time does not go backwards on it.
"""
import json
import sys

NEEDS = {"X": {"ts": (int, float), "dur": (int, float)},
         "i": {"ts": (int, float), "s": str},
         "M": {"args": dict}}


def wrong(event, ends, named):
    """What is wrong with an event, or None. @ends: when each CPU's last slice ended."""
    phase = event.get("ph")
    if phase not in NEEDS:
        return "unknown phase"
    for key, kind in {"name": str, "pid": int, **NEEDS[phase]}.items():
        if not isinstance(event.get(key), kind):
            return f"{key} is missing, or of the wrong type"
    cpu = event.get("tid")
    if phase == "M":
        if event["name"] not in ("process_name", "thread_name") or "name" not in event["args"]:
            return "unknown metadata"
        named.add(cpu)
        return None
    if cpu not in named:
        return "its CPU has no name"
    if phase == "i":
        return None if event["s"] in ("g", "p", "t") else "unknown scope"
    if event["dur"] < 0 or event["ts"] < ends.get(cpu, 0) - 0.0005:
        return f"two slices at a time on CPU {cpu}"
    ends[cpu] = event["ts"] + event["dur"]
    return None


def main():
    """Print how many events there are, or what is wrong with the first bad one."""
    with open(sys.argv[1], encoding="utf-8") as file:
        trace = json.load(file)
    if trace.get("displayTimeUnit") not in ("ms", "ns"):
        sys.exit("displayTimeUnit is neither ms nor ns")
    ends, named = {}, set()
    for number, event in enumerate(trace["traceEvents"]):
        problem = wrong(event, ends, named)
        if problem:
            sys.exit(f"event {number}: {problem}: {event}")
    if not ends:
        sys.exit("nothing ever ran")
    print(len(trace["traceEvents"]), "events,", len(ends), "CPUs ran tasks")


if __name__ == "__main__":
    main()
