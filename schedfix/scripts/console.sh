#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Scans a kernel console for bugs: console.sh FILE. Silent and 0 if there is none;
# otherwise prints the first bug's lines and exits 3. Patterns: schedfix/guest/console-patterns.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

[ $# -eq 1 ] || die "console.sh: usage: console.sh FILE"
[ -r "$1" ] || die "$1: cannot be read"
patterns=$TOP/schedfix/guest/console-patterns

# From two lines before the hit, where lockdep and BUG: put their headings, to the
# end of the trace; a second bug follows from the first more often than not.
tr -d '\r' <"$1" | awk -v patterns="$patterns" '
BEGIN {
	while ((getline p <patterns) > 0)
		if (p !~ /^(#|$)/)
			any = any (any ? "|" : "") p
	if (!any) {
		print "schedfix: " patterns ": no patterns" >"/dev/stderr"
		exit bad = 1
	}
}
!bad && $0 ~ any	{ bad = 3; if (h2) print h2; if (h1) print h1 }
bad && n++ < 60		{ print }
bad && /end trace|end Kernel panic|Rebooting in/ { exit }
{ h2 = h1; h1 = $0 }
END { exit bad }'
