# SPDX-License-Identifier: GPL-2.0
# Prints the topology that the running kernel's scheduler uses, as JSON on one line.
# The LLC is the widest domain with SD_SHARE_LLC, as update_top_cache_domain() takes
# it; a CPU without one is an LLC of its own. Needs sched_verbose for sched/domains.

function read1(file,   line)
{
	if ((getline line <file) <= 0)
		line = ""
	close(file)
	return line
}

function count(set,   k, n)
{
	n = 0
	for (k in set)
		n++
	return n
}

BEGIN {
	dom = "/sys/kernel/debug/sched/domains/"
	while ((getline line <"/proc/schedstat") > 0) {
		split(line, f, " ")
		if (f[1] ~ /^cpu[0-9]/) {
			cpu = f[1]
			cpus++
			llc[cpu] = cpu
			topo = "/sys/devices/system/cpu/" cpu "/topology/"
			core[read1(topo "core_cpus_list")] = 1
		} else if (f[1] ~ /^domain/) {
			if (read1(dom cpu "/" f[1] "/flags") ~ /SD_SHARE_LLC/)
				llc[cpu] = f[2]
			name = read1(dom cpu "/" f[1] "/name")
			if (cpu == "cpu0")
				domains = domains (domains ? " " : "") name
		}
	}
	for (cpu in llc)
		llcs[llc[cpu]] = 1
	nodes = read1("/sys/devices/system/node/online")
	sub(/.*[-,]/, "", nodes)
	nodes = nodes + 1
	l = count(llcs)
	c = count(core)
	printf "{\"cpus\":%d,\"llcs\":%d,\"cores_per_llc\":%d,\"threads\":%d,\"nodes\":%d,", cpus, l, c / l, cpus / c, nodes
	printf "\"domains\":\"%s\",\"shape\":\"%d LLCs x %d cores x %d threads, %d nodes\"}\n", domains, l, c / l, cpus / c, nodes
}
