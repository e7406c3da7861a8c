#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# That the benchmark measures all it says, leaves nothing behind, and refuses what it
# cannot do with a word of why. What it measures is nobody's threshold.

dir=$(dirname "$(readlink -f "$0")")
module=$dir/test_modules/zone_lock_bench.ko
# shellcheck source=/dev/null
. "$dir/../kselftest/ktap_helpers.sh"

skip() { ktap_skip_all "$*"; exit "$KSFT_SKIP"; }

[ "$(id -u)" = 0 ] || skip "needs root"
[ -f "$module" ] || skip "needs test_modules/zone_lock_bench.ko"
[ "$(nproc)" -gt 1 ] || skip "needs two CPUs"

mark=zone_lock_bench.sh:$$
since() { dmesg | sed "1,/$mark-$KTAP_TESTNO\$/d"; }
load() { echo "$mark-$KTAP_TESTNO" >/dev/kmsg; insmod "$module" "$@" 2>/dev/null; }

measures()
{
	load seconds=1 || return
	since | sed 's/^\[[^]]*\] //; s/^/# /'
	rmmod zone_lock_bench
	# Each of the four figures, and its phase, above 0.
	[ "$(since | grep -cE 'ok [123] zone_lock_bench\.')" = 3 ] && ! since | grep -q 'not ok' &&
		[ "$(since | grep -cE '1000(/s| pages/s): [1-9]')" = 4 ]
}

refuses() # WORD PARAMETER...
{
	word=$1
	shift
	if load "$@"; then
		rmmod zone_lock_bench
		return 1
	fi
	since | grep -q "zone_lock_bench: .*$word"
}

ktap_print_header
ktap_set_plan 5
ktap_test_result all_three_phases measures
ktap_test_result a_cpu_that_is_not_there refuses lists alloc_cpus=99999
ktap_test_result a_cpu_in_both_lists refuses lists alloc_cpus=0 read_cpus=0
ktap_test_result a_node_that_is_not_there refuses node node=9999
ktap_test_result no_time refuses seconds seconds=0
ktap_finished
