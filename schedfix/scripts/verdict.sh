#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Judges a guest's run from what it left: verdict.sh DIR QEMU_RC ACCEL SECONDS TIMEOUT.
# QEMU_RC is QEMU's exit code, or "timeout". Writes DIR/status.json and exits as vm.sh does.
set -euo pipefail
here=$(dirname "$0")
. "$here/lib.sh"

out=$1 rc=$2 accel=$3 seconds=$4 timeout=$5

# The last line of that kind from init.
said() { sed -n "s/^$1 \{0,1\}//p" "$out/control" 2>/dev/null | tr -d '\r' | tail -n 1; }

verdict()
{
	local status=$1 exit=$2 topo kernel

	topo=$(said topo) kernel=$(said kernel)
	if ! printf '{"status":"%s","exit":%s,"accel":"%s","kernel":"%s","topo":%s,"seconds":%s}\n' \
		"$status" "$(said exit | grep . || echo null)" "$accel" "$kernel" "${topo:-null}" "$seconds" \
		>"$out/status.json.tmp" || ! mv "$out/status.json.tmp" "$out/status.json"; then
		say "schedfix: $out/status.json: cannot be written"
	fi
	[ $# -lt 3 ] || say "schedfix: ${*:3}"
	exit "$exit"
}

touch "$out/console" "$out/control" 2>/dev/null || true
if [ "$(df --output=avail "$out" | tail -n 1)" -eq 0 ]; then
	verdict noboot 2 "$out: no space left, results may be missing; free some and run again"
fi
bug=$("$here/console.sh" "$out/console") || {
	[ $? -eq 3 ] || exit 2
	say "$bug"
	# An oops where nothing can be saved panics after its trace.
	if grep -q 'Kernel panic' "$out/console"; then
		verdict panic 3 "the kernel panicked; see $out/console"
	fi
	verdict oops 3 "the kernel has a bug; see $out/console"
}
if grep -q 'SQUASHFS error' "$out/console"; then
	verdict noboot 2 "the guest image is damaged; remove $BUILD/guest and run 'make guest'"
elif [ -n "$(said error)" ]; then
	verdict noboot 2 "guest: $(said error); see $out/console"
elif grep -q ^mismatch "$out/control"; then
	verdict skip 2 "guest got $(said topo | sed 's/.*"shape":"\([^"]*\)".*/\1/') but was $(said mismatch)"
elif [ "$rc" = timeout ]; then
	grep -q ^start "$out/control" ||
		verdict noboot 2 "the guest did not come up in $timeout s, and was killed; last line: $(tail -n 1 "$out/console")"
	verdict hang 4 "no end after $timeout s, the guest was killed; see $out/output, $out/console"
elif [ -n "$(said exit)" ]; then
	[ "$(said exit)" -ne 0 ] || verdict ok 0
	verdict failed 1 "exit code $(said exit) in the guest: $(tail -n 1 "$out/output" 2>/dev/null)"
elif [ "$rc" -gt 128 ]; then
	verdict killed 2 "QEMU was killed by signal $((rc - 128)) after $seconds s"
elif [ "$rc" -ne 0 ]; then
	verdict noboot 2 "QEMU: $(grep -v '^$' "$out/qemu.err" | tail -n 1)"
elif grep -q ^start "$out/control"; then
	verdict failed 1 "the guest went down before the command ended; see $out/console"
fi
verdict noboot 2 "the guest went down before it came up: $(tail -n 1 "$out/console")"
