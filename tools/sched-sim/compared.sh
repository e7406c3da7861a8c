# SPDX-License-Identifier: GPL-2.0
# Sourced by the scripts that make tables, which set dir: where sched-sim-compare is.
# shellcheck shell=bash disable=SC2154

# compared METRICS ARM-A ARM-B ARGUMENTS...: for each metric a line of sched-sim-compare,
# which is metric, A, sd, B, sd, difference, interval, seeds up, down.
compared()
{
	local metrics=$1 a=$2 b=$3
	shift 3
	"$dir/sched-sim-compare" -n "$SEEDS" -j "${JOBS:-$(nproc)}" -a "$a" -b "$b" -m "$metrics" -- \
		"$@" --no-check 2>/dev/null
}
