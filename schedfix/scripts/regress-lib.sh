# SPDX-License-Identifier: GPL-2.0
# What regress.sh, triage.sh and table.sh share: building the tools and running a
# schedule of workloads in a guest. Sourced.
# shellcheck shell=bash

REGRESS=$TOP/tools/testing/sched-regress
TOOLS=$BUILD/regress
REPORT=$BUILD/report
SECONDS_PER_RUN=25	# limit for the guest: an execution with its set-up, on a slow host

# The kernel of TREE and our programs, where they are missing.
regress_prepare() # TREE
{
	need_packages regress vm
	[ -f "$BUILD/$BASE/$1/Makefile" ] ||
		if [ "$1" = src ]; then "$TOP/schedfix/scripts/tree.sh"; else "$TOP/schedfix/scripts/source.sh"; fi >&2
	"$TOP/schedfix/scripts/build.sh" --tree "$1" >&2
	run make -s -C "$REGRESS" O="$TOOLS" >&2
	mkdir -p "$REPORT"
}

# What goes into the guest: the runner, the workloads, the offsets of this kernel.
regress_stage() # TREE
{
	local out=$BUILD/$BASE/out-$1-test stage=$TOOLS/stage-$1

	rm -rf "$stage"
	mkdir -p "$stage"
	# errexit does not reach into a command substitution.
	cp -r "$REGRESS"/guest/* "$REGRESS/workloads" "$TOP/schedfix/guest/quiet.sh" "$TOOLS"/{sched-parse,sleepers,page-fault1} "$stage/" &&
		"$REGRESS/offsets/offsets.sh" "$out" "$TOOLS/offsets-$1" >"$stage/offsets" &&
		echo "$stage"
}

# Run SCHEDULE on the kernel of TREE; results in build/results/RUN. More arguments go
# to vm.sh. LAG=1 in the environment records lag as well, GUEST= names another guest.
regress_run() # TREE TOPO RUN SCHEDULE [VM_ARGUMENT]...
{
	local tree=$1 topo=$2 name=$3 schedule=$4 stage lines
	shift 4

	[ "${GUEST:-debian}" != debian ] || "$TOP/schedfix/scripts/guest.sh" >&2
	stage=$(regress_stage "$tree") || die "$TOOLS/stage-$tree: incomplete, see above; remove it and $TOOLS, then again"
	cp "$schedule" "$stage/schedule"
	lines=$(wc -l <"$schedule")
	say "$name: $lines executions on $topo, tree $tree"
	"$TOP/schedfix/scripts/vm.sh" --tree "$tree" --topo "$topo" --guest "${GUEST:-debian}" --mem 4G \
		--timeout $((120 + lines * SECONDS_PER_RUN)) --add "$stage:/sched-regress" \
		--out "$BUILD/results/$name" "$@" -- \
		"RUN=$name TOPO=$topo LAG=${LAG:-0} sh /sched-regress/run.sh /sched-regress/schedule"
}
