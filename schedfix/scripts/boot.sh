#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A shell in the test kernel, on this terminal: make boot TOPO=. In the Debian guest if
# it has been made, else in busybox. `exit` or Ctrl-D powers off.
set -euo pipefail
here=$(dirname "$0")
. "$here/lib.sh"

TOPO=${TOPO:-2l4c} CONFIG=${CONFIG:-test}
guest=initramfs
[ ! -f "$BUILD/guest/guest.squashfs" ] || guest=debian

"$here/build.sh" --config "$CONFIG" >/dev/null
say "boot: $CONFIG kernel, $TOPO, $guest guest; exit powers off, the console is in $BUILD/results/boot/console"
# QEMU makes the terminal raw, and cannot undo that if it is killed.
state=$(stty -g 2>/dev/null) || state=
[ -z "$state" ] || trap 'stty "$state"' EXIT
"$here/vm.sh" --config "$CONFIG" --topo "$TOPO" --guest "$guest" --timeout 86400 --shell \
	--out "$BUILD/results/boot"
