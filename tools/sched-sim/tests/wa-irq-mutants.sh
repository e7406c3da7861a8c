#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Each mutant of wa-irq-mutants.tbl fails its line of wa-irq.tbl, which the patched
# kernel passes: wa-irq-mutants.sh SRC BASE-DIR PATCHED-DIR [MUTANT]...
# Compiles fair.c once for each, so it is not part of `make test`.
set -euo pipefail

src=$1 base=$2 patched=$3
shift 3
here=$(dirname "$(readlink -f "$0")")
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$here/tap.sh"

while IFS=$'\t' read -r name _ _ line; do
	case $name in ''|'#'*) continue ;; esac
	[ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
	make -s -C "$here/.." SRC="$src" O="$patched" "$patched/mutants/$name/sched-sim"
	out=$("$here/wa-irq.py" "$base" "$patched" "$line") && rc=0 || rc=$?
	check "the patch itself: $line" "$rc" 0 "$out"
	out=$("$here/wa-irq.py" "$base" "$patched/mutants/$name" "$line") && rc=0 || rc=$?
	check "mutant $name fails: $line" "$rc" 1 "$out"
done <"$here/wa-irq-mutants.tbl"
summary
