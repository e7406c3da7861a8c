# SPDX-License-Identifier: GPL-2.0
# TAP output for the tests here. Sourced, never run.
# shellcheck shell=bash

passed=0 failed=0

ok() { passed=$((passed + 1)); echo "ok $((passed + failed)) - $*"; }

not_ok()
{
	failed=$((failed + 1))
	echo "not ok $((passed + failed)) - $1"
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
	echo "1..$((passed + failed))"
	echo "$passed passed, $failed failed, 0 skipped"
	[ "$failed" -eq 0 ]
}
