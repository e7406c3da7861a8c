#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Build the simulator from a tree: sim.sh [--tree src|base] -> build/$BASE/sim-TREE/sched-sim
#
# Without --tree, from both, as comparisons need them. The source is fetched and
# the tree laid if they are not there yet.

set -euo pipefail
. "$(dirname "$0")/lib.sh"

trees=(base src)
while [ $# -gt 0 ]; do
	case $1 in
	--tree)	trees=("${2:?--tree wants src or base}"); shift 2 ;;
	*)	die "sim.sh: unknown argument $1; usage: sim.sh [--tree src|base]" ;;
	esac
done

need_packages build sim
cc=gcc
! command -v ccache >/dev/null || cc='ccache gcc'

for tree in "${trees[@]}"; do
	src=$BUILD/$BASE/$tree
	case $tree in
	base)	[ -e "$src/Makefile" ] || "$TOP/schedfix/scripts/source.sh" ;;
	src)	[ -e "$src/Makefile" ] || "$TOP/schedfix/scripts/tree.sh" ;;
	*)	die "sim.sh: --tree $tree: neither src nor base" ;;
	esac
	say "building sched-sim from $src"
	run nice make --no-print-directory -C "$TOP/tools/sched-sim" SRC="$src" \
		O="$BUILD/$BASE/sim-$tree" CC="$cc" HOSTCC="$cc" JOBS="$JOBS"
done
