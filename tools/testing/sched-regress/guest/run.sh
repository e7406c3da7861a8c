#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Runs in the guest: takes a schedule, one execution of a workload a line, and
# writes one JSON sample a line to $RESULTS.
#
#   run.sh SCHEDULE          with RUN= and TOPO= in the environment, LAG=1 to record lag
#
# A line is "WORKLOAD[:PARAM] BLOCK ROLE ARM": block 0 is a warm-up run, whose
# samples are marked and not used; role is - or aa0/aa1; ARM is FEATURE=0,... or a label.
set -eu
HERE=$(dirname "$(readlink -f "$0")")
WORK=${WORK:-/tmp/sched-regress}
export HERE WORK
mkdir -p "$WORK"

die() { echo "schedfix: run.sh: $*" >&2; exit 1; }
# shellcheck source=counters.sh
. "$HERE/counters.sh"

features() # FEATURE=0,FEATURE=1 or a label
{
	case $1 in *=*) ;; *) return ;; esac	# a mere label
	for f in $(echo "$1" | tr ',' ' '); do
		name=${f%=*}
		grep -qw -e "$name" -e "NO_$name" /sys/kernel/debug/sched/features ||
			die "this kernel has no scheduler feature $name"
		[ "${f#*=}" = 1 ] || name=NO_$name
		echo "$name" > /sys/kernel/debug/sched/features
	done
}

installed=" "
install_once() # WORKLOAD
{
	case $installed in *" $1 "*) return ;; esac
	[ -d "$HERE/workloads/$1" ] || die "workloads/$1: no such workload"
	sh -eu "$HERE/workloads/$1/install" > "$WORK/install.log" 2>&1 ||
		die "workloads/$1/install failed: $(tail -n 2 "$WORK/install.log" | paste -sd' ')"
	installed="$installed$1 "
}

one() # WORKLOAD[:PARAM] BLOCK ROLE ARM
{
	dir=$HERE/workloads/${1%%:*}
	export OUT="$WORK/out" PARAM=
	case $1 in *:*) PARAM=${1#*:} ;; esac
	rm -f "$OUT"
	features "$4"
	[ ! -f "$dir/prepare" ] || sh -eu "$dir/prepare" > "$WORK/log" 2>&1 ||
		die "workloads/$1/prepare failed: $(tail -n 2 "$WORK/log" | paste -sd' ')"
	counters_on "$WORK/raw"
	code=0
	sh -eu "$dir/run" > "$WORK/log" 2>&1 || code=$?
	counters_off "$WORK/raw"
	[ $code = 0 ] || die "workloads/$1/run failed with $code: $(tail -n 2 "$WORK/log" | paste -sd' ')"
	{ sh -eu "$dir/parse" && counters_print "$WORK/raw"; } > "$WORK/lines" ||
		die "no result from $1"
	warmup=0
	[ "$2" = 0 ] && warmup=1
	role=$3
	[ "$role" = - ] && role=
	"$HERE/sched-parse" emit "run=$RUN;workload=$1;topo=$TOPO;arm=$4;block=$2;role=$role;warmup=$warmup;kernel=$(uname -r);engine=vm" \
		< "$WORK/lines" >> "$RESULTS"
	echo "$1 block $2 $3 $4"
}

counters_init
while read -r workload block role arm; do
	install_once "${workload%%:*}"
	one "$workload" "$block" "$role" "$arm"
done < "$1"
