#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make triage: for each report, whether the unmodified kernel still has its
# mechanism, by counts. Writes build/report/triage.txt and triage.json.
#
#   triage.sh [--only WORKLOAD] [--executions N] [--reuse]
# --reuse takes the boots of this kernel that an earlier triage has finished.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/regress-lib.sh"

only='' executions=3 reuse=''
while [ $# -gt 0 ]; do
	case $1 in
	--only) only=${2?}; shift 2 ;;
	--executions) executions=${2?}; shift 2 ;;
	--reuse) reuse=1; shift ;;
	*) die "triage.sh: usage: triage.sh [--only WORKLOAD] [--executions N] [--reuse]" ;;
	esac
done

# Execution 0 is the warm-up.
schedule() # ARM WORKLOAD...
{
	local arm=$1 w i
	shift
	for w; do
		[ -z "$only" ] || [ "$only" = "$w" ] || [ "$only" = "${w%%:*}" ] || continue
		for ((i = 0; i <= executions; i++)); do
			echo "$w $i - $arm"
		done
	done
}

regress_prepare base
udp=()
for size in 64 128 256 1024 2048 3312 4096 8192 16384; do
	udp+=("netperf-udp:$size")
done
plan=$TOOLS/triage
runs=()

# One boot each for the lag and requeues (with lag), for netperf with hlt and with poll.
# One request queue: a fixed interrupt, as a DMA engine has.
schedule hlt fio-thin fio-ext4 fio-xfs stress-ng-pipe hackbench sleepers fio-virtio fio-virtio-far >"$plan-hlt"
schedule hlt "${udp[@]}" >"$plan-udp"
schedule poll "${udp[@]}" >"$plan-udp-poll"

one() # NAME TOPO VM_ARGUMENT...
{
	local name=$1 topo=$2
	shift 2
	[ -s "$plan-$name" ] || return 0
	runs+=("$BUILD/results/triage-$name")
	if [ -n "$reuse" ] && [ "${runs[-1]}/status.json" -nt "$BUILD/$BASE/out-base-test/vmlinux" ] &&
	   grep -q '"status":"ok"' "${runs[-1]}/status.json"; then
		return 0
	fi
	regress_run base "$topo" "triage-$name" "$plan-$name" "$@" >&2
}

LAG=1 one hlt 2l4c --disk 64M:probe --append virtio_blk.num_request_queues=1
one udp 1l4c
one udp-poll 1l4c --append idle=poll
[ ${#runs[@]} -gt 0 ] || die "--only $only: triage has no such workload"

"$TOOLS/sched-regress" triage --offsets "$TOOLS/stage-base/offsets" \
	--kernel "$(cat "$BUILD/$BASE/version")" \
	--json "$REPORT/triage.json" --text "$REPORT/triage.txt" "${runs[@]}"
cat "$REPORT/triage.txt"
say "written: $REPORT/triage.txt and triage.json"
