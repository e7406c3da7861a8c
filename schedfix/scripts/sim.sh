#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Build the simulator from a tree: sim.sh [--tree src|base|6.1] -> build/$BASE/sim-TREE/sched-sim
#
# Without --tree, from src and base, as comparisons need them. The source is fetched
# and the tree laid if they are not there yet. 6.1, the last of Debian's kernels with
# CFS, is for comparisons with it only: build/6.1/sim-base, no series.

set -euo pipefail
. "$(dirname "$0")/lib.sh"

trees=(base src)
while [ $# -gt 0 ]; do
	case $1 in
	--tree)	trees=("${2:?--tree wants src, base or 6.1}"); shift 2 ;;
	*)	die "sim.sh: unknown argument $1; usage: sim.sh [--tree src|base|6.1]" ;;
	esac
done

need_packages build sim
cc=gcc
! command -v ccache >/dev/null || cc='ccache gcc'

# The source of a kernel that we have no series for.
other_source()
{
	local pkg=linux-source-$1

	[ ! -e "$BUILD/$1/base/Makefile" ] || return 0
	[ -n "${KSRC:-}" ] || grep -q '^VERSION_ID="12"' /etc/os-release ||
		[ -z "$(packages_missing <<<"$pkg")" ] ||
		die "$pkg: only Debian 12 has this package; give KSRC=, a directory or tarball of Linux $1"
	BASE=$1 NO_SERIES=1 "$TOP/schedfix/scripts/source.sh"
}

for tree in "${trees[@]}"; do
	[ "$tree" != 6.1 ] || { BASE=$tree tree=base; other_source "$BASE"; }
	src=$BUILD/$BASE/$tree
	case $tree in
	base)	[ -e "$src/Makefile" ] || "$TOP/schedfix/scripts/source.sh" ;;
	src)	[ -e "$src/Makefile" ] || "$TOP/schedfix/scripts/tree.sh" ;;
	*)	die "sim.sh: --tree $tree: none of src, base, 6.1" ;;
	esac
	say "building sched-sim from $src"
	run nice make --no-print-directory -C "$TOP/tools/sched-sim" SRC="$src" \
		O="$BUILD/$BASE/sim-$tree" CC="$cc" HOSTCC="$cc" JOBS="$JOBS"
done
