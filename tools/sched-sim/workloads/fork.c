// SPDX-License-Identifier: GPL-2.0
/*
 * Fork storm: parents fork a child that works a little and exits, and wait for
 * it (unixbench spawn), or fork several at once (stress-ng --fork).
 */
#include "workload.h"
#include <linux/wait.h>

struct parent {
	wait_queue_head_t wait;		/* signal->wait_chldexit */
	u64 running;
};

static void child(void *arg)
{
	struct parent *p = arg;

	sim_consume(sim_vary(sim_param("work_us") * 1000));
	p->running--;
	wake_up_interruptible_sync(&p->wait);
}

static void parent(void *arg)
{
	struct parent *p = arg;
	u64 i, batch = sim_param("batch");

	for (;;) {
		u64 start = sim_now;

		for (i = 0; i < batch; i++) {
			struct sim_task *t;

			sim_consume(sim_config.costs.fork_ns +
				    sim_vary(sim_param("fork_ns")));
			t = sim_task_new("child", child, p, NULL);
			t->measured = true;
			p->running++;
			sim_task_start(t, NULL);
			sim_syscall_exit();
		}
		wait_event_interruptible(p->wait, !p->running);
		sim_op(sim_now - start);
	}
}

static void start(void)
{
	u64 i, n = sim_param("parents");

	for (i = 0; i < n; i++) {
		struct parent *p = kzalloc(sizeof(*p), GFP_KERNEL);

		init_waitqueue_head(&p->wait);
		sim_spawn("parent", parent, p, NULL);
	}
}

SIM_WORKLOAD(fork, "parents that fork children and wait for them; latency is a round of that",
	     "parents=4; batch=1 children at once; work_us=50 of a child; fork_ns=20000 of the parent, on top of the cost file's",
	     start);
