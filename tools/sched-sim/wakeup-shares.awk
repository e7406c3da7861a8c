# SPDX-License-Identifier: GPL-2.0
# From a trace of sched-sim the ways that wakeups took, as one row of wakeup-tables.sh:
# awk -f wakeup-shares.awk -v name=ROW -v llc=CPUS-OF-AN-LLC -v from=NS TRACE
#
# A line: number, ns, "cpuN" that decides, decision, comm/pid, what.

function place(a, b)
{
	return a == b ? "own" : int(a / llc) == int(b / llc) ? "llc" : "far"
}

function share(key)
{
	return wakeups ? 100 * n[key] / wakeups : 0
}

{
	cpu = substr($3, 4)
	pid = $5
	sub(/.*\//, "", pid)
}

$4 == "switch" {
	running[cpu] = $NF
}

# Asleep, for now or for good, is who was running; balancing takes others.
$4 == "dequeue" {
	on = substr($7, 4) + 0
	runnable[on]--
	if (running[on] == pid)
		asleep[pid] = 1
}

$4 == "wakelist" {
	target = substr($7, 4)
	by[pid] = cpu
	listed[pid] = 1
	busy[pid] = runnable[target] > 0
}

$4 == "enqueue" {
	on = substr($7, 4) + 0
	runnable[on]++
	if (asleep[pid] && $2 >= from) {
		wakeups++
		if (/was delayed/)
			n["delayed " place(cpu, on)]++
		else if (!listed[pid]) {
			n["lock " place(cpu, on)]++
			if (place(cpu, on) != "own" && runnable[on] == 1)
				n["none"]++	# but itself
		} else {
			n["list " place(by[pid], on)]++
			if (busy[pid] && place(by[pid], on) == "far")
				n["busy"]++
		}
	}
	asleep[pid] = listed[pid] = 0
}

END {
	printf "    %-26s %7d %8.2f %6.2f %6.2f %7.2f %6.2f %6.2f %7.2f %6.2f\n", name, wakeups,
		share("delayed own"), share("delayed llc"), share("delayed far"),
		share("list llc"), share("list far"), share("busy"), share("lock llc"), share("none")
}
