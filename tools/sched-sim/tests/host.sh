#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The host half (files, options, output, comparisons) without a kernel and under
# ASan and UBSan: fake-kernel.c stands for the simulated part. Prints TAP.
set -euo pipefail

here=$(dirname "$(readlink -f "$0")")
top=$(readlink -f "$here/../../..")
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$here/tap.sh"
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
cd "$dir"

# Both programs end at once, so what they do not free is no leak.
export ASAN_OPTIONS=detect_leaks=0
cc=(gcc -g -std=gnu11 -Wall -Wextra -Werror -fno-pie -no-pie
    -fsanitize=address -fsanitize=undefined -fno-sanitize-recover=all -I"$here/../include" -I"$here/../host"
    -DTOPOLOGY_DIR="\"$top/schedfix/topologies\"" -DCOST_DIR="\"$here/../costs\"" -DKERNEL_RELEASE='"6.12"')
host=$here/../host
"${cc[@]}" -o sched-sim "$here/fake-kernel.c" "$host"/{main,config,output,runtime}.c -ljansson &
"${cc[@]}" -o sched-sim-compare "$host/compare.c" -ljansson -lgsl -lgslcblas -lm
wait $!

# says NAME STATUS PATTERN COMMAND...: exit status, and a line of the output
says()
{
	local name=$1 status=$2 pattern=$3 rc=0
	shift 3
	"$@" >out 2>&1 || rc=$?
	grep -qE -- "$pattern" out || rc="$rc, no \"$pattern\""
	check "$name" "$rc" "$status" "$(cat out)"
}

for topo in "$top"/schedfix/topologies/*.topo; do
	topo=$(basename "$topo" .topo)
	costs=()
	[ -e "$here/../costs/$topo.cost" ] || costs=(--costs zero)
	says "topology $topo" 0 "^nothing on $topo, [0-9]+ CPUs" ./sched-sim nothing -t "$topo" "${costs[@]}"
done

sed 's/^threads.*/threads = many/' "$top/schedfix/topologies/2l4c.topo" >bad.topo
says "a topology that is no number" 2 'bad.topo:[0-9]+: threads = many: not a number' \
	./sched-sim nothing -t ./bad.topo --costs zero
sed 's/^distance.*/distance = 10 21/' "$top/schedfix/topologies/2l4c.topo" >bad.topo
says "a distance table that is too short" 2 'bad.topo: distance has fewer than 2 x 2' \
	./sched-sim nothing -t ./bad.topo --costs zero
sed 's/^threads.*/threads = 600/' "$top/schedfix/topologies/2l4c.topo" >bad.topo
says "too many CPUs" 2 'bad.topo: 4800 CPUs on 2 nodes; at most 512' ./sched-sim nothing -t ./bad.topo --costs zero
says "no such topology" 2 'nowhere: no such file' ./sched-sim nothing -t nowhere
sed 's/^irq_ns = \([0-9]*\).*/irq_ns = \1/' "$here/../costs/2l4c.cost" >bad.cost
says "a cost without a source" 2 'bad.cost:[0-9]+: irq_ns has no source' ./sched-sim nothing --costs ./bad.cost
sed '/^irq_ns/d' "$here/../costs/2l4c.cost" >bad.cost
says "a cost that is missing" 2 'bad.cost: irq_ns is missing' ./sched-sim nothing --costs ./bad.cost
sed 's/^lock_ns = 0/lock_ns =/' "$here/../costs/2l4c.cost" >bad.cost
says "a list of costs that is too short" 2 'bad.cost:[0-9]+: lock_ns' ./sched-sim nothing --costs ./bad.cost
says "what the kernel half refuses" 2 'no workload refused' ./sched-sim refused
says "what must not be reached" 3 'backtrace' ./sched-sim fatal
says "two workloads" 2 'one workload at a time' ./sched-sim nothing nothing
says "tasks" 0 '^fifteen letters' ./sched-sim nothing -v

./sched-sim nothing a=1 b=x --json --time -s 3 >json
check "JSON and text have the same figures" "$(python3 -c '
import json
r = json.load(open("json"))
print(r["params"], r["seed"], r["metrics"]["ops"], r["metrics"]["wakeup_wait_p50"])')" \
	"{'a': '1', 'b': 'x'} 3 1003000000 $(./sched-sim nothing -s 3 | awk '$1 == "wakeup_wait_p50" { print $2 + 0 }')"

./sched-sim nothing --timeline t.json -d 0.1 --warmup 0 >/dev/null
says "the timeline opens in Perfetto" 0 '^19 events' "$here/timeline.py" t.json
for change in 's/"dur":[0-9.]*/"dur":-1/' 's/"ph":"X"/"ph":"Y"/' 's/"dur":9.5/"dur":19.5/' '/thread_name/d' 's/"ts":[0-9.]*,//' '/^]}/d'; do
	sed "$change" t.json >bad.json
	"$here/timeline.py" bad.json >out 2>&1 && rc=accepted || rc=refused
	check "a timeline with $change is refused" "$rc" refused "$(cat out)"
done

says "compare: paired difference" 0 '^throughput .* \+9\.98% \[\+9\.98, \+9\.98\] 3\+ 0-$' \
	./sched-sim-compare -n 3 -j 2 -a ./sched-sim -b "./sched-sim -f FAST" -m throughput -o samples -- nothing
says "compare: the same decisions" 0 'the same in 2 of 2 seeds' ./sched-sim-compare -n 2 -m ops -a "" -b "" -- nothing
check "compare: a sample for each figure, arm and seed" "$(grep -c '"metric":"throughput"' samples)" 6
says "compare: no such figure" 2 'there is no metric speediness' ./sched-sim-compare -n 1 -a "" -b "" -m speediness -- nothing
says "compare: no such tree" 2 'sim-7.9/sched-sim: no such program' ./sched-sim-compare -a 7.9 -b 7.9 -- nothing
says "compare: an arm that fails" 2 "failed: .*refused" ./sched-sim-compare -n 1 -a "" -b "" -- refused
says "compare: first decision that differs" 0 '^  B 7 enqueue task/1 on cpu1$' \
	./sched-sim-compare -f 1 -a "" -b "-f FAST" -- nothing
check "and the state before it, twice" "$(grep -c '^the state$' out)" 2 "$(cat out)"
says "compare: nothing differs" 0 'all 150 decisions are the same' ./sched-sim-compare -f 1 -a "" -b "" -- nothing
summary
