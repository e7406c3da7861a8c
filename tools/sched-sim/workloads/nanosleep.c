// SPDX-License-Identifier: GPL-2.0
/*
 * Sleepers on high resolution timers (stress-ng --nanosleep), or on the timer
 * wheel, whose global timers a migrator CPU may expire.
 */
#include "workload.h"
#include <linux/timer.h>

static void sleeper(void *unused)
{
	u64 sleep_ns = sim_param("sleep_us") * 1000;
	bool wheel = sim_param("wheel");

	for (;;) {
		u64 start;

		sim_consume(sim_vary(sim_param("work_us") * 1000));
		start = sim_now;
		if (wheel)
			schedule_timeout_interruptible(
				nsecs_to_jiffies(sleep_ns));
		else
			sim_sleep(sleep_ns);
		sim_op(sim_now - start);
	}
}

static void start(void)
{
	const struct cpumask *cpus = sim_param_cpus("cpus");
	u64 i, n = sim_param("tasks");

	for (i = 0; i < n; i++)
		sim_spawn("nanosleep", sleeper, NULL, cpus);
}

SIM_WORKLOAD(nanosleep, "tasks that work and sleep; latency is the sleep as it came out",
	     "tasks=8; work_us=50; sleep_us=500; wheel=0 1: schedule_timeout() instead of a hrtimer; cpus= CPUs allowed",
	     start);
