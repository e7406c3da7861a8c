#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Runs the tree's kselftests in a guest, prints their KTAP and the count:
# selftest.sh [--tree src|base] [--config NAME] [TARGET[:TEST]]... (default: ours)
set -euo pipefail
here=$(dirname "$0")
. "$here/lib.sh"
. "$here/kbuild.sh"

main()
{
	local tree=src config=${CONFIG:-test} topo=${TOPO:-2l2c2t} out tests probe prepare only='' t rc=0
	local -a targets

	while [ $# -gt 0 ]; do
		case $1 in
		--tree) tree=${2?}; shift 2 ;;
		--config) config=${2?}; shift 2 ;;
		-*) die "selftest.sh: usage: selftest.sh [--tree src|base] [--config NAME] [TARGET[:TEST]]..." ;;
		*) break ;;
		esac
	done
	srcdir=$BUILD/$BASE/$tree
	out=$BUILD/results/selftest-$tree-$config
	objdir=$("$here/build.sh" --tree "$tree" --config "$config")
	tests=$objdir/kselftest-install

	for t; do [[ $t != *:* ]] || only+=" -t $t"; done
	[ $# -gt 0 ] || set -- sched dmaengine cpuidle_sim zone_lock
	mapfile -t targets < <(printf '%s\n' "${@%%:*}" | sort -u)
	# Static, as the small guest has no C library; modules for this kernel, not the host's.
	kbuild headers
	# Those are built in the tree, where make takes what another configuration left for new.
	find "$srcdir/tools/testing/selftests" -path '*/test_modules/*' \( -name '*.o' -o -name '*.ko' \) -delete
	rm -rf "$tests"
	kbuild kselftest-install TARGETS="${targets[*]}" INSTALL_PATH="$tests" KDIR="$objdir" \
		USERLDFLAGS=-static FORCE_TARGETS=1

	# What patches text, ahead of the tests; a module that is there already is left in by
	# its test. The events are those of ttwu_queue and wa_irq, and cpuidle-sim's.
	probe=/kselftest/sched/test_modules/delay_lag_probe.ko
	prepare=". /quiet.sh
prepare()
{
	[ ! -e $probe ] || insmod $probe
	hold_events sched/sched_waking sched/sched_wakeup csd/csd_queue_cpu ipi/ipi_send_cpu \
		irq/irq_handler_entry $(printf 'irq_vectors/%s_entry ' local_timer reschedule \
		call_function call_function_single irq_work x86_platform_ipi)
}
alone prepare"
	"$here/vm.sh" --tree "$tree" --config "$config" --topo "$topo" --timeout 1500 --out "$out" \
		--add "$tests:/kselftest" --add "$TOP/schedfix/guest/timeout:/usr/bin/timeout" \
		--add "$TOP/schedfix/guest/quiet.sh:/quiet.sh" \
		-- "$prepare"$'\n'"/kselftest/run_kselftest.sh$only" || rc=$?
	cat "$out/output" 2>/dev/null || true
	[ $rc -eq 0 ] || exit $rc
	"$here/ktap.py" "$srcdir" <"$out/output"
}

main "$@"; exit
