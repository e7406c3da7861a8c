#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Prints NAME=NUMBER lines of one built kernel: offsets.sh O_DIR WORK_DIR
# O_DIR is kbuild's O=; the structures are compiled as kbuild would in that configuration.
set -eu
o=$1 work=$2
here=$(dirname "$(readlink -f "$0")")

die() { echo "schedfix: $*" >&2; exit 1; }

[ -f "$o/System.map" ] || die "$o/System.map: no built kernel there; next: make kernel"
mkdir -p "$work"
cp "$here/Kbuild" "$here/offsets.c" "$work/"
make -s -C "$o" M="$(readlink -f "$work")" offsets.s > "$work/log" 2>&1 ||
	die "$here/offsets.c does not compile against $o: $(grep -m 1 error "$work/log"); see $work/log"
sed -n 's/^\.ascii "->\([a-z_A-Z0-9]*\) \$\{0,1\}\(-\{0,1\}[0-9]*\) .*/\1=\2/p' "$work/offsets.s"
# The per-CPU runqueues start at 0 plus this in each CPU's area.
awk '$3 == "runqueues" { print "runqueues=" "0x" $1 }' "$o/System.map"
