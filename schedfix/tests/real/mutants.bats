# SPDX-License-Identifier: GPL-2.0
# The sed expressions of mutants.tbl still find what they are to change in the tree. To
# plant them all takes hours, this a second.

TOP=$(cd "$BATS_TEST_DIRNAME/../../.." && pwd)
BASE=${BASE:-6.12}
src=${BUILD:-$TOP/build}/$BASE/src

@test "each line of mutants.tbl changes its file" {
	local name file expression test n=0 dead=''

	while IFS=$'\t' read -r name file expression test; do
		case $name in ''|'#'*) continue ;; esac
		[ -n "$test" ]
		n=$((n + 1))
		! sed "$expression" "$src/$file" | cmp -s - "$src/$file" || dead+=" $name"
	done <"$TOP/schedfix/tests/mutants.tbl"
	[ "$n" -gt 0 ]
	echo "change nothing:$dead"
	[ -z "$dead" ]
}
