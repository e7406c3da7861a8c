#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# With the bits of the series off, the patched kernel decides as the base does:
# equality.sh BASE-DIR PATCHED-DIR [TOPOLOGY...]
#
# The bits are those that the patched kernel has and the base has not. Each
# workload runs on each small topology with both; the hashes of all decisions
# must be equal. Last, each bit must change the hash of a workload when it is on,
# or equality with it off proves nothing.
set -euo pipefail

base=$1/sched-sim patched=$2/sched-sim
shift 2
[ $# -gt 0 ] || set -- 1l4c 2l4c i7-2600
here=$(dirname "$(readlink -f "$0")")
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$here/tap.sh"

bits_of() { "$1" --list | sed '1,/^feature bits/d; s/^ *//; s/^NO_//' | sort; }
workloads=$("$base" --list | sed '/^feature bits/,$d' | awk '/^  [a-z]/ { print $1 }')

ours=$(comm -13 <(bits_of "$base") <(bits_of "$patched"))
off=$(for bit in $ours; do echo "NO_$bit"; done | paste -sd,)
echo "# bits of ours: ${ours//$'\n'/ }"

# Of a run that fails, its command: which is no other run's.
hash_of()
{
	local hash

	hash=$("$@" -d 0.2 --warmup 0.1 --no-check | awk '$1 == "hash" { print $2 }') || true
	echo "${hash:-failed: $*}"
}

for topo; do
	for w in $workloads; do
		check "$w on $topo" "$(hash_of "$patched" "$w" -t "$topo" -f "$off")" \
			"$(hash_of "$base" "$w" -t "$topo")"
	done
done
# Heavier than the defaults, and halting idle CPUs.
for args in "hackbench groups=4 -t 2l4c" "schbench workers=12 -t 2l4c --halt" \
	    "nanosleep tasks=40 work_us=300 -t 2l4c" "fork parents=20 -t i7-2600"; do
	read -ra args <<<"$args"
	check "${args[*]}" "$(hash_of "$patched" "${args[@]}" -f "$off")" \
		"$(hash_of "$base" "${args[@]}")"
done
# Bits for wakeups between tasks show in the first, those for interrupts in the second.
declare -A changed
for args in "hackbench groups=4 -t 2l4c" "dmatest -t 2l4c"; do
	read -ra args <<<"$args"
	without=$(hash_of "$base" "${args[@]}")
	for bit in $ours; do
		with=$(hash_of "$patched" "${args[@]}" -f "$off,$bit")
		[[ $with == "$without" || $with == failed:* ]] || changed[$bit]=yes
	done
done
for bit in $ours; do
	check "$bit changes a decision" "${changed[$bit]:-}" yes
done
summary
