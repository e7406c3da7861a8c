#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Call the kernel's make in the tree: forward.sh TARGET [VAR=VALUE]...
#
# With the object directory, compiler and environment of build.sh, so that what
# one has built the other does not build again. CONFIG= names the configuration.

set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/kbuild.sh"

srcdir=$BUILD/$BASE/src
objdir=$BUILD/$BASE/out-src-${CONFIG:-test}
need_packages build
case $1 in
menuconfig|nconfig) need_packages menuconfig ;;
*-pkg) need_packages deb ;;
esac
args=()
for arg; do
	# A module outside the tree is named from where make was called.
	[[ $arg != M=* ]] || [ -d "$srcdir/${arg#M=}" ] || arg=M=$(realpath "${arg#M=}")
	args+=("$arg")
done
mkdir -p "$objdir"
exec 8>"$objdir/.schedfix-lock"
flock 8
[ -f "$objdir/.config" ] || "$(dirname "$0")/config.sh" "$srcdir" "$objdir" "${CONFIG:-test}"
cc=gcc
! command -v ccache >/dev/null || cc='ccache gcc'
run make -C "$srcdir" O="$objdir" -j"$JOBS" CC="$cc" LOCALVERSION= --no-print-directory "${args[@]}"
