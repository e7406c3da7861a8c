#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Makes the Debian guest image once: guest.sh [--force]. build/guest then holds
# guest.squashfs and packages.txt, the exact versions in it.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

list=$TOP/schedfix/guest/packages
dir=$BUILD/guest
suite=stable

[ "${1:-}" != --force ] || rm -f "$dir/made-from"
packages=$(sed 's/#.*//; s/[[:space:]]//g; /^$/d' "$list" | paste -sd, -)
# The size tells a truncated image; damage inside it shows when a guest reads it.
stamp() { echo "$suite $packages $(stat -c %s "$dir/guest.squashfs" 2>/dev/null)"; }
[ ! -f "$dir/made-from" ] || [ "$(cat "$dir/made-from")" != "$(stamp)" ] || exit 0

need_packages guest
mkdir -p "$dir"
exec 8>"$dir/.lock"
flock 8
[ ! -f "$dir/made-from" ] || [ "$(cat "$dir/made-from")" != "$(stamp)" ] || exit 0

# The mirror that this machine's own apt uses.
# shellcheck disable=SC2016 # apt's variables
mirror=$(apt-get indextargets --format '$(ORIGIN)|$(LABEL)|$(SITE)' 'Created-By: Packages' |
	sed -n 's/^Debian|Debian|//p' | head -n 1)
[ -n "$mirror" ] || die "apt knows no Debian mirror; add one to its sources and run apt-get update"

# As root without namespaces, so that it works in a chroot and in a container.
mode=unshare
[ "$(id -u)" -ne 0 ] || mode=root
tmp=$dir/tmp log=$dir/guest.log
rm -rf "$tmp"
mkdir -p "$tmp"
trap 'rm -rf "$tmp"' EXIT

say "guest: Debian $suite, about 250 packages, some minutes; $log has the details"
# Left out: texts, and the shader compilers that stress-ng's GPU stressor would load,
# 40 % of the image. No fsync for a root that is thrown away if it does not get done.
# shellcheck disable=SC2016 # $1 is the hook's
run mmdebstrap --mode=$mode --variant=essential --include="$packages" \
	--aptopt='APT::Install-Recommends "false"' --dpkgopt=force-unsafe-io \
	--dpkgopt='path-exclude=/usr/share/man/*' \
	--dpkgopt='path-exclude=/usr/share/doc/*' \
	--dpkgopt='path-exclude=/usr/share/locale/*' \
	--dpkgopt='path-exclude=/usr/lib/*/libLLVM*' \
	--dpkgopt='path-exclude=/usr/lib/*/libgallium*' \
	--dpkgopt='path-exclude=/usr/lib/*/libz3*' \
	--customize-hook='dpkg-query --admindir="$1/var/lib/dpkg" -W >"$1/packages.txt"' \
	--customize-hook="download packages.txt '$tmp/packages.txt'" \
	--customize-hook='rm "$1/packages.txt"' \
	$suite "$tmp/guest.tar" "deb $mirror $suite main non-free" >"$log" 2>&1 ||
	die "mmdebstrap failed: $(grep -m 1 '^E: ' "$log" || tail -n 1 "$log"); see $log"
# LZ4: what unpacks fastest, as a guest without KVM does it on emulated CPUs.
run sqfstar -quiet -no-progress -comp lz4 "$tmp/guest.squashfs" <"$tmp/guest.tar" >>"$log" 2>&1 ||
	die "sqfstar failed: $(tail -n 1 "$log"); is the disk full?"

rm -f "$dir/made-from"
mv "$tmp/packages.txt" "$tmp/guest.squashfs" "$dir/"
stamp >"$dir/made-from"
say "guest: $dir/guest.squashfs, $(du -h "$dir/guest.squashfs" | cut -f 1), $(wc -l <"$dir/packages.txt") packages"
