#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The hash of all decisions is the same in 20 runs: with and without address
# space randomisation, under load, with other environments: determinism.sh DIR
set -euo pipefail

dir=$1
here=$(dirname "$(readlink -f "$0")")
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$here/tap.sh"

args=(hackbench groups=2 -d 0.1 --warmup 0.1)
hash_of() { "$@" "$dir/sched-sim" "${args[@]}" | awk '$1 == "hash" { print $2 }'; }

first=$(hash_of env)
bad=0
for i in 1 2 3 4 5; do
	[ "$(hash_of env)" = "$first" ] || bad=$((bad + 1))
	[ "$(hash_of setarch -R)" = "$first" ] || bad=$((bad + 1))
	[ "$(hash_of env -i)" = "$first" ] || bad=$((bad + 1))
	[ "$(hash_of env "PADDING=$(head -c $((i * 1000)) /dev/zero | tr '\0' x)" TZ=Asia/Tokyo)" = "$first" ] ||
		bad=$((bad + 1))
done
check "20 runs with other environments and address space layouts have one hash" "$bad" 0

# Under load: all at once, and something else besides.
(timeout 60 sh -c 'while :; do :; done') &
load=$!
for i in 1 2 3 4; do
	hash_of env
done >"$dir/hash.seq"
for i in 1 2 3 4; do
	hash_of env >"$dir/hash.$i" &
	pids[i]=$!
done
wait "${pids[@]}"
kill $load 2>/dev/null || true
check "8 runs under load have the same hash" \
	"$(sort -u "$dir"/hash.{seq,1,2,3,4})" "$first"
rm -f "$dir"/hash.{seq,1,2,3,4}

args+=(--seed 2)
[ "$(hash_of env)" != "$first" ] && rc=different || rc=same
check "another seed gives another hash" "$rc" different
summary
