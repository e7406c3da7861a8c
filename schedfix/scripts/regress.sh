#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make regress: every claim in tools/testing/sched-regress/claims, judged on this
# machine. Reports in build/report; the last line counts verdicts.
#
#   regress.sh [--short] [--only CLAIM]
# Exit code: 0 all pass, 1 a claim fails, 2 a required one could not be decided; with
# --short, which has few blocks, only if it could not run.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/regress-lib.sh"

brief=() only=()
while [ $# -gt 0 ]; do
	case $1 in
	--short) brief=(--short); shift ;;
	--only) only=(--only "${2?}"); shift 2 ;;
	*) die "regress.sh: usage: regress.sh [--short] [--only CLAIM]" ;;
	esac
done

regress_prepare src
plan() { "$TOOLS/sched-regress" plan "$@"; }

runs=()
for claim in "$REGRESS"/claims/*.claim; do
	name=$(plan --get name "$claim")
	[ ${#only[@]} -eq 0 ] || [ "${only[1]}" = "$name" ] || continue
	if [[ " $(plan --get engines "$claim") " != *" vm "* ]]; then
		say "$name: not for the vm engine"
		continue
	fi
	# The short run is for CI: no Debian guest, no A/A blocks, the claim's own workload only.
	schedule=$TOOLS/regress-$name guest=debian
	if [ ${#brief[@]} -gt 0 ]; then
		guest=$(plan --get guest "$claim")
		if [ "$guest" = debian ]; then
			say "$name: not in the short run"
			continue
		fi
		plan "${brief[@]}" "$claim" | awk 'NR == 1 { w = $1 } $1 == w' >"$schedule"
	else
		plan --aa "$claim" >"$schedule"
	fi
	# A run that ends badly is judged all the same: what it left counts.
	LAG=1 GUEST=$guest regress_run src "$(plan --get topology "$claim")" "regress-$name" "$schedule" >&2 ||
		say "$name: the guest ended with $?; see $BUILD/results/regress-$name"
	runs+=("$BUILD/results/regress-$name")
done
[ ${#runs[@]} -gt 0 ] || die "no claim to judge"

# An older report must not be taken for that of this run, should there be nothing to judge.
rm -f "$REPORT"/{report.txt,report.html,report.json,junit.xml}
"$TOOLS/sched-regress" report "${brief[@]}" --claims "$REGRESS/claims" "${only[@]}" --out "$REPORT" "${runs[@]}" >"$TOOLS/summary" &&
	code=0 || code=$?
[ ! -f "$REPORT/report.txt" ] || cat "$REPORT/report.txt" >&2
# Controls that the short run leaves out are not skips of it.
[ ${#brief[@]} -eq 0 ] || sed -i -E 's/, [0-9]+ skipped$/, 0 skipped/' "$TOOLS/summary"
cat "$TOOLS/summary"
exit "$code"
