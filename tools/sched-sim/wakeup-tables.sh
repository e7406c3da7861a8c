#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The tables of sched-delay-migrate.rst and sched-ttwu-cond.rst: what the bits change,
# from off to on: wakeup-tables.sh PATCHED-DIR [delay-migrate|ttwu-cond|combinations|shares]...
#
# Means over seeds with the 95 % interval of the paired difference, and in how many
# seeds it is up and down. SEEDS= (default 8), JOBS= runs at a time (default: CPUs).
set -euo pipefail

here=$(dirname "$(readlink -f "$0")") dir=$(readlink -f "$1") SEEDS=${SEEDS:-8}
shift
sim=$dir/sched-sim
# shellcheck source-path=SCRIPTDIR source=compared.sh
. "$here/compared.sh"

# difference METRIC: that line's, of those on standard input
difference()
{
	awk -v m="$1" '$1 == m {
		sub(/^ +/, "")
		if ($2 == $4 && $6 + 0 == 0) { print "none"; exit }
		printf "%+.1f %% [%+.1f, %+.1f] %d %d\n", $6, substr($7, 2), $8, $9, $10; exit }'
}

means() # METRIC: A -> B
{
	awk -v m="$1" '$1 == m { printf "%.0f -> %.0f", $2, $4; exit }'
}

# migrate NAME BIT ARGUMENTS...
migrate()
{
	local name=$1 bit=$2 lines scale
	shift 2
	lines=$(compared throughput,migrations "$sim" "$sim -f $bit" "$@")
	printf '    %-34s %-30s' "$name" "$(difference throughput <<<"$lines")"
	for scale in 0.5 2; do
		printf ' %-28s' "$(compared throughput "$sim" "$sim -f $bit" "$@" --cost-scale=$scale | difference throughput)"
	done
	printf ' %s\n' "$(means migrations <<<"$lines")"
}

delay_migrate()
{
	local fio=(fio -t epyc-7313p cpus=1-8 -d 0.5 --warmup 1) pairs

	printf '    %-34s %-30s %-28s %-28s %s\n' throughput "costs x1" x0.5 x2 migrations
	migrate "fio, 16 us to submit, depth 32" DELAY_MIGRATE "${fio[@]}" submit_ns=16000 depth=32
	migrate "  NO_DELAY_DEQUEUE instead" NO_DELAY_DEQUEUE "${fio[@]}" submit_ns=16000 depth=32
	migrate "fio, 8 us to submit, depth 32" DELAY_MIGRATE "${fio[@]}" submit_ns=8000 depth=32
	for pairs in 3 4; do
		migrate "pipe, $pairs pairs on 4 CPUs" DELAY_MIGRATE pipe -t 1l4c pairs=$pairs -d 0.3
		migrate "  NO_DELAY_DEQUEUE instead" NO_DELAY_DEQUEUE pipe -t 1l4c pairs=$pairs -d 0.3
	done
	migrate "fio, depth 4" DELAY_MIGRATE "${fio[@]}" depth=4
	migrate "hackbench, pipes" DELAY_MIGRATE hackbench -t 2l4c -d 0.3
	migrate "hackbench, sockets" DELAY_MIGRATE hackbench -t 2l4c socket=1 -d 0.3
	migrate "schbench, 32 tasks on 32 CPUs" DELAY_MIGRATE schbench -t epyc-7313p messengers=2 workers=15 -d 0.5
	migrate "schbench, 66 tasks on 32 CPUs" DELAY_MIGRATE schbench -t epyc-7313p messengers=2 workers=32 -d 0.5
	migrate "udp_rr, 4 pairs" DELAY_MIGRATE udp_rr -t 2l4c pairs=4 -d 0.2
	for pairs in 1 2 4 8; do
		migrate "tcp_rr, $pairs pairs" DELAY_MIGRATE tcp_rr -t 2l4c pairs=$pairs -d 0.2
		migrate "  and a hog" DELAY_MIGRATE tcp_rr -t 2l4c pairs=$pairs hogs=1 -d 0.2
	done
}

# cond NAME ARGUMENTS...
cond()
{
	local name=$1 lines
	shift
	lines=$(compared wakeups,ipi_call,remote_locks,wakeup_wait_mean,wakeup_wait_p99,throughput \
		"$sim" "$sim -f TTWU_COND" "$@")
	printf '    %-26s %-14s %-14s %-28s %-28s %s\n' "$name" "$(per_wakeup ipi_call <<<"$lines")" \
		"$(per_wakeup remote_locks <<<"$lines")" "$(difference wakeup_wait_mean <<<"$lines")" \
		"$(difference wakeup_wait_p99 <<<"$lines")" "$(difference throughput <<<"$lines")"
}

per_wakeup() # METRIC: A -> B
{
	awk -v m="$1" '{ a[$1] = $2; b[$1] = $4 }
		END { printf "%.2f -> %.2f", a[m] / a["wakeups"], b[m] / b["wakeups"] }'
}

