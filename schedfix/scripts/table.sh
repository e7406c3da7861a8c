#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make table: fio randwrite on a thin pool and on ext4, and stress-ng --pipe 4, with
# DELAY_DEQUEUE on and off times DELAY_LAG on and off, interleaved on one boot. Writes
# build/report/table.txt and table.json.
#
#   table.sh [--blocks N]
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/regress-lib.sh"

blocks=3
case ${1:-} in
'') ;;
--blocks) blocks=${2?} ;;
*) die "table.sh: usage: table.sh [--blocks N]" ;;
esac

arms=("DELAY_DEQUEUE=1,DELAY_LAG=0" "DELAY_DEQUEUE=1,DELAY_LAG=1"
	"DELAY_DEQUEUE=0,DELAY_LAG=0" "DELAY_DEQUEUE=0,DELAY_LAG=1")

# Each block goes through the arms and back: a drift of the host cancels.
schedule()
{
	local w b i
	local loads=(fio-thin fio-ext4 stress-ng-pipe)

	for w in "${loads[@]}"; do
		echo "$w 0 - ${arms[0]}"
	done
	for ((b = 1; b <= blocks; b++)); do
		for w in "${loads[@]}"; do
			for i in 0 1 2 3 3 2 1 0; do
				echo "$w $b - ${arms[i]}"
			done
		done
	done
}

regress_prepare src
schedule >"$TOOLS/table"
LAG=1 regress_run src 2l4c table "$TOOLS/table" >&2
"$TOOLS/sched-regress" table --workloads "$REGRESS/workloads" --json "$REPORT/table.json" \
	"$BUILD/results/table" >"$REPORT/table.txt.tmp"
mv "$REPORT/table.txt.tmp" "$REPORT/table.txt"
cat "$REPORT/table.txt"
say "written: $REPORT/table.txt and table.json"
