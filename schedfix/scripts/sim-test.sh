#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Test the simulator: hashes of patched and base kernel, mutants, the machine, determinism.
# Prints TAP; the last line is "N passed, N failed, N skipped".

set -euo pipefail
. "$(dirname "$0")/lib.sh"

sim=$TOP/tools/sched-sim
base=$BUILD/$BASE/sim-base patched=$BUILD/$BASE/sim-src
cc=gcc
! command -v ccache >/dev/null || cc='ccache gcc'

"$TOP/schedfix/scripts/sim.sh" >&2
run make -s -C "$sim" SRC="$BUILD/$BASE/base" O="$base" CC="$cc" HOSTCC="$cc" mutants >&2

passed=0 failed=0 skipped=0
for test in table "equality $base $patched" "mutants $base" "machine $patched" "determinism $patched" \
		"wa-irq $base $patched"; do
	read -ra command <<<"$test"
	echo "# ${command[0]}"
	script=$sim/tests/${command[0]}.sh
	[ -e "$script" ] || script=${script%.sh}.py
	out=$("$script" "${command[@]:1}") || true
	echo "$out"
	read -r p f s < <(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p' <<<"$out") ||
		die "$script gave no summary; run it by hand"
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
