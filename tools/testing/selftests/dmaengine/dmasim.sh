#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# dmatest with its own defaults, but a finite number of iterations, has no failure on
# dmasim, polled or not, in whatever mode the engine is; and KUnit's suite passes there.

P=/sys/module/dmatest/parameters
ITERATIONS=${ITERATIONS:-60}

skip() { echo "1..0 # SKIP $*"; exit 4; }

[ "$(id -u)" = 0 ] || skip "needs root"
for module in dmasim dmasim_kunit dmatest; do
	modprobe $module 2>/dev/null || skip "needs $module"
done

# As loaded already, it would not take the parameters.
unload()
{
	for module in dmatest dmasim_kunit dmasim; do
		[ ! -d /sys/module/$module ] || modprobe -r $module || exit 1
	done
}
unload

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

# Each thread's summary must be there, with all its tests and without a failure.
dmatest() # POLLED THREADS
{
	dmesg -c >/dev/null
	modprobe dmatest iterations="$ITERATIONS" polled="$1" threads_per_chan="$2"
	echo 1 > $P/run
	cat $P/wait >/dev/null
	dmesg | grep 'dmatest: .*summary' | sed 's/^/# /'
	good=$(dmesg | grep -c "summary $ITERATIONS tests, 0 failures")
	modprobe -r dmatest
	[ "$good" = $((2 * $2)) ]
}

echo "1..14"
for mode in "" "tasklet=1" "rotate=1" "rotate=1 tasklet=1" "latency_ns=0 bandwidth=0" \
	    "latency_ns=300000,0 bandwidth=20,2000"; do
	unload
	# shellcheck disable=SC2086 # parameters
	modprobe dmasim $mode
	dmatest N 3
	result $? "dmatest, ${mode:-defaults}"
	dmatest Y 1
	result $? "dmatest polled, ${mode:-defaults}"
done
# The suite takes the engine as it is loaded.
for mode in "" "rotate=1 tasklet=1"; do
	unload
	# shellcheck disable=SC2086
	modprobe dmasim $mode
	modprobe dmasim_kunit
	grep '^ *\(ok\|not ok\)' /sys/kernel/debug/kunit/dmasim/results | sed 's/^/# /'
	grep -q '^ok .* dmasim' /sys/kernel/debug/kunit/dmasim/results
	result $? "KUnit suite dmasim, ${mode:-defaults}"
done
unload
[ $failed = 0 ]
