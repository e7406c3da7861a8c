#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make deb: Debian packages of the kernel in build/$BASE/src, for a real machine.
#
# The configuration is the running kernel's, brought to this source, or KCONFIG=file:
# those of schedfix/configs are for guests and lack the drivers of a machine.

set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/kbuild.sh"

config=${KCONFIG:-/boot/config-$(uname -r)}
[ -f "$config" ] || die "$config: no such file; KCONFIG= names the configuration of the machine to run on"
"$TOP/schedfix/scripts/tree.sh"
need_packages build deb
srcdir=$BUILD/$BASE/src objdir=$BUILD/$BASE/out-src-deb
mkdir -p "$objdir"
exec 8>"$objdir/.schedfix-lock"
flock 8
cp "$config" "$objdir/.config"
# Debian's keys are not ours to sign with, and debug info takes 20 GB.
"$srcdir/scripts/config" --file "$objdir/.config" --set-str SYSTEM_TRUSTED_KEYS '' \
	--set-str SYSTEM_REVOCATION_KEYS '' --set-str LOCALVERSION -schedfix --disable LOCALVERSION_AUTO \
	--disable DEBUG_INFO_DWARF_TOOLCHAIN_DEFAULT --disable DEBUG_INFO_BTF --enable DEBUG_INFO_NONE
kbuild olddefconfig
rm -f "$BUILD/$BASE"/linux-*_*.{deb,buildinfo,changes}
kbuild KDEB_PKGVERSION="$(cut -d' ' -f1 "$BUILD/$BASE/version")-1" bindeb-pkg
mkdir -p "$BUILD/$BASE/deb"
mv "$BUILD/$BASE"/linux-*_*.deb "$BUILD/$BASE/deb/"
say "build/$BASE/deb:" && ls "$BUILD/$BASE/deb"
