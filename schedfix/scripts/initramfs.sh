#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Packs the guest's initramfs: initramfs.sh GUEST SHAPE MODULES OUT SHELL
# [HOSTPATH:GUESTPATH]... with COMMAND on stdin; SHELL is the terminal's "ROWS COLUMNS"
# for a shell instead of it. All is made anew each time: that takes a tenth of a second.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

guest=$1 shape=$2 modules=$3 out=$4 shell=$5
shift 5

busybox=$(command -v busybox) || die "busybox is missing; install busybox-static"
stage=$out.d
rm -rf "$stage"
trap 'rm -rf "$stage"' EXIT
mkdir -p "$stage"/{bin,lib,root,schedfix/add}

cp "$busybox" "$stage/bin/busybox"
cp "$TOP/schedfix/guest/init" "$stage/init"
cp "$TOP/schedfix/guest/topology.awk" "$stage/schedfix/"
echo "$guest" >"$stage/schedfix/guest"
echo "$shape" >"$stage/schedfix/shape"
cat >"$stage/schedfix/command"
[ -z "$shell" ] || echo "$shell" >"$stage/schedfix/shell"
[ ! -d "$modules" ] || cp -a "$modules/lib/modules" "$stage/lib/"

# In the Debian guest init copies them over the image.
top=$stage
[ "$guest" = initramfs ] || top=$stage/schedfix/add
for add; do
	from=${add%%:*} to=${add#*:}
	[[ $add == *:/* ]] || die "--add $add: not HOSTPATH:/GUESTPATH"
	[ -e "$from" ] || die "--add $from: no such file"
	mkdir -p "$top$(dirname "$to")"
	cp -aT "$from" "$top$to"
done

(cd "$stage" && find . -print0 | LC_ALL=C sort -z | cpio -0 -o -H newc -R 0:0 --quiet) 2>/dev/null >"$out.tmp" ||
	die "$out: cannot be written; is the disk full?"
mv "$out.tmp" "$out"
