// SPDX-License-Identifier: GPL-2.0
/*
 * stress-ng --futex: pairs of a task that waits on a futex and one that wakes
 * it as fast as it can. The waker uses a wake_q, as kernel/futex does.
 */
#include "workload.h"
#include <linux/sched/wake_q.h>

struct pair {
	struct task_struct *waiter;
	u64 wake_ns, work_ns;
};

static void waiter_main(void *arg)
{
	struct pair *p = arg;

	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		WRITE_ONCE(p->waiter, current);		/* futex_queue() */
		schedule();
		sim_consume(sim_vary(p->work_ns));
		sim_op(0);
	}
}

static void waker_main(void *arg)
{
	struct pair *p = arg;

	for (;;) {
		sim_consume(sim_vary(p->wake_ns));
		if (READ_ONCE(p->waiter)) {
			DEFINE_WAKE_Q(wake_q);

			wake_q_add(&wake_q, p->waiter);
			p->waiter = NULL;
			wake_up_q(&wake_q);
			sim_syscall_exit();
		}
	}
}

static void start(void)
{
	const struct cpumask *cpus = sim_param_cpus("cpus");
	u64 i, n = sim_param("pairs");

	for (i = 0; i < n; i++) {
		struct pair *p = kzalloc(sizeof(*p), GFP_KERNEL);

		p->wake_ns = sim_param("wake_ns");
		p->work_ns = sim_param("work_ns");
		sim_spawn("futex-wait", waiter_main, p, cpus);
		sim_spawn("futex-wake", waker_main, p, cpus);
	}
}

SIM_WORKLOAD(futex, "pairs of a futex waiter and a waker that never sleeps; an operation is a wait",
	     "pairs=4; wake_ns=800 per futex_wake(); work_ns=1000 per wait; cpus= CPUs allowed",
	     start);
