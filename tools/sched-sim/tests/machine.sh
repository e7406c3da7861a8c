#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What the simulated machine does beside deciding: timers that other CPUs expire, the
# timeline, sizes up to 512 CPUs: machine.sh DIR
set -euo pipefail

sim=$1/sched-sim
here=$(dirname "$(readlink -f "$0")")
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$here/tap.sh"
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT

# figure NAME FIELD COMMAND...: a field of a line of the output
figure() { "${@:3}" | awk -v name="$1" -v field="$2" '$1 == name { print $field }'; }

# Sleeps of 8 ms on the timer wheel, while most CPUs are idle: a migrator has to
# expire the timers of CPUs that sleep, within a tick or two.
sleep=("$sim" nanosleep tasks=40 wheel=1 sleep_us=8000 -t xeon-6132)
max=$(figure latency_max 2 "${sleep[@]}")
check "a timer of a sleeping CPU is not late ($max us)" "$((${max%.*} < 20000))" 1
self=$(figure placed_from_waker 3 "${sleep[@]}") all=$(figure wakeups 2 "${sleep[@]}")
check "and expired by another CPU ($((all - self)) of $all)" "$((self < all / 2))" 1

for w in "hackbench groups=2" "hogs tasks=1" "dmatest"; do
	read -ra w <<<"$w"
	"$sim" "${w[@]}" -d 0.03 --warmup 0.02 --timeline "$dir/t.json" >/dev/null
	out=$("$here/timeline.py" "$dir/t.json" 2>&1) && rc=0 || rc=$?
	check "timeline of ${w[*]}: $out" "$rc" 0
done

# topo SOCKETS: 64 CPUs each
topo()
{
	printf '%s\n' "sockets = $1" "nodes = $1" "llcs_per_socket = 4" "cores_per_llc = 8" \
		"threads = 2" >"$dir/$1.topo"
	echo "$dir/$1.topo"
}
memory() { figure memory 2 "$sim" "$@" --time -d 0.001 --warmup 0.001; }

out=$("$sim" hackbench groups=12 -t "$(topo 8)" --costs zero -d 0.01 --warmup 0.01 2>&1) && rc=0 || rc=$?
check "512 CPUs run to the end" "$rc" 0 "$out"
# That the creator's CPU looks for tasks between two of them costs it nothing, or it would owe ms.
out=$(figure violations 2 "$sim" hackbench groups=32 -t "$(topo 8)" --costs icelake-2x32 -d 0.01 --warmup 0.01)
check "and begin without a violation" "$out" 0
# Twice as much more is linear: within a tenth.
linear() { awk -v a="$1" -v b="$2" -v c="$3" 'BEGIN { r = (c - b) / (b - a); print (r > 1.8 && r < 2.2) }'; }
m=("$(memory nanosleep -t "$(topo 2)" --costs zero)" "$(memory nanosleep -t "$(topo 4)" --costs zero)"
   "$(memory nanosleep -t "$(topo 8)" --costs zero)")
check "memory is linear in CPUs (128, 256, 512: ${m[*]} MB)" "$(linear "${m[@]}")" 1
m=("$(memory hogs tasks=1000)" "$(memory hogs tasks=2000)" "$(memory hogs tasks=4000)")
check "and in tasks (1000, 2000, 4000: ${m[*]} MB)" "$(linear "${m[@]}")" 1

# Of one trace: wakeups, wakelist and remote locks, as wakeup-shares.awk and as the counters have it.
out=$("$sim" hackbench --no-check --warmup 0.02 -d 0.02 --trace="$dir/trace")
count=$(awk '/^(wakeups|wakelist|remote_locks) / { print $2 }' <<<"$out" | xargs)
shares=$(awk -f "$here/../wakeup-shares.awk" -v name=x -v llc=4 -v from=21000000 "$dir/trace" |
	awk '{ printf "%d %.0f %.0f", $2, $2 * ($6 + $7) / 100, $2 * ($4 + $5 + $9) / 100 }')
# Shares have two decimals, and a wakeup may end behind the measurement.
near() { awk -v a="$1" -v b="$2" 'BEGIN { split(a, x); n = split(b, y)
	for (i = 1; i <= n; i++) if (x[i] < y[i] - 5 || x[i] > y[i] + 5) n = 0
	print n == 3 }'; }
check "ways of wakeups in a trace ($shares) as counted ($count)" "$(near "$shares" "$count")" 1

# What balancing looks at has a price: nothing else costs anything here.
priced()
{
	sed -E "s/= .* ;/= 0 ;/; s/^((ipi|lock|refill)_ns) = 0 ;/\\1 = 0 0 0 0 0 ;/
		s/^balance_ns = 0 ;/balance_ns = 0 $1 $1 $1 $1 ;/" \
		"$here/../costs/2l4c.cost" >"$dir/$1.cost"
	echo "$dir/$1.cost"
}
sleepers=(nanosleep tasks=24 work_us=100 sleep_us=300)
free=$(figure latency_mean 2 "$sim" "${sleepers[@]}" --costs "$(priced 0)")
paid=$(figure latency_mean 2 "$sim" "${sleepers[@]}" --costs "$(priced 5000)")
check "a newly idle CPU pays with its next work (sleeps of $free us, $paid)" \
	"$(awk -v a="$free" -v b="$paid" 'BEGIN { print (b > a + 1) }')" 1
free=$(figure throughput 2 "$sim" hogs tasks=17 --costs "$(priced 0)")
paid=$(figure throughput 2 "$sim" hogs tasks=17 --costs "$(priced 500000)" --no-check)
check "and so does the balancing softirq (hogs: $free/s, $paid)" \
	"$(awk -v a="$free" -v b="$paid" 'BEGIN { print (b < 0.97 * a) }')" 1
free=$(figure latency_mean 2 "$sim" nanosleep tasks=40 wheel=1 -t xeon-6132 --costs "$(priced 0)")
paid=$(figure latency_mean 2 "$sim" nanosleep tasks=40 wheel=1 -t xeon-6132 --costs "$(priced 20000)")
check "but no wakeup for its look around ($free us)" "$paid" "$free"
moves() # DISTANCES: migrations per switch with these prices
{
	sed -E "s/^balance_ns = .* ;/balance_ns = $1 ;/" "$here/../costs/icelake-2x32.cost" >"$dir/moves.cost"
	"$sim" hackbench groups=8 -t icelake-2x32 -d 0.05 --warmup 0.05 --costs "$dir/moves.cost" --no-check |
		awk '{ v[$1] = $2 } END { print v["migrations"] / v["switches"] }'
}
free=$(moves "0 0 0 0 0") paid=$(moves "0 500 1200 2000 3000")
check "which holds a newly idle CPU back ($free migrations per switch, $paid)" \
	"$(awk -v a="$free" -v b="$paid" 'BEGIN { print (b < 0.9 * a) }')" 1
summary
