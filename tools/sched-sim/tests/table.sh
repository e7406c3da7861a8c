#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# stubs.sh stops at a symbol that symbols.tbl does not classify, and names it.
set -euo pipefail

here=$(dirname "$(readlink -f "$0")")
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$here/tap.sh"
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT

printf 'void known(void), unknown_to_us(void);\nint main(void) { known(); unknown_to_us(); return 0; }\n' >"$dir/t.c"
gcc -c -fno-pie -o "$dir/t.o" "$dir/t.c"
printf 'zero\tknown\n' >"$dir/tbl"
out=$("$here/../stubs.sh" "$dir/tbl" "$dir/t.o" 2>&1 >/dev/null) && rc=0 || rc=$?
check "an unclassified symbol fails the build" "$rc" 1 "$out"
grep -q "symbol unknown_to_us is not classified" <<<"$out" && rc=named
check "and is named" "$rc" named "$out"
printf 'never\tunknown_to_us\n' >>"$dir/tbl"
"$here/../stubs.sh" "$dir/tbl" "$dir/t.o" >"$dir/s.S" && rc=0 || rc=$?
check "classified, it does not" "$rc" 0
printf 'zero\tknown\n' >>"$dir/tbl"
"$here/../stubs.sh" "$dir/tbl" "$dir/t.o" >"$dir/s.S" 2>"$dir/err" && rc=0 || rc=$?
check "a symbol that is there twice fails the build" "$rc" 1
for cost in "$here"/../costs/*.cost; do
	grep -q '^idle_exit_percent' "$cost" && rc=0 || rc=1
	check "$(basename "$cost") has sources" "$rc$(grep -vc '^#\|^$\|;' "$cost" || true)" 00
done
summary
