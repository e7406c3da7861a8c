#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# That the benchmark measures all it says, leaves nothing behind, and refuses what it
# cannot do with a word of why. What it measures is nobody's threshold.

module=$(dirname "$0")/test_modules/zone_lock_bench.ko

skip() { echo "1..0 # SKIP $*"; exit 4; }

[ "$(id -u)" = 0 ] || skip "needs root"
[ -f "$module" ] || skip "needs test_modules/zone_lock_bench.ko"
[ "$(nproc)" -gt 1 ] || skip "needs two CPUs"

n=0 failed=0
result() # STATUS NAME
{
	n=$((n + 1))
	if [ "$1" = 0 ]; then
		echo "ok $n $2"
	else
		failed=$((failed + 1))
		echo "not ok $n $2"
	fi
}

mark=zone_lock_bench.sh:$$
since() { dmesg | sed "1,/$mark-$n\$/d"; }
load() { echo "$mark-$n" >/dev/kmsg; insmod "$module" "$@" 2>/dev/null; }

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
	since | grep -q "zone_lock_bench: $word"
}

echo 1..5
measures; result $? measures
refuses 'CPU lists' alloc_cpus=99999; result $? a_cpu_that_is_not_there
refuses 'CPU lists' alloc_cpus=0 read_cpus=0; result $? a_cpu_in_both_lists
refuses node node=9999; result $? a_node_that_is_not_there
refuses seconds seconds=0; result $? no_time
[ $failed = 0 ]
