#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Compare the simulator with real guests of 1 and 2 CPUs: sim-trust.sh [--seeds N] [--reuse]
# [--write]. --reuse takes the guests' results of the last run, --write puts the table into
# Documentation/scheduler/sched-sim-trust.rst.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

seeds=3 reuse='' write=''
while [ $# -gt 0 ]; do
	case $1 in
	--seeds) seeds=${2:?--seeds wants a number}; shift 2 ;;
	--reuse) reuse=1; shift ;;
	--write) write=1; shift ;;
	*) die "sim-trust.sh: unknown argument $1; usage: sim-trust.sh [--seeds N] [--reuse] [--write]" ;;
	esac
done

tests=$TOP/tools/sched-sim/tests
page=$TOP/Documentation/scheduler/sched-sim-trust.rst
out=$BUILD/$BASE/sim-trust
sim=${SIM:-$BUILD/$BASE/sim-base/sched-sim}

# The kernel is the base kernel on either side, idle CPUs halt, ticks are skewed. With
# qemu-icount the TSC counts nanoseconds, and not as vm.sh told the guest.
guest()
{
	local cpus=$1 commands

	commands=$("$tests/trust.py" --commands "$seeds")
	# With one thread for all CPUs, QEMU does not see the power-off of two.
	[ "$cpus" -eq 1 ] || commands+=$'\necho 0 >/sys/devices/system/cpu/cpu1/online'
	QEMU=$tests/qemu-icount "$TOP/schedfix/scripts/vm.sh" --tree base --topo "${cpus}c" \
		--cpus "$cpus" --append "preempt=none noautogroup skew_tick=1 tsc_early_khz=1000000 lpj=4000000" --timeout 7200 \
		--add "$out/twin:/twin" --out "$out/guest-$cpus" -- "$commands"
}

mkdir -p "$out"
[ -n "${SIM:-}" ] || "$TOP/schedfix/scripts/sim.sh" --tree base
if [ -z "$reuse" ]; then
	need_packages build vm
	[ -f "$BUILD/$BASE/out-base-test/vmlinux" ] || "$TOP/schedfix/scripts/build.sh" --tree base
	run make -s -C "$TOP/tools/sched-sim/guest" O="$out"
	say "running $seeds times all workloads in guests of 1 and 2 CPUs; minutes each"
	guest 1 &
	one=$!
	guest 2 || die "guest with 2 CPUs: see above and $out/guest-2/output"
	wait $one || die "guest with 1 CPU: see above and $out/guest-1/output"
fi
"$tests/trust.py" "$sim" "$out"/guest-{1,2}/results.jsonl >"$out/table.tmp"
mv "$out/table.tmp" "$out/table"
cat "$out/table"
[ -n "$write" ] || exit 0
awk -v table="$out/table" '
	/^\.\. table begins/ { print; print ""; while ((getline line <table) > 0) print line; print ""; skip = 1 }
	/^\.\. table ends/ { skip = 0 }
	!skip { print }' "$page" >"$page.tmp"
mv "$page.tmp" "$page"
