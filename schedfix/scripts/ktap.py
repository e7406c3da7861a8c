#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Judge KTAP with the kernel's own parser: ktap.py TREE <ktap

Prints the parser's view, then `N passed, N failed, N skipped`. Exit: 0 all passed, 1 some
failed, 2 nothing passed. (run_kselftest.sh exits 0 whatever failed.)
"""
import os
import re
import sys

sys.path.insert(0, os.path.join(sys.argv[1], "tools/testing/kunit"))
sys.dont_write_bytecode = True
import kunit_parser  # noqa: E402


def skips_told(lines):
    """A program all of whose tests are skipped says ok, as kselftest_harness.h has it."""
    inner = []
    for line in lines:
        if re.match(r"# (not )?ok \d", line):
            inner.append("# SKIP" in line)
        elif re.match(r"(not )?ok \d", line):
            if inner and all(inner) and "# SKIP" not in line:
                line += " # SKIP all of its tests"
            inner = []
        yield line


# One document for each collection of kselftests, or KUnit suite. What a test prints
# itself is prefixed with "# " by the runner, so its own header is none.
text = sys.stdin.read().replace("\r", "")
documents = re.split(r"^(?=K?TAP version )", text, flags=re.M)[1:]
total = kunit_parser.TestCounts()
for document in documents:
    total.add_subtest_counts(kunit_parser.parse_run_tests(skips_told(document.splitlines())).counts)
failed = total.failed + total.crashed or total.errors
print(f"{total.passed} passed, {failed} failed, {total.skipped} skipped", flush=True)
sys.exit(1 if failed else 0 if total.passed else 2)
