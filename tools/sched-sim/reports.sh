#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The reports on their own topologies: reports.sh BASE-DIR [ROW-PATTERN]
#
# Each row: what the report compared or the nearest thing this kernel can do, the
# change it reported, then A -> B with costs as they are and the paired differences
# over seeds with costs times 0, 0.5, 1 and 2 and with other work jitter (spread=).
# "-76 %+": B is smaller in the mean, but larger in some seed. BASE-DIR holds sched-sim,
# sched-sim-compare and mutants/ ("make variants"). A row of 128 CPUs takes minutes.
# SEEDS= (default 3), JOBS= runs at a time (default: CPUs), VARIANTS= columns to run, as
# "--cost-scale=0 --cost-scale=1" (default all). CFS= a folder with the simulator of
# Linux 6.1 (sim.sh --tree 6.1): the lag rows' A; EEVDF= what their B gets as arguments.
set -euo pipefail

dir=$(readlink -f "$1") pattern=${2:-.} SEEDS=${SEEDS:-3}
# shellcheck source-path=SCRIPTDIR source=compared.sh
. "$(dirname "$(readlink -f "$0")")/compared.sh"

# The one line of METRIC.
line_of()
{
	compared "$@" | grep "^$1 " || echo "failed 0 0 0 0 failed"
}

# row NAME REPORTED METRIC ARM-A ARM-B ARGUMENTS...
row()
{
	local name=$1 reported=$2 as_is line variant
	shift 2
	[[ $name =~ $pattern ]] || return 0
	as_is=$(line_of "$@" --cost-scale=1)
	printf '%-24s %-20s %s' "$name" "$reported" \
		"$(awk '{ printf "%9.4g -> %-9.4g", $2, $4 }' <<<"$as_is")"
	for variant in --cost-scale={0,0.5,1,2} spread={5,50}; do
		[[ " ${VARIANTS:-$variant} " == *" $variant "* ]] || { printf '%9s' -; continue; }
		line=$as_is
		[ "$variant" = --cost-scale=1 ] || line=$(line_of "$@" "$variant")
		# Does any seed disagree with the mean?
		awk '$1 == "failed" { printf "%9s", $1; next }
		     $6 + 0 > -0.05 && $6 + 0 < 0.05 { printf "%9s", "0.0"; next }
		     { up = $(NF - 1) + 0; down = $NF + 0; mixed = up && down ? ($6 < 0 ? "+" : "-") : ""
		       sub(/%/, "", $6); printf "%9s", sprintf("%+.1f%s", $6, mixed) }' <<<"$line"
	done
	echo
}

base=$dir/sched-sim pull=$dir/mutants/crude-pull/sched-sim
queue=$dir/mutants/always-queue/sched-sim

printf '%-24s %-20s %-22s%9s%9s%9s%9s%9s%9s\n' row reported "A -> B" \
	x0 x0.5 x1 x2 spread5 spread50
dma=(dmatest -t xeon-6132 -d 1)
row dmatest-fixed "-84 % us" latency_mean "$base" "$pull" "${dma[@]}" irq_cpu=0
row dmatest-rotating "must not lose" latency_mean "$base" "$pull" "${dma[@]}" irq_mode=1
row dmatest-8-threads "must not lose" latency_mean "$base" "$pull" "${dma[@]}" threads=8

udp=(udp_stream -t i7-2600 client_cpus=0 server_cpus=1 -d 0.1 --warmup 0.1)
for halt in --poll --halt; do
	row "udp_stream$halt" "+20..33 % with IPI" throughput "$base -f NO_TTWU_QUEUE" "$base" "${udp[@]}" $halt
	row "udp_stream$halt-busy" "+20..33 % with IPI" throughput "$base" "$queue" "${udp[@]}" $halt
done
row udp_stream--halt-ipis "" ipi_call "$base -f NO_TTWU_QUEUE" "$base" "${udp[@]}" --halt

for load in 8000 16000 30000; do
	fio=(fio -t epyc-7313p cpus=1-8 split=1 submit_ns="$load" depth=32 -d 0.2 --warmup 0.1)
	row "fio-submit-$load" "+18 % without delay" throughput "$base" "$base -f NO_DELAY_DEQUEUE" "${fio[@]}"
done
row fio-preemptions "kworker less" preemptions "$base" "$base -f NO_DELAY_DEQUEUE" \
	fio -t epyc-7313p cpus=1-8 split=1 submit_ns=16000 -d 0.2 --warmup 0.1
pipe=(pipe -t 1l4c pairs=4 -d 0.2 --warmup 0.1)
row pipe-4-cpus "+52 % without delay" throughput "$base" "$base -f NO_DELAY_DEQUEUE" "${pipe[@]}"
row pipe-4-cpus-switches "half without delay" switches "$base" "$base -f NO_DELAY_DEQUEUE" "${pipe[@]}"

# The lag report: CFS against lag based placement. This kernel has no CFS; without
# CFS= the nearest is PLACE_LAG off against on, both without delayed dequeue.
a="$base -f NO_DELAY_DEQUEUE,NO_PLACE_LAG" b="$base -f NO_DELAY_DEQUEUE"
[ -z "${CFS:-}" ] || a=$(readlink -f "$CFS")/sched-sim b="$base ${EEVDF:-}"
declare -A reported=(
	[schbench-50]=-84.5 [schbench-100]=-79.2 [schbench-200]=-76.3
	[hack-pipe-50]=+6.7 [hack-pipe-100]=+110 [hack-pipe-200]=-89.5/+79.2
	[hack-socket-50]=-6.3 [hack-socket-100]=-40.2 [hack-socket-200]=-27.4
	[switch-50]=-9.2 [switch-100]=+11.1 [switch-200]=-19.4
	[futex-50]=-19.9 [futex-100]=-30.5 [futex-200]=-47.5
	[nanosleep-50]=0 [nanosleep-100]=-26.4 [nanosleep-200]=+2
	[fork-50]=-0.1 [fork-100]=-0.1 [fork-200]=-3.3
	[context1-50]=n/a [context1-100]=+17.4 [context1-200]=n/a
	[udp_rr-50]=-0.3 [udp_rr-100]=-4.3 [udp_rr-200]=-6.6
	[tcp_rr-50]=-0.2 [tcp_rr-100]=+3.6 [tcp_rr-200]=-8.4)
# Behind the first tenth of a second, in which the tasks spread over the CPUs.
big=(-t icelake-2x32 -d 0.05 --warmup 0.15)
for load in 50 100 200; do
	tasks=$((128 * load / 100))
	lag() { row "$1-$load" "${reported[$1-$load]}" "$2" "$a" "$b" "${@:3}" "${big[@]}"; }
	lag schbench wakeup_wait_p95 schbench messengers=8 workers=$((tasks / 8)) think_us=100
	lag hack-pipe throughput hackbench groups=$((tasks / 40 + 1))
	lag hack-socket throughput hackbench groups=$((tasks / 40 + 1)) socket=1 slots=256
	lag switch throughput pipe pairs=$((tasks / 2))
	lag futex throughput futex pairs=$((tasks / 2))
	lag nanosleep throughput nanosleep tasks=$tasks
	lag fork throughput fork parents=$tasks
	lag context1 throughput context1 pairs=$((tasks / 2))
	lag udp_rr throughput udp_rr pairs=$((tasks / 2))
	lag tcp_rr throughput tcp_rr pairs=$((tasks / 2))
done
