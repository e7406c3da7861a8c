#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Runs the tree's kselftests in a guest and prints their KTAP and the count:
# selftest.sh [--tree src|base] [--config NAME] [TARGET]... (default: sched)
set -euo pipefail
here=$(dirname "$0")
. "$here/lib.sh"
. "$here/kbuild.sh"

tree=src config=${CONFIG:-test} topo=2l2c2t
while [ $# -gt 0 ]; do
	case $1 in
	--tree) tree=${2?}; shift 2 ;;
	--config) config=${2?}; shift 2 ;;
	-*) die "selftest.sh: usage: selftest.sh [--tree src|base] [--config NAME] [TARGET]..." ;;
	*) break ;;
	esac
done
targets=${*:-sched}
srcdir=$BUILD/$BASE/$tree
out=$BUILD/results/selftest-$tree-$config
tests=$BUILD/$BASE/out-$tree-$config/kselftest

objdir=$("$here/build.sh" --tree "$tree" --config "$config")
# Static, as the small guest has no C library; modules against this kernel, not the host's.
kbuild headers
rm -rf "$tests"
kbuild kselftest-install TARGETS="$targets" INSTALL_PATH="$tests" KDIR="$objdir" USERLDFLAGS=-static FORCE_TARGETS=1

# Through a pipe, as the runner opens /dev/stdout anew, which a port does not allow.
# Busybox's timeout lacks the runner's --foreground; without it the runner sets no limit
# of its own, and the guest's holds.
rc=0
"$here/vm.sh" --tree "$tree" --config "$config" --topo "$topo" --timeout 600 --out "$out" \
	--add "$tests:/kselftest" -- 'rm -f /usr/bin/timeout; cd /kselftest && ./run_kselftest.sh | cat' || rc=$?
cat "$out/output" 2>/dev/null || true
[ $rc -eq 0 ] || exit $rc
"$here/ktap.py" "$srcdir" <"$out/output"
