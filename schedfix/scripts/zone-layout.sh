#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What shares a cache line with zone->lock, from compiled objects: zone-layout.sh [PATTERN]
#
# One small object for each configuration and each order of struct zone: the base's
# (before), the series' (after) and those of CONFIG_ZONE_ORDER_*. PATTERN is a regular
# expression for configurations, by the names that the table has. Each line ends
# with the bytes that the struct grew against the base.
#
#     zone-layout.sh --assert HEADER     do the assertions of this mmzone.h hold?

set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/kbuild.sh"

srcdir=$BUILD/$BASE/src
basedir=$BUILD/$BASE/base
objdir=$BUILD/$BASE/out-zone-layout
work=$objdir/zone-layout
orders=(before after upstream 2014)

# The options of a configuration by the words of its name.
declare -A options=(
	[4]=''
	[5]='CONFIG_MEMORY_HOTPLUG=y'
	[6]='CONFIG_CMA=y'
	[6h]='CONFIG_CMA=y CONFIG_MEMORY_HOTPLUG=y'
	[unaccepted]='CONFIG_ACPI=y CONFIG_EFI=y CONFIG_EFI_STUB=y CONFIG_CPU_SUP_INTEL=y CONFIG_X86_X2APIC=y
		CONFIG_HYPERVISOR_GUEST=y CONFIG_PARAVIRT=y CONFIG_INTEL_TDX_GUEST=y CONFIG_UNACCEPTED_MEMORY=y'
	[64]='CONFIG_GENERIC_CPU=y'
	[128]='CONFIG_MPSC=y'
)
common=(CONFIG_EXPERT=y CONFIG_64BIT=y CONFIG_SMP=y CONFIG_NUMA=y CONFIG_MODULES=y CONFIG_ZONE_DMA=y
	CONFIG_COMPACTION=y CONFIG_SPARSEMEM_VMEMMAP=y CONFIG_UNWINDER_FRAME_POINTER=y)

# Leave objdir prepared for a configuration, which takes much longer than the objects.
configure() # NAME
{
	local word

	mkdir -p "$work"
	[ "$(cat "$work/prepared" 2>/dev/null)" != "$1" ] || return 0
	rm -f "$work/prepared"
	printf '%s\n' '# made by zone-layout.sh' "${common[@]}" >"$work/layout.config"
	for word in $1; do
		# shellcheck disable=SC2086 # a line for each
		[ -z "${options[$word]}" ] || printf '%s\n' ${options[$word]} >>"$work/layout.config"
	done
	CONFIGS=$work "$TOP/schedfix/scripts/config.sh" "$srcdir" "$objdir" layout
	kbuild prepare
	echo "$1" >"$work/prepared"
}

# Compile zone.c once for each order: compile ORDER...
compile()
{
	cp "$TOP/tools/testing/sched-regress/offsets/zone.c" "$work/zone.c"
	{
		echo '# made by zone-layout.sh'
		echo "CFLAGS_before.o := -include $basedir/include/linux/mmzone.h"
		echo "CFLAGS_upstream.o := -include $work/upstream.h"
		echo "CFLAGS_2014.o := -include $work/2014.h"
		echo "CFLAGS_given.o := -include ${header:-}"
	} >"$work/Kbuild"
	# Not by -D and -U, which count before autoconf.h does.
	for order; do
		ln -sf zone.c "$work/$order.c"
		printf '#undef CONFIG_ZONE_ORDER_APART\n#define CONFIG_ZONE_ORDER_%s 1\n' "${order^^}" >"$work/$order.h"
	done
	kbuild M="$work" "${@/%/.s}"
}

# Who is on the lines of the lock, of what an order's assembler file says.
describe() # NAME ORDER
{
	sed -n 's/^\.ascii "->\([a-z0-9_]*\) \$\{0,1\}\(-\{0,1\}[0-9]*\) .*/\1 \2/p' "$work/$2.s" |
		awk -v name="$1" -v order="$2" -v before="$3" '
		{ at[$1] = $2 }
		# Has a line of first..last a byte of the lock?
		function shares(first, last) {
			return int(last / at["line"]) >= int(at["lock"] / at["line"]) &&
			       int(first / at["line"]) <= int((at["lock_end"] - 1) / at["line"])
		}
		END {
			if (!("lock" in at)) exit 1
			who = shares(at["order0"], at["order0_end"] - 1) ? " order-0" : ""
			if (shares(at["order0_end"], at["areas_end"] - 1)) who = who " tail"
			if ("unaccepted" in at && shares(at["unaccepted"], at["unaccepted"] + 15)) who = who " unaccepted"
			if (shares(at["flags"], at["flags"] + 7)) who = who " flags"
			if ("trylock" in at && shares(at["trylock"], at["trylock"] + 7)) who = who " trylock"
			if (shares(at["next"], at["size"])) who = who " next"
			printf "%-18s %-9s %5d %5d %5d %+5d  %s\n", name, order, at["flags"], at["lock"], at["size"],
				before == "" ? 0 : at["size"] - before, who == "" ? " -" : who
		}' || die "$work/$2.s: no layout in it; see $objdir/build.log"
}
size_of() { sed -n 's/^\.ascii "->size \$\{0,1\}\([0-9]*\) .*/\1/p' "$work/$1.s"; }

[ -f "$srcdir/Makefile" ] || "$TOP/schedfix/scripts/tree.sh"
need_packages build
if [ "${1:-}" = --assert ]; then
	header=$(realpath "${2:?}")
	configure "6 unaccepted 64"
	compile given
	exit
fi

echo "# types [h: hotplug], options, bytes a line; order; at: flags, lock; size, growth; on the line of the lock"
for types in 4 5 6 6h; do
	for more in '' unaccepted; do
		for line in 64 128; do
			name="$types${more:+ $more} $line"
			[[ $name =~ ${1:-.} ]] || continue
			configure "$name"
			compile "${orders[@]}"
			for order in "${orders[@]}"; do
				describe "$name" "$order" "$(size_of before)"
			done
		done
	done
done
