#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Runs the tree's kselftests in a guest, prints their KTAP and the count:
# selftest.sh [--tree src|base] [--config NAME] [TARGET]... (default: sched)
set -euo pipefail
here=$(dirname "$0")
. "$here/lib.sh"
. "$here/kbuild.sh"

main()
{
	local tree=src config=${CONFIG:-test} out tests rc=0

	while [ $# -gt 0 ]; do
		case $1 in
		--tree) tree=${2?}; shift 2 ;;
		--config) config=${2?}; shift 2 ;;
		-*) die "selftest.sh: usage: selftest.sh [--tree src|base] [--config NAME] [TARGET]..." ;;
		*) break ;;
		esac
	done
	srcdir=$BUILD/$BASE/$tree
	out=$BUILD/results/selftest-$tree-$config
	objdir=$("$here/build.sh" --tree "$tree" --config "$config")
	tests=$objdir/kselftest-install

	# Static, as the small guest has no C library; modules for this kernel, not the host's.
	kbuild headers
	rm -rf "$tests"
	kbuild kselftest-install TARGETS="${*:-sched}" INSTALL_PATH="$tests" KDIR="$objdir" \
		LDFLAGS=-static FORCE_TARGETS=1

	# Busybox's timeout lacks the --foreground that the runner passes; without one the
	# runner sets no limit of its own, and the guest's holds.
	"$here/vm.sh" --tree "$tree" --config "$config" --topo "${TOPO:-2l4c}" --timeout 600 --out "$out" \
		--add "$tests:/kselftest" -- 'rm -f /usr/bin/timeout; cd /kselftest && ./run_kselftest.sh' || rc=$?
	cat "$out/output" 2>/dev/null || true
	[ $rc -eq 0 ] || exit $rc
	"$here/ktap.py" "$srcdir" <"$out/output"
}

main "$@"; exit
