// SPDX-License-Identifier: GPL-2.0
/*
 * A token goes to and fro between two tasks over two pipes: unixbench context1,
 * "perf bench sched pipe". Nothing but wakeups and switches.
 */
#include "workload.h"
#include "pipe.h"

struct pair {
	struct sim_pipe there, back;
	u64 work_ns;
};

static void first(void *arg)
{
	struct pair *p = arg;

	for (;;) {
		u64 start = sim_now;

		sim_consume(sim_vary(p->work_ns));
		sim_pipe_write(&p->there, 0);
		sim_pipe_read(&p->back);
		sim_op(sim_now - start);
	}
}

static void second(void *arg)
{
	struct pair *p = arg;

	for (;;) {
		sim_pipe_read(&p->there);
		sim_consume(sim_vary(p->work_ns));
		sim_pipe_write(&p->back, 0);
	}
}

static void start(void)
{
	const struct cpumask *cpus = sim_param_cpus("cpus");
	u64 i, n = sim_param("pairs");

	for (i = 0; i < n; i++) {
		struct pair *p = kzalloc(sizeof(*p), GFP_KERNEL);

		sim_pipe_init(&p->there, 16);
		sim_pipe_init(&p->back, 16);
		p->work_ns = sim_param("work_ns");
		sim_spawn("context1-a", first, p, cpus);
		sim_spawn("context1-b", second, p, cpus);
	}
}

SIM_WORKLOAD(context1, "pairs that pass a token to and fro; latency is a round trip",
	     "pairs=1; work_ns=1000 work per message; cpus= CPUs allowed", start);
