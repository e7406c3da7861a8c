#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The verbs as a session: test-verbs.sh DIR, DIR being where the programs are.
set -eu
bin=$1/sched-regress
here=$(dirname "$0")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n=0

check() # WHAT EXPECTED GOT
{
	n=$((n + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $n $1"
	else
		printf 'not ok %s %s\n# expected: %s\n# got: %s\n' "$n" "$1" "$2" "$3"
		exit 1
	fi
}

code() # COMMAND...: its exit code; output in $tmp/out, errors in $tmp/err
{
	set +e
	"$@" > "$tmp/out" 2> "$tmp/err"
	echo $?
	set -e
}

run() # DIR KIND VALUE_ON
{
	mkdir -p "$1"
	echo '{"status":"ok","accel":"tcg","kernel":"6.12.0-test"}' > "$1/status.json"
	for block in 1 2 3; do
		for arm in 0 1 1 0; do
			value=$((arm ? $3 : 20 + block))
			echo "{\"workload\":\"w\",\"topo\":\"t\",\"arm\":\"F=$arm\",\"block\":$block,\"metric\":\"m\",\"unit\":\"x\",\"kind\":\"$2\",\"value\":$value}"
		done
	done > "$1/results.jsonl"
}

mkdir "$tmp/claims"
cat > "$tmp/claims/a.claim" << 'CLAIM'
name = a
proves = a < b & "c"
report = r
workload = w
topology = t
engines = vm
off = F=0
on = F=1
metric = m
direction = lower
smallest = 1
blocks_short = 3
CLAIM

"$bin" plan --short "$tmp/claims/a.claim" > "$tmp/plan"
check "plan: a warm-up and three ABBA blocks" 13 "$(wc -l < "$tmp/plan")"
check "plan: interleaved" "F=0 F=1 F=1 F=0" "$(sed -n '2,5p' "$tmp/plan" | awk '{ print $4 }' | paste -sd' ')"
check "plan: an A/A block has one arm" "F=0" "$("$bin" plan --aa --short "$tmp/claims/a.claim" | awk '$3 != "-" { print $4 }' | sort -u)"

run "$tmp/good" count 5
check "report: all pass is 0" 0 "$(code "$bin" report -c "$tmp/claims" -o "$tmp" "$tmp/good")"
check "report: last line" "1 passed, 0 failed, 0 skipped" "$(tail -n 1 "$tmp/out")"
for f in report.txt report.html report.json junit.xml; do
	check "report: writes $f" yes "$(test -s "$tmp/$f" && echo yes)"
done
check "report: no unfinished file" "" "$(find "$tmp" -mindepth 1 -maxdepth 1 -name "*tmp*")"
python3 - "$tmp" << 'PYTHON'
import json, sys, xml.dom.minidom
json.load(open(sys.argv[1] + "/report.json"))
xml.dom.minidom.parse(sys.argv[1] + "/junit.xml")
PYTHON
check "report: JSON and XML are well-formed" 0 $?

run "$tmp/bad" count 40
check "report: a fail is 1" 1 "$(code "$bin" report -c "$tmp/claims" "$tmp/bad")"
check "report: last line" "0 passed, 1 failed, 0 skipped" "$(tail -n 1 "$tmp/out")"
run "$tmp/time" time 40
check "report: a time under TCG does not gate" 0 "$(code "$bin" report -c "$tmp/claims" "$tmp/time")"
check "report: and is counted as skipped" "0 passed, 0 failed, 1 skipped" "$(tail -n 1 "$tmp/out")"
run "$tmp/near" count 20
check "report: undecided is 2" 2 "$(code "$bin" report -c "$tmp/claims" "$tmp/near")"
check "report: and is shown" 1 "$(grep -c '^1 inconclusive' "$tmp/out")"

grep 'F=0' "$tmp/good/results.jsonl" > "$tmp/one" && mv "$tmp/one" "$tmp/good/results.jsonl"
check "report: a missing arm is 2" 2 "$(code "$bin" report -c "$tmp/claims" "$tmp/good")"
printf '{"workload":"w","to' >> "$tmp/good/results.jsonl"
check "report: a cut line is 2" 2 "$(code "$bin" report -c "$tmp/claims" "$tmp/good")"
check "report: with one line that says so" 1 "$(wc -l < "$tmp/err")"
run "$tmp/good" count 5
echo '{"status":"panic","accel":"tcg"}' > "$tmp/good/status.json"
check "report: a panic is never green" 2 "$(code "$bin" report -c "$tmp/claims" "$tmp/good")"
check "report: no runs" 2 "$(code "$bin" report -c "$tmp/claims" "$tmp/nowhere")"
check "report: no claims" 2 "$(code "$bin" report -c "$tmp/bad" "$tmp/near")"

run "$tmp/other" count 40
check "compare: one boot a side decides nothing" 2 "$(code "$bin" compare -w w -m m "$tmp/near" --against "$tmp/other")"
check "compare: two boots a side" 0 "$(code "$bin" compare -w w -m m "$tmp/near" "$tmp/near" --against "$tmp/other" "$tmp/other")"

sed -i 's/"workload":"w"/"workload":"stress-ng-pipe"/; s/"metric":"m"/"metric":"ops_rate"/' "$tmp/near/results.jsonl"
check "table" 0 "$(code "$bin" table -w "$here/../workloads" -j "$tmp/table.json" "$tmp/near")"
check "table: a row an arm" 2 "$(grep -c '^    F=' "$tmp/out")"
# Triage: what was not measured is said to be, and never a zero.
mkdir "$tmp/triage"
echo '{"status":"ok","accel":"tcg","kernel":"6.12.0-test"}' > "$tmp/triage/status.json"
sample() # WORKLOAD METRIC VALUE
{
	echo "{\"workload\":\"$1\",\"topo\":\"t\",\"arm\":\"hlt\",\"block\":1,\"metric\":\"$2\",\"value\":$3}"
}
{
	sample fio-thin wakeups 10000
	sample fio-thin requeued 0
	sample fio-thin requeued_movable 200
	sample fio-thin lag_pairs 59
	sample fio-thin lag_grew 0
} > "$tmp/triage/results.jsonl"
check "triage" 0 "$(code "$bin" triage -j "$tmp/triage.json" "$tmp/triage")"
answer() # SECTION
{
	python3 -c "import json; print(json.load(open('$tmp/triage.json'))['$1']['answer'])"
}
check "triage: none of ten thousand is gone" gone "$(answer delayed_requeue)"
check "triage: none of 59 decides nothing" "not decided" "$(answer lag_while_delayed)"
check "triage: what was not counted is not measured" "not measured" "$(answer wakelist)"
check "triage: nor is what has no workload" "not measured" "$(answer irq_cross_llc)"
check "triage: no nan" 0 "$(grep -c nan "$tmp/out")"

for c in "$here"/../claims/*.claim; do
	check "claim ${c##*/} can be planned" 0 "$(code "$bin" plan "$c")"
done
echo "1..$n"
