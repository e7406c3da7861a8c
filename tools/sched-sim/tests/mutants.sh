#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Each mutant violates its invariant, and the real scheduler with the same
# arguments violates none: mutants.sh DIR [TABLE], a folder with sched-sim and mutants/,
# and mutants.tbl or, for a kernel before EEVDF, mutants-cfs.tbl.
set -euo pipefail

dir=$1
here=$(dirname "$(readlink -f "$0")")
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$here/tap.sh"

while IFS=$'\t' read -r name _ _ invariant args; do
	case $name in ''|'#'*) continue ;; esac
	read -ra args <<<"$args"
	out=$("$dir/sched-sim" "${args[@]}" 2>&1) && rc=0 || rc=$?
	check "real scheduler: ${args[*]}" "$rc" 0 "$out"
	out=$("$dir/mutants/$name/sched-sim" "${args[@]}" 2>&1) && rc=0 || rc=$?
	grep -q "^violation of $invariant " <<<"$out" && rc=caught
	check "mutant $name violates $invariant" "$rc" caught "$out"
done <"$here/${2:-mutants.tbl}"
summary
