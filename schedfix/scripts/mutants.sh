#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make mutants: plants each bug of schedfix/tests/mutants.tbl in the tree, one at a
# time, builds it, and sees the bug's test fail, which passes without it. Prints TAP.
#
#   mutants.sh [NAME]...    all, or those named; shell patterns
#
# Takes from half a minute (a module) to three (fair.c) for each.
set -euo pipefail
here=$(dirname "$0")
. "$here/lib.sh"

src=$BUILD/$BASE/src
table=$TOP/schedfix/tests/mutants.tbl
logs=$BUILD/logs/mutants
n=0 failed=0
declare -A passes

result() # RC NAME
{
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - $2"
	else
		failed=$((failed + 1))
		echo "not ok $n - $2"
	fi
}

wanted() # NAME PATTERN...
{
	local name=$1 pattern
	shift
	[ $# -gt 0 ] || return 0
	for pattern; do
		# shellcheck disable=SC2053 # a pattern
		[[ $name != $pattern ]] || return 0
	done
	return 1
}

# A test is a script of ours with its arguments.
passes() # LOG COMMAND
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
	wanted "$name" "$@" || continue
	if [ -z "${passes[$test]:-}" ]; then
		passes[$test]=1
		passes "$logs/none" "$test" && rc=0 || rc=$?
		result "$rc" "$test passes without a mutant"
		[ "$rc" -eq 0 ] || { sed -n 's/^/# /; $p' "$logs/none"; break; }
	fi
	sed -i "$expression" "$src/$file"
	! git -C "$src" diff --quiet || die "$table: $name changes nothing in $file; adapt its sed expression"
	echo "# $name: $(git -C "$src" diff -U0 | sed -n '/^[-+][^-+]/{s/^\(.\)[[:space:]]*/\1 /; p}' | paste -sd' ' | cut -c 1-150)"
	"$here/build.sh" >"$logs/$name.build" 2>&1 || die "$table: $name does not compile; see $logs/$name.build"
	passes "$logs/$name" "$test" && rc=0 || rc=$?
	# 2 is "could not run", see vm.sh; a panic or a hang of the guest is as good as a failure.
	[ "$rc" -ne 2 ] || die "$name: $test could not run: $(tail -n 1 "$logs/$name")"
	result $((rc == 0)) "$name is killed by $test"
	restore
done 3<"$table"
[ $n -gt 0 ] || die "mutants.sh $*: no such mutant in $table"
echo "1..$n"
echo "$((n - failed)) passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
