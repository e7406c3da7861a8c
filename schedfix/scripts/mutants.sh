#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make mutants: plants each bug of schedfix/tests/mutants.tbl in the tree, one at a
# time, builds it, and sees the bug's test fail, which passes without it. Prints TAP.
#
#   mutants.sh [PATTERN]    all, or those whose names match
#
# Takes from half a minute (a module) to three (fair.c) for each.
set -euo pipefail
here=$(dirname "$0")
. "$here/lib.sh"

src=$BUILD/$BASE/src
table=$TOP/schedfix/tests/mutants.tbl
logs=$BUILD/logs/mutants pattern=${1:-.}
declare -A seen
# shellcheck source=../../tools/sched-sim/tests/tap.sh
. "$TOP/tools/sched-sim/tests/tap.sh"

# A test is a script of ours with its arguments.
run_test() # LOG COMMAND
{
	local -a command
	read -ra command <<<"$2"
	"$here/${command[0]}.sh" "${command[@]:1}" >"$1" 2>&1
}

restore() { git -C "$src" checkout -q -- .; }

"$here/tree.sh" >&2
[ -z "$(git -C "$src" status --porcelain)" ] || die "$src: has changes that are not committed; mutants are planted there"
mkdir -p "$logs"
trap restore EXIT
trap 'exit 130' INT TERM
while IFS=$'\t' read -r -u 3 name file expression test; do
	case $name in ''|'#'*) continue ;; esac
	[[ $name =~ $pattern ]] || continue
	if [ -z "${seen[$test]:-}" ]; then
		seen[$test]=1
		run_test "$logs/none" "$test" && rc=0 || rc=$?
		check "$test passes without a mutant" "$rc" 0 "$(tail -n 1 "$logs/none")"
		[ "$rc" -eq 0 ] || break
	fi
	sed -i "$expression" "$src/$file"
	! git -C "$src" diff --quiet || die "$table: $name changes nothing in $file; adapt its sed expression"
	echo "# $name: $(git -C "$src" diff -U0 | sed -n '/^[-+][^-+]/{s/^\(.\)[[:space:]]*/\1 /; p}' | paste -sd' ' | cut -c 1-150)"
	"$here/build.sh" >"$logs/$name.build" 2>&1 || die "$table: $name does not compile; see $logs/$name.build"
	run_test "$logs/$name" "$test" && rc=0 || rc=$?
	# 2 is "could not run", see vm.sh; a panic or a hang of the guest is as good as a failure.
	[ "$rc" -ne 2 ] || die "$name: $test could not run: $(tail -n 1 "$logs/$name")"
	check "$name is killed by $test" "$([ "$rc" -eq 0 ] && echo alive || echo killed)" killed
	restore
done 3<"$table"
[ $((passed + failed)) -gt 0 ] || die "mutants.sh $pattern: no such mutant in $table"
summary
