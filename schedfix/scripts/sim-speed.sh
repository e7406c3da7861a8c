#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# How fast the simulator is, and beside guests of 8 and 16 CPUs under TCG: sim-speed.sh [alone]
#
# First switches and wakeups per second of CPU time, at 8, 128 and 512 CPUs, behind the first
# part of a run, in which tasks spread; "alone" ends with that.
#
# Then the same workloads in simulator and guest. Printed are seconds of simulated or virtual
# time for a second of CPU time, which does not depend on what else the host does. The guest's
# clock counts instructions (tests/qemu-icount): all its CPUs are emulated by one thread,
# and its time is what it had to do and not what the host's clock says.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

tests=$TOP/tools/sched-sim/tests
out=$BUILD/$BASE/sim-speed
sim=$BUILD/$BASE/sim-base/sched-sim
warmup=100 run=200	# ms of the guest
simulated=2		# s; 0.2 are too few ms of CPU time to tell
workloads=(
	"context1 pairs=CPUS work_ns=20000"
	"hackbench groups=1 fan=CPUS slots=16 write_ns=30000 read_ns=30000"
	"schbench messengers=2 workers=CPUS work_us=300 think_us=300 message_ns=20000"
)

# On N CPUs: a task for each, of hackbench two and a half.
busy=(
	"context1 pairs=N/2"
	"futex pairs=N/2"
	"nanosleep tasks=N"
	"pipe pairs=N/2"
	"udp_rr pairs=N/2"
	"schbench messengers=N/4 workers=3"
	"fork parents=N/2"
	"hackbench groups=N/16"
	"hackbench groups=N/16 socket=1"
)

# The best of three runs, in millions: what else the host does makes others slower.
rate() # TOPOLOGY COSTS WARMUP SECONDS ARGUMENTS...
{
	local topo=$1 costs=$2 warmup=$3 seconds=$4 i
	shift 4
	for i in 1 2 3; do
		"$sim" "$@" -t "$topo" --costs "$costs" --time --warmup "$warmup" -d "$seconds"
	done | awk '$1 == "speed" && $2 > best { best = $2 } END { printf "%9.1f", best / 1e6 }'
}

measure_alone()
{
	local w cpus topo costs warmup seconds
	local -a args

	sed 's/^sockets = 2$/sockets = 8/; s/^nodes = .*/nodes = 1/; /^distance/d' \
		"$TOP/schedfix/topologies/icelake-2x32.topo" >"$out/512.topo"
	printf '%-40s%9s%9s%9s\n' "workload, N CPUs" 8 128 512
	for w in "${busy[@]}"; do
		printf '%-40s' "$w"
		while read -r cpus topo costs warmup seconds; do
			read -ra args <<<"$(sed "s|N/16|$(((cpus + 15) / 16))|; s|N/2|$((cpus / 2))|
				s|N/4|$((cpus / 4))|; s|N\$|$cpus|" <<<"$w")"
			rate "$topo" "$costs" "$warmup" "$seconds" "${args[@]}"
		done <<-END
			8 2l4c 2l4c 0.1 0.5
			128 icelake-2x32 icelake-2x32 0.1 0.2
			512 $out/512.topo icelake-2x32 0.05 0.05
		END
		echo
	done
}

# CPU seconds so far of the QEMU that writes to DIR
guest_cpu()
{
	local pid

	pid=$(pgrep -f -- "^qemu-system-x86_64.*$1/" | head -n 1) &&
		awk -v hz="$(getconf CLK_TCK)" '{ print ($14 + $15) / hz }' "/proc/$pid/stat"
}

# CPU seconds between the guest's lines of results, the first of which says that it is up
watch()
{
	local have=0 lines last='' now

	while kill -0 "$2" 2>/dev/null; do
		lines=$(grep -c '' "$1/results.jsonl" 2>/dev/null) || true
		if [ "${lines:-0}" -gt "$have" ] && now=$(guest_cpu "$1"); then
			[ -z "$last" ] || echo "$last $now" | awk '{ print $2 - $1 }'
			last=$now have=$lines
		fi
		sleep 0.1
	done
}

# measure CPUS TOPOLOGY SHAPE-OF-SIMULATION
measure()
{
	local cpus=$1 dir=$out/guest-$1 commands w i=0 took vm
	local -a guest args

	commands="echo '{}' >\$RESULTS"
	for w in "${workloads[@]}"; do
		commands+=$'\n'"/twin ${w//CPUS/$cpus} row=${w%% *} seed=1 spread=20 warmup_ms=$warmup run_ms=$run >\$RESULTS"
	done
	# With one thread for all CPUs, QEMU does not see the power-off of several.
	commands+=$'\nfor c in /sys/devices/system/cpu/cpu[1-9]*/online; do echo 0 >$c; done'
	rm -rf "$dir"
	QEMU=$tests/qemu-icount "$TOP/schedfix/scripts/vm.sh" --tree base --topo "$2" --cpus "$cpus" \
		--append "preempt=none noautogroup skew_tick=1 tsc_early_khz=1000000 lpj=4000000" \
		--timeout 3600 --add "$out/twin:/twin" --out "$dir" -- "$commands" >&2 &
	vm=$!
	mapfile -t guest < <(watch "$dir" $vm)
	wait $vm || die "guest with $cpus CPUs: see above and $dir/output"
	for w in "${workloads[@]}"; do
		read -ra args <<<"${w//CPUS/$cpus}"
		took=$("$sim" "${args[@]}" -t "$3" --halt --costs 2l4c --no-check --time \
			--warmup 0.$warmup -d $simulated | awk '$1 == "cpu_seconds" { print $2 }')
		awk -v w="${w%% *}" -v cpus="$cpus" -v s="$took" -v g="${guest[i]:-0}" \
			-v run=$simulated -v all=$((warmup + run)) 'BEGIN {
			guest = g ? all / 1000 / g : 0
			printf "%-10s %4d %12.3f %12.2f %8.0f\n", w, cpus, guest, run / s, guest ? run / s / guest : 0 }'
		i=$((i + 1))
	done
}

case ${1:-} in
''|alone) ;;
*) die "sim-speed.sh: usage: sim-speed.sh [alone]" ;;
esac
mkdir -p "$out"
"$TOP/schedfix/scripts/sim.sh" --tree base
measure_alone
[ "${1:-}" = alone ] && exit
echo
need_packages build vm sim
[ -f "$BUILD/$BASE/out-base-test/vmlinux" ] || "$TOP/schedfix/scripts/build.sh" --tree base
run make -s -C "$TOP/tools/sched-sim/guest" O="$out"
printf '%s\n' "llcs_per_socket = 4" "cores_per_llc = 4" >"$out/16.topo"
printf '%-10s %4s %12s %12s %8s\n' workload CPUs guest simulator ratio
measure 8 2l4c 2l4c
measure 16 epyc-7313p "$out/16.topo"
