#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# dmatest with its own defaults, but a finite number of iterations, has no failure on
# dmasim, polled or not, in whatever mode the engine is; and KUnit's suite passes there.

P=/sys/module/dmatest/parameters
ITERATIONS=${ITERATIONS:-60}

# shellcheck source=/dev/null
. "$(dirname "$(readlink -f "$0")")/../kselftest/ktap_helpers.sh"

skip() { ktap_skip_all "$*"; exit "$KSFT_SKIP"; }

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

# The suite takes the engine as it is loaded.
kunit() # PARAMETERS of dmasim_kunit
{
	modprobe dmasim_kunit "$@"
	grep '^ *\(ok\|not ok\)' /sys/kernel/debug/kunit/dmasim/results | sed 's/^/# /'
	grep -q '^ok .* dmasim' /sys/kernel/debug/kunit/dmasim/results
}

ktap_print_header
ktap_set_plan 14
for mode in "" "tasklet=1" "rotate=1" "rotate=1 tasklet=1" "latency_ns=0 bandwidth=0" \
	    "latency_ns=300000,0 bandwidth=20,2000"; do
	unload
	# shellcheck disable=SC2086 # parameters
	modprobe dmasim $mode
	ktap_test_result "dmatest, ${mode:-defaults}" dmatest N 3
	ktap_test_result "dmatest polled, ${mode:-defaults}" dmatest Y 1
done
unload
modprobe dmasim
ktap_test_result "KUnit suite dmasim, defaults" kunit
unload
modprobe dmasim rotate=1 tasklet=1
ktap_test_result "KUnit suite dmasim, rotate=1 tasklet=1" kunit tasklet=1
unload
ktap_finished
