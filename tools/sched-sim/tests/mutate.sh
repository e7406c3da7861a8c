#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Compile one object of the kernel from changed source: mutate.sh NAME SRC KBUILD DIR
#
# Writes DIR/mutant.o, prints which object of KBUILD it replaces. NAME is a line
# of mutants.tbl, mutants-cfs.tbl, variants.tbl or wa-irq-mutants.tbl.
set -euo pipefail

name=$1 src=$2 kbuild=$3 dir=$4
table=$(ls "$(dirname "$0")"/{mutants,mutants-cfs,variants,wa-irq-mutants}.tbl)

# shellcheck disable=SC2086 # four files
IFS=$'\t' read -r _ file expression _ < <(grep -h "^$name"$'\t' $table)
sed "$expression" "$src/$file" >"$dir/mutant.c"
! cmp -s "$src/$file" "$dir/mutant.c" || {
	echo "schedfix: $table: $name changes nothing in $file; adapt its sed expression" >&2
	exit 1
}
object=${file%.c}.o
# kbuild's command for the object, without what it is for.
command=$(sed -n "s,^\(saved\)\?cmd_$object := ,,p" "$kbuild/${file%/*}/.$(basename "$object").cmd" |
	sed 's, ; .*,,; s,-Wp\,-MMD\,[^ ]*,,; s, -c -o .*,,')
cd "$kbuild"
eval "$command -I$src/${file%/*} -c -o $dir/mutant.o $dir/mutant.c" >&2
echo "$object"
