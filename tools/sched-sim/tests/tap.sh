# SPDX-License-Identifier: GPL-2.0
# TAP output for the tests here. Sourced, never run.
# shellcheck shell=bash

passed=0 failed=0 skipped=0

ok() { passed=$((passed + 1)); echo "ok $((passed + failed + skipped)) - $*"; }
skip() { skipped=$((skipped + 1)); echo "ok $((passed + failed + skipped)) - $1 # SKIP $2"; }

not_ok()
{
	failed=$((failed + 1))
	echo "not ok $((passed + failed + skipped)) - $1"
	[ -z "${2:-}" ] || head -12 <<<"$2" | sed 's/^/# /'
}

# check NAME GOT WANTED [OUTPUT]
check()
{
	if [ "$2" = "$3" ]; then
		ok "$1"
	else
		not_ok "$1" "got $2, wanted $3"$'\n'"${4:-}"
	fi
}

summary()
{
	echo "1..$((passed + failed + skipped))"
	echo "$passed passed, $failed failed, $skipped skipped"
	[ "$failed" -eq 0 ]
}
