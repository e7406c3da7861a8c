#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make test: what CI runs. Each step's output is in build/logs; one that fails does
# not stop the others. The last line is the sum: N passed, N failed, N skipped.
#
#     test.sh [STEP]...     all steps, or those named
#
# A step says how it went by such a line of its own, by TAP, or by its exit status
# alone. Status 0 is good, 4 a skip (as in kselftest), anything else a failure, 2
# (could not run) as well. With CI=true a skip is a failure, of a step or within one.

set -euo pipefail
. "$(dirname "$0")/lib.sh"

cd "$TOP/schedfix/scripts"
logs=$BUILD/logs

# NAME COMMAND, in the order of what needs what.
steps='
check		./check.sh
tree		./tree.sh
slow-tests	bats --tap --filter-tags slow ../tests
round-trip	bats --tap ../tests/real
series		./series.sh
kernel		./build.sh --tree src
kunit		./kunit.sh
selftest	./selftest.sh
sim		./sim-test.sh
regress		./regress.sh --short
'

# A sign of life: how long it takes, and what the log says last.
watch_log()
{
	local start=$SECONDS every=60

	[ ! -t 2 ] || every=2
	# A wait that leaves no sleep behind when it is killed.
	until read -rt $every <> <(:); do
		if [ -t 2 ]; then
			printf '\r\033[K%s: %d s: %s' "$1" $((SECONDS - start)) "$(tail -n 1 "$2" | cut -c 1-60)" >&2
		else
			printf '%s: %d s\n' "$1" $((SECONDS - start)) >&2
		fi
	done
}

# Set p, f and s to what the log $1 counts, given exit status $2.
count()
{
	local sum

	sum=$(sed -nE 's/^([0-9]+) passed, ([0-9]+) failed, ([0-9]+) skipped$/\1 \2 \3/p' "$1" | tail -n 1)
	if [ -n "$sum" ]; then
		read -r p f s <<<"$sum"
	else
		f=$(grep -c '^not ok ' "$1") || true
		s=$(grep -ciE '^ok .*# skip' "$1") || true
		p=$(($(grep -c '^ok ' "$1") - s)) || true
		[ "$p$f$s" != 000 ] || case $2 in 0) p=1 ;; 4) s=1 ;; esac
	fi
	# Whatever it counted: a status that tells of failure is one.
	case $2 in
	0|4) ;;
	*) [ "$f" -gt 0 ] || f=1 ;;
	esac
	if [ "${CI:-}" = true ]; then
		f=$((f + s)) s=0
	fi
}

need_packages check
mkdir -p "$logs"
passed=0 failed=0 skipped=0
watcher=
trap '[ -z "$watcher" ] || kill "$watcher" 2>/dev/null' EXIT
trap 'exit 130' INT TERM
for step in "$@"; do
	grep "^$step	" <<<"$steps" >/dev/null || die "test.sh $step: no such step; there are: $(awk '{ printf "%s ", $1 }' <<<"$steps")"
done
while read -r step command; do
	[ -n "$step" ] || continue
	[ $# -eq 0 ] || [[ " $* " == *" $step "* ]] || continue
	log=$logs/$step.log start=$SECONDS status=0
	: >"$log"
	watch_log "$step" "$log" &
	watcher=$!
	# shellcheck disable=SC2086 # a command and its arguments
	$command >"$log" 2>&1 </dev/null || status=$?
	kill "$watcher" 2>/dev/null || true
	wait "$watcher" 2>/dev/null || true
	watcher=
	[ ! -t 2 ] || printf '\r\033[K' >&2
	count "$log" $status
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
	if [ "$f" -gt 0 ]; then
		printf 'FAILED  %-10s %4d s  %d passed, %d failed, %d skipped, status %d; see %s\n' \
			"$step" $((SECONDS - start)) "$p" "$f" "$s" $status "$log"
		# What the kernel printed stands before the verdict; CI keeps no other trace of it.
		grep -B 62 -m 1 -E '^schedfix: the kernel (panicked|has a bug)' "$log" | sed -n '1,40s/^/        /p' || true
		{ grep -E '^(schedfix: |not ok |FAILED )' "$log" || tail -n 3 "$log"; } | sed -n '1,10s/^/        /p'
	else
		printf 'ok      %-10s %4d s  %d passed, %d skipped\n' "$step" $((SECONDS - start)) "$p" "$s"
	fi
done <<<"$steps"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
