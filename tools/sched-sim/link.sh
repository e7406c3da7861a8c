#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Links the simulator: link.sh OUTPUT KBUILD-DIR HOST-OBJECT... -- KERNEL-OBJECT...
#
# Kernel objects are named relative to KBUILD-DIR. What they leave undefined gets
# the stub that symbols.tbl asks for; then all their symbols get the prefix k_,
# which ends every clash with the C library.
set -euo pipefail

here=$(dirname "$(readlink -f "$0")")
output=$1 kbuild=$2
shift 2
host=()
while [ "$1" != -- ]; do
	host+=("$1")
	shift
done
shift

(cd "$kbuild" && ld --no-warn-execstack -r -o "$output.sim.o" "$@")
"$here/stubs.sh" "$here/symbols.tbl" "$output.sim.o" >"$output.stubs.S"
gcc -c -o "$output.stubs.o" "$output.stubs.S"
ld --no-warn-execstack -r -o "$output.all.o" "$output.sim.o" "$output.stubs.o"
objcopy --prefix-symbols=k_ -R .export_symbol -R .modinfo "$output.all.o"
gcc -static -no-pie -o "$output.tmp" "${host[@]}" "$output.all.o" -ljansson \
	-Wl,-T,"$here/link.lds" -Wl,--no-warn-rwx-segments \
	-Wl,--no-warn-execstack -Wl,-z,noexecstack
mv "$output.tmp" "$output"
rm -f "$output".{sim.o,stubs.S,stubs.o,all.o}