ttwu_cond()
{
	local idle

	printf '    %-26s %-14s %-14s %-28s %-28s %s\n' "" "IPIs/wakeup" "locks/wakeup" \
		"mean wait of a wakee" "its p99" throughput
	cond "hackbench, pipes" hackbench -t 2l4c --halt -d 0.3
	cond "hackbench, sockets" hackbench -t 2l4c --halt socket=1 -d 0.3
	cond "schbench 2 x 8" schbench -t 2l4c --halt messengers=2 workers=8 -d 1
	cond "  CPUs poll" schbench -t 2l4c --poll messengers=2 workers=8 -d 1
	cond "schbench 4 x 8" schbench -t 2l4c --halt messengers=4 workers=8 -d 1
	cond "schbench 32, 32 CPUs" schbench -t epyc-7313p --halt messengers=2 workers=15 -d 1
	cond "pipe, 4 pairs" pipe -t 2l4c --halt pairs=4 -d 0.3
	for idle in halt poll; do
		cond "udp_stream 0 to 1, $idle" udp_stream -t i7-2600 --$idle client_cpus=0 server_cpus=1 -d 0.1
		cond "  packets of 16 kB" udp_stream -t i7-2600 --$idle client_cpus=0 server_cpus=1 -d 0.1 \
			send_ns=6000 recv_ns=5000 buffer=12
		cond "udp_stream 4 pairs, $idle" udp_stream -t 2l4c --$idle pairs=4 -d 0.2
	done
	cond "udp_stream 0 to 4, halt" udp_stream -t 2l4c --halt client_cpus=0 server_cpus=4 -d 0.2
	cond "udp_rr 4 pairs" udp_rr -t 2l4c --halt pairs=4 -d 0.2
	cond "tcp_rr 8 pairs" tcp_rr -t 2l4c --halt pairs=8 -d 0.2
}

# Two rows, DELAY_MIGRATE off and on, of means.
combination() # LAG IRQ TTWU, each NO_ or empty
{
	local bits=$1DELAY_LAG,$2WA_IRQ,$3TTWU_COND means column on
	local a="$sim -f $bits,NO_DELAY_MIGRATE" b="$sim -f $bits,DELAY_MIGRATE"

	means=$(
		compared throughput,ipi_call "$a" "$b" hackbench -t 2l4c --halt -d 0.3
		compared throughput,ipi_call "$a" "$b" schbench -t 2l4c --halt messengers=2 workers=8 -d 0.5
		compared throughput "$a" "$b" fio -t epyc-7313p cpus=1-8 -d 0.5 --warmup 1 submit_ns=16000 depth=32
		compared throughput "$a" "$b" dmatest -t xeon-6132 -d 0.5 --warmup 0.2
	)
	for column in 2 4; do
		printf '   '
		for on in "${1:-on}" "${2:-on}" "${3:-on}" "$([ $column = 4 ] && echo on)"; do
			printf ' %3s' "$([ "$on" = on ] && echo on || echo -)"
		done
		awk -v c=$column '/^(throughput|ipi_call) / { printf "%10.0f", $c } END { print "" }' <<<"$means"
	done
}

combinations()
{
	local lag irq cond

	printf '    LAG IRQ TTWU MIGRATE   hackbench msg/s, IPIs   schbench 2 x 8 req/s, IPIs   fio, 16 us, req/s   dmatest transfers/s\n'
	for lag in NO_ ''; do for irq in NO_ ''; do for cond in NO_ ''; do
		combination "$lag" "$irq" "$cond"
	done; done; done
}

# share NAME ARGUMENTS...: the ways that wakeups take with all bits off, one seed. A run
# begins at 1 ms.
share()
{
	local name=$1
	shift
	"$sim" "$@" -t 2l4c --no-check --warmup 0.1 -d 0.1 --trace=/dev/fd/3 3>&1 >/dev/null |
		awk -f "$here/wakeup-shares.awk" -v name="$name" -v llc=4 -v from=101000000
}

shares()
{
	printf '    %-26s %7s  delayed, woken by       wakelist              lock\n' "" wakeups
	printf '    %-34s %8s %6s %6s %7s %6s %6s %7s %6s\n' "" "own CPU" LLC far LLC far busy LLC none
	share "udp_stream pinned 0, 1" udp_stream client_cpus=0 server_cpus=1
	share "udp_stream pairs=4" udp_stream pairs=4
	share "udp_rr pairs=4" udp_rr pairs=4
	share "tcp_rr pairs=8" tcp_rr pairs=8
	share "hackbench groups=1" hackbench
	share "hackbench groups=1 socket=1" hackbench socket=1
	share "fio" fio
	share "fio depth=4" fio depth=4
	share "schbench workers=4" schbench
	share "schbench 2 x 8" schbench workers=8
	share "pipe pairs=8" pipe pairs=8
	share "nanosleep tasks=16" nanosleep tasks=16
}

[ $# -gt 0 ] || set -- delay-migrate ttwu-cond combinations shares
for table; do
	case $table in
	delay-migrate) delay_migrate ;;
	ttwu-cond) ttwu_cond ;;
	combinations) combinations ;;
	shares) shares ;;
	*) echo "wakeup-tables.sh: $table: no such table" >&2; exit 2 ;;
	esac
done
