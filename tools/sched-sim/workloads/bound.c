// SPDX-License-Identifier: GPL-2.0
/*
 * Hogs that start bound to one CPU and are then allowed everywhere, by another
 * task: affinity at run time, and only load balancing can spread them.
 */
#include "workload.h"

struct bound {
	struct task_struct *hogs[64];
	u64 n;
};

static void hog(void *unused)
{
	for (;;) {
		sim_consume(sim_vary(NSEC_PER_MSEC));
		sim_op(0);
	}
}

static void liberator(void *arg)
{
	struct bound *b = arg;
	u64 i;

	sim_sleep(sim_param("free_ms") * NSEC_PER_MSEC);
	for (i = 0; i < b->n; i++)
		if (set_cpus_allowed_ptr(b->hogs[i], cpu_online_mask))
			sim_die("cannot set an affinity");
}

static void start(void)
{
	struct bound *b = kzalloc(sizeof(*b), GFP_KERNEL);
	int cpu = sim_param("cpu") % sim_nr_cpus;
	u64 i;

	b->n = min_t(u64, sim_param("tasks"), ARRAY_SIZE(b->hogs));
	for (i = 0; i < b->n; i++)
		b->hogs[i] = &sim_spawn("bound", hog, NULL, cpumask_of(cpu))->task;
	sim_spawn("liberator", liberator, b, NULL);
}

SIM_WORKLOAD(bound, "hogs bound to one CPU that are set free after a while",
	     "tasks=4; cpu=0; free_ms=600 after that they may run anywhere", start);
