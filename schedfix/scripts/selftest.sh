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
	local tree=src config=${CONFIG:-test} topo=${TOPO:-2l2c2t} out tests probe only='' t rc=0
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
	rm -rf "$tests"
	kbuild kselftest-install TARGETS="${targets[*]}" INSTALL_PATH="$tests" KDIR="$objdir" \
		USERLDFLAGS=-static FORCE_TARGETS=1

	# A module with kprobes that is there already is left in by its test.
	probe=/kselftest/sched/test_modules/delay_lag_probe.ko
	"$here/vm.sh" --tree "$tree" --config "$config" --topo "$topo" --timeout 1500 --out "$out" \
		--add "$tests:/kselftest" --add "$TOP/schedfix/guest/timeout:/usr/bin/timeout" \
		--add "$TOP/schedfix/guest/quiet.sh:/quiet.sh" \
		-- ". /quiet.sh; [ ! -e $probe ] || alone insmod $probe; /kselftest/run_kselftest.sh$only" || rc=$?
	cat "$out/output" 2>/dev/null || true
	[ $rc -eq 0 ] || exit $rc
	"$here/ktap.py" "$srcdir" <"$out/output"
}

main "$@"; exit
