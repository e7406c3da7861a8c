// SPDX-License-Identifier: GPL-2.0
/*
 * Tasks that wait for a device in turns: work, submit, sleep until the interrupt
 * wakes them. How interrupts are spread over CPUs is what matters here.
 */
#include "workload.h"

enum spread { OWN, ROTATE, MOVE };

struct waiter {
	wait_queue_head_t wait;
	bool done;
	int index;
	u64 transfers;
};

static const struct cpumask *irq_cpus;
static u64 interrupts;

static void callback(void *arg)
{
	struct waiter *w = arg;

	w->done = true;
	if (sim_param("current_cpu"))
		__wake_up_on_current_cpu(&w->wait, TASK_NORMAL, NULL);
	else
		wake_up(&w->wait);
}

/* Another device's: it wakes nobody. */
static void noise(void *unused)
{
	sim_raise_irq(cpumask_first(irq_cpus), sim_param("noise_us") * 1000, noise, NULL);
}

static int irq_cpu(struct waiter *w)
{
	unsigned int nr = cpumask_weight(irq_cpus), n = w->index;

	switch (sim_param("spread_irqs")) {
	case ROTATE:
		n = interrupts++;
		break;
	case MOVE:
		n += w->transfers / sim_param("period");
		break;
	}
	return cpumask_nth(n % nr, irq_cpus);
}

static void waiter(void *arg)
{
	u64 work_ns = sim_param("work_us") * 1000, service_ns = sim_param("service_us") * 1000;
	u64 burst = sim_param("burst"), pause_ns = sim_param("pause_us") * 1000;
	struct waiter *w = arg;

	current->numa_preferred_nid = (int)sim_param("preferred") - 1;
	for (;;) {
		u64 start;

		sim_consume(sim_vary(work_ns));
		start = sim_now;
		w->done = false;
		sim_raise_irq(irq_cpu(w), sim_vary(service_ns), callback, w);
		wait_event(w->wait, w->done);
		sim_consume(1);		/* what the switch to it costs is over */
		sim_op(sim_now - start);
		w->transfers++;
		if (burst && !(w->transfers % burst))
			sim_sleep(sim_vary(pause_ns));
	}
}

static void start(void)
{
	const struct cpumask *cpus = sim_param_cpus("cpus");
	u64 i, n = sim_param("tasks");

	irq_cpus = sim_param_cpus("irq_cpus") ?: cpumask_of(0);
	if (sim_param("noise_us"))
		noise(NULL);
	for (i = 0; i < n; i++) {
		struct waiter *w = kzalloc(sizeof(*w), GFP_KERNEL);

		init_waitqueue_head(&w->wait);
		w->index = i;
		sim_spawn("irqwake", waiter, w, cpus);
	}
}

SIM_WORKLOAD(irqwake, "tasks that each wait for an interrupt; latency is submit to run",
	     "tasks=1; work_us=100 between transfers; service_us=10 of the device; irq_cpus= CPUs that get interrupts, empty: CPU 0; spread_irqs=0 0: the i-th task's on the i-th of them, 1: rotating, 2: each task's moves to the next after `period`; period=100 transfers; burst=0 transfers between pauses; pause_us=5000; noise_us=0 the first of irq_cpus also gets an interrupt that wakes nobody so often; current_cpu=0 1: the interrupt wakes with WF_CURRENT_CPU; preferred=0 NUMA node + 1 that they prefer; cpus= CPUs allowed",
	     start);
