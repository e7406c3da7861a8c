#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Prints the accelerator that works here, kvm or tcg: accel.sh KERNEL. A /dev/kvm that
# opens may still hang every kernel, so only a kernel that has printed its first line
# counts. The answer is kept for as long as host, QEMU and boot stay the same.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

kernel=$1
qemu=${QEMU:-qemu-system-x86_64}
kvm=${KVM:-/dev/kvm}
limit=5
cache=$BUILD/cache/accel

key="$(cat /proc/sys/kernel/random/boot_id) $("$qemu" --version | head -n 1) $(id -u)"
if [ -f "$cache" ] && [ "$(sed -n 2p "$cache")" = "$key" ]; then
	sed -n 1p "$cache"
	exit
fi

works()
{
	local console
	console=$(mktemp)
	# An early console needs neither interrupts nor a timer.
	run timeout -k 1 $limit "$qemu" -nodefaults -no-user-config -display none -no-reboot \
		-accel kvm -cpu host -m 256 -kernel "$kernel" -append "earlyprintk=serial panic=-1" \
		-serial "file:$console" >/dev/null 2>&1 &
	local pid=$!
	while kill -0 $pid 2>/dev/null && ! grep -q 'Linux version' "$console"; do sleep 0.1; done
	kill $pid 2>/dev/null || true
	wait $pid 2>/dev/null || true
	grep -q 'Linux version' "$console"
	local rc=$?
	rm -f "$console"
	return $rc
}

answer=tcg
if [ ! -e "$kvm" ]; then
	why="no $kvm"
elif [ ! -r "$kvm" ] || [ ! -w "$kvm" ]; then
	why="$kvm may not be opened; join its group"
elif works; then
	answer=kvm why="a probe kernel booted"
else
	why="$kvm is there, but a probe kernel printed nothing in $limit s"
fi
say "accel: $answer ($why)"
mkdir -p "$BUILD/cache"
printf '%s\n%s\n' $answer "$key" >"$cache.tmp"
mv "$cache.tmp" "$cache"
echo $answer
