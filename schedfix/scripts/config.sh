#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Makes OBJDIR/.config from schedfix/configs/NAME.config: config.sh SRCDIR OBJDIR NAME...
# It is allnoconfig with the fragments laid over it; then every symbol that they ask
# for is looked up in the result, since kconfig drops what it cannot have silently.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

configs=${CONFIGS:-$TOP/schedfix/configs}

# The lines of a fragment, "include" followed, each with FILE:LINE before it.
lines_of()
{
	local file=$1 line n=0

	[ -f "$configs/$file" ] || die "schedfix/configs/$file: no such fragment"
	while IFS= read -r line || [ -n "$line" ]; do
		n=$((n + 1))
		case $line in
		include\ *) lines_of "${line#include }" ;;
		CONFIG_*=* | '# CONFIG_'*' is not set') printf '%s:%d\t%s\n' "$file" $n "$line" ;;
		'#'* | '') ;;
		*) die "schedfix/configs/$file:$n: '$line' is neither a symbol nor a comment" ;;
		esac
	done <"$configs/$file"
}

# Compare what was asked for (on stdin, from lines_of; a later line overrides) with
# the .config given. A symbol that .config lacks is not set.
check()
{
	awk -F '\t' -v config="$1" '
	function name(s)	{ sub(/^# /, "", s); sub(/[= ].*/, "", s); return s }
	BEGIN	{ while ((getline line <config) > 0) if (line ~ /CONFIG_/) got[name(line)] = line }
		{ n = name($2); if (!(n in want)) order[++count] = n; want[n] = $2; where[n] = $1 }
	END	{
		for (i = 1; i <= count; i++) {
			n = order[i]
			is = n in got ? got[n] : "# " n " is not set"
			if (is == want[n])
				continue
			printf "schedfix: schedfix/configs/%s: asked for %s, .config has %s; a dependency is missing\n",
				where[n], want[n], is >"/dev/stderr"
			bad = 1
		}
		exit bad
	}'
}

if [ "$1" = --check ]; then	# --check CONFIG NAME: only the second half, for the tests
	lines=$(lines_of "$3.config")
	check "$2" <<<"$lines"
	exit
fi

srcdir=$1 objdir=$2
shift 2
lines=$(for name; do lines_of "$name.config"; done)

# Same fragments, same Kconfig files: leave .config, and with it all objects, alone.
fragment=$objdir/schedfix.config
cut -f 2 <<<"$lines" >"$fragment.tmp"
if [ -f "$objdir/.config" ] && cmp -s "$fragment.tmp" "$fragment"; then
	rm "$fragment.tmp"
	make -s -C "$srcdir" O="$objdir" olddefconfig >"$objdir/config.log" 2>&1 ||
		die "olddefconfig failed: $(head -n 1 "$objdir/config.log"); see $objdir/config.log"
else
	make -s -C "$srcdir" O="$objdir" KCONFIG_ALLCONFIG="$fragment.tmp" allnoconfig >"$objdir/config.log" 2>&1 ||
		die "allnoconfig failed: $(head -n 1 "$objdir/config.log"); see $objdir/config.log"
	mv "$fragment.tmp" "$fragment"
fi
check "$objdir/.config" <<<"$lines" || exit 1
