// SPDX-License-Identifier: GPL-2.0
/*
 * CPU hogs with weights: fairness, load balancing and preemption by the tick.
 */
#include "workload.h"

static void hog(void *unused)
{
	for (;;) {
		sim_consume(sim_vary(sim_param("slice_us") * 1000));
		sim_op(0);
	}
}

static void start(void)
{
	const struct cpumask *cpus = sim_param_cpus("cpus");
	u64 i, n = sim_param("tasks"), step = sim_param("nice_step");

	for (i = 0; i < n; i++) {
		struct sim_task *t = sim_spawn_stopped("hog", hog, NULL, NULL);

		set_user_nice(&t->task, min_t(u64, i * step, 19));
		sim_task_start(t, cpus);
	}
}

SIM_WORKLOAD(hogs, "CPU hogs, the i-th with nice value i * nice_step",
	     "tasks=8 number of hogs; slice_us=10000 work per operation; nice_step=0 nice value difference; cpus= CPUs allowed",
	     start);
