#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Runs our KUnit suites (modules *_kunit.ko), or those named, in a guest, prints
# their KTAP and the count: kunit.sh [--config NAME] [MODULE]...
set -euo pipefail
here=$(dirname "$0")
. "$here/lib.sh"

main()
{
	local config=${CONFIG:-test} objdir modules out rc=0

	while [ $# -gt 0 ]; do
		case $1 in
		--config) config=${2?}; shift 2 ;;
		-*) die "kunit.sh: usage: kunit.sh [--config NAME] [MODULE]..." ;;
		*) break ;;
		esac
	done
	out=$BUILD/results/kunit-$config
	objdir=$("$here/build.sh" --config "$config")
	modules=$(cd "$objdir/mods/lib/modules" && find . -name '*_kunit.ko' -printf '%f ' | sed 's/\.ko//g')
	[ $# -eq 0 ] || modules=$*
	[ -n "$modules" ] || die "$objdir/mods: no KUnit module; see schedfix/configs/ours.config"

	# A suite's results stay in debugfs until its module goes. That of dmasim wants a
	# channel, which its module alone would not bring.
	"$here/vm.sh" --config "$config" --topo "${TOPO:-2l4c}" --out "$out" -- \
		"modprobe dmasim && for m in $modules; do modprobe \$m || exit; done; cat /sys/kernel/debug/kunit/*/results" || rc=$?
	cat "$out/output" 2>/dev/null || true
	[ $rc -eq 0 ] || exit $rc
	"$here/ktap.py" "$BUILD/$BASE/src" <"$out/output"
}

main "$@"; exit
