// SPDX-License-Identifier: GPL-2.0
/*
 * What load balancing costs.
 *
 * A newly idle CPU takes the time while it looks for tasks, and gives up where that took
 * longer in the past than the CPU will be idle. Kernel code takes no time here, so without
 * a price it would look everywhere each time it goes idle. shim.h has fair.c call these
 * two instead of the kernel's. A run queue has the same price each time it is looked at,
 * though its lines are near by then.
 */
#include "machine.h"
#include <linux/sched/clock.h>
#include "kernel/sched/sched.h"

/* select_task_rq() looks around as well, which is part of what a wakeup or fork costs. */
bool sim_selecting;

/* What one CPU has looked at in this nanosecond. */
static struct {
	u64 now, ns, paid;
	int cpu;
} looked;

/* for_each_cpu_and() is how fair.c goes through the run queues of a group. */
unsigned long sim_balance_next(const unsigned long *a, const unsigned long *b,
			       unsigned long size, unsigned long from)
{
	unsigned long next = _find_next_and_bit(a, b, size, from);
	int cpu = raw_smp_processor_id();
	u64 ns;

	/* Boot is free, and the instant in which tasks are created and spread over the CPUs. */
	if (next >= size || sim_selecting || sim_now <= sim_created_at)
		return next;
	ns = sim_config.costs.balance_ns[sim_distance(cpu, next)];
	if (in_serving_softirq()) {
		/* An idle CPU that does it for all others stops as soon as it is needed. */
		if (!is_idle_task(sim_current()))
			sim_charge(cpu, ns);
		return next;
	}
	if (looked.now != sim_now || looked.cpu != cpu) {
		looked.now = sim_now;
		looked.cpu = cpu;
		looked.ns = looked.paid = 0;
	}
	looked.ns += ns;
	return next;
}

/*
 * sched_balance_newidle() reads the clock behind each domain. It alone has looked at anything
 * before and does not hold the lock of its run queue. As for all kernel work the CPU pays
 * with what it does next.
 */
u64 sim_balance_clock(int cpu)
{
	u64 now = sched_clock_cpu(cpu);

	if (looked.now != sim_now || looked.cpu != cpu ||
	    raw_spin_is_locked(&cpu_rq(cpu)->__lock))
		return now;
	sim_charge(cpu, looked.ns - looked.paid);
	looked.paid = looked.ns;
	return now + looked.ns;
}
