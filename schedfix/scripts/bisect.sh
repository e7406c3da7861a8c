#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make bisect KSRC=git-tree GOOD= BAD= CLAIM=: which commit breaks a claim.
#
# git bisect run, in a work tree of KSRC's repository of its own. For each commit the
# series is laid on it, built and the claim judged: pass is good, fail is bad, and what
# cannot be decided (no patch applies, no build, no boot, inconclusive) is skipped.

set -euo pipefail
. "$(dirname "$0")/lib.sh"

work=$BUILD/bisect
tree=$work/tree

if [ "${1:-}" = --step ]; then
	# In $tree, at the commit to judge. Everything made goes to build/bisect.
	rm -rf "$work/$BASE/base" "$work/$BASE/src"
	export BUILD=$work KSRC=$tree
	log=$work/$(git rev-parse --short=12 HEAD).log
	status=125
	if "$TOP/schedfix/scripts/tree.sh" >"$log" 2>&1; then
		"$TOP/schedfix/scripts/regress.sh" --short --only "$CLAIM" >>"$log" 2>&1 && status=0 || status=$?
		[ $status -le 1 ] || status=125
	fi
	case $status in 0) verdict=good ;; 1) verdict=bad ;; *) verdict="skipped: $(tail -n 1 "$log")" ;; esac
	say "$(git log -1 --format='%h %s'): $verdict"
	exit $status
fi

for name in KSRC GOOD BAD CLAIM; do
	[ -n "${!name:-}" ] || die "$name= is not given; make bisect KSRC=git-tree GOOD=v6.12 BAD=v6.12.30 CLAIM=delay-lag"
done
[ -f "$TOP/tools/testing/sched-regress/claims/$CLAIM.claim" ] ||
	die "CLAIM=$CLAIM: no such file in tools/testing/sched-regress/claims"
for name in GOOD BAD; do
	git -C "$KSRC" rev-parse -q --verify "${!name}^{commit}" >/dev/null || die "$name=${!name}: no such commit in $KSRC"
done
git -C "$KSRC" merge-base --is-ancestor "$GOOD" "$BAD" || die "GOOD=$GOOD: is no ancestor of BAD=$BAD"

trap 'git -C "$KSRC" worktree remove --force "$tree" 2>/dev/null || true' EXIT
trap 'exit 130' INT TERM
mkdir -p "$work" "$BUILD/guest"
ln -sfn "$BUILD/guest" "$work/guest"
git -C "$KSRC" worktree prune
git -C "$KSRC" worktree add -q --force --detach "$tree" "$BAD"
cd "$tree"
git bisect start "$BAD" "$GOOD" -- >/dev/null
git bisect run "$TOP/schedfix/scripts/bisect.sh" --step >"$work/log" || die "no commit found; see $work/log"
git bisect log | sed -n 's/^# first bad commit: /first bad commit: /p'
