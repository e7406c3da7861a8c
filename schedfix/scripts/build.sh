#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Builds a kernel and its modules: build.sh [--tree src|base] [--config NAME] [--target T]...
# Prints the object directory. V=1 shows the compiler at work.
set -euo pipefail
here=$(dirname "$0")
. "$here/lib.sh"
. "$here/kbuild.sh"

tree=src config=test targets=()
while [ $# -gt 0 ]; do
	case $1 in
	--tree) tree=${2?}; shift 2 ;;
	--config) config=${2?}; shift 2 ;;
	--target) targets+=("${2?}"); shift 2 ;;
	*) die "build.sh: usage: build.sh [--tree src|base] [--config NAME] [--target T]..." ;;
	esac
done

srcdir=$BUILD/$BASE/$tree
objdir=$BUILD/$BASE/out-$tree-$config
[ -f "$srcdir/Makefile" ] || die "$srcdir: no kernel tree; run 'make tree'"
need_packages build
mkdir -p "$objdir"

# One build in a directory at a time; the second finds its work done.
exec 8>"$objdir/.schedfix-lock"
flock 8

# Symbols that only a patched tree knows are in a fragment of their own.
names=("$config")
[ "$tree" != src ] || names+=(ours)
"$here/config.sh" "$srcdir" "$objdir" "${names[@]}"
if [ ${#targets[@]} -gt 0 ]; then
	kbuild "${targets[@]}"
else
	# gcc fills and drops a lot of memory for each object: ten of them took 12 s with
	# huge pages and 17 s without.
	thp=/sys/kernel/mm/transparent_hugepage/enabled
	if [ ! -f "$objdir/vmlinux" ] && [ -f $thp ] && ! grep -qF '[always]' $thp; then
		say "gcc takes a quarter less time with transparent huge pages, Debian's default: echo always >$thp"
	fi
	kbuild bzImage modules
	mods_install
fi
echo "$objdir"
