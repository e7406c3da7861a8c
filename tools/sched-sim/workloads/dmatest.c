// SPDX-License-Identifier: GPL-2.0
/*
 * drivers/dma/dmatest: a thread fills buffers, submits a transfer, sleeps
 * until the interrupt's callback wakes it, and checks the result.
 *
 * Only submit-to-run counts, as in dmatest's own iops; filling and checking
 * takes much longer and leaves the interrupt's CPU idle.
 */
#include "workload.h"
#include <linux/jiffies.h>

enum irq_mode { FIXED, ROTATING, MOVING };

struct channel {
	wait_queue_head_t wait;
	bool done;
	int irq_cpu;
};

static void callback(void *arg)
{
	struct channel *c = arg;

	c->done = true;
	wake_up_all(&c->wait);
}

static int next_irq_cpu(struct channel *c, u64 transfers)
{
	switch (sim_param("irq_mode")) {
	case ROTATING:
		c->irq_cpu = (c->irq_cpu + 1) % sim_nr_cpus;
		break;
	case MOVING:
		if (transfers % 100 == 99)
			c->irq_cpu = sim_rand_below(sim_nr_cpus);
		break;
	}
	return c->irq_cpu;
}

static void dmatest(void *arg)
{
	u64 fill_ns = sim_param("fill_us") * 1000, n;
	u64 submit_ns = sim_param("submit_ns"), transfer_ns = sim_param("transfer_ns");
	struct channel *c = arg;

	for (n = 0;; n++) {
		u64 start;

		sim_consume(sim_vary(fill_ns));
		start = sim_now;
		c->done = false;
		sim_consume(submit_ns);
		sim_raise_irq(next_irq_cpu(c, n), transfer_ns, callback, c);
		wait_event_interruptible_timeout(c->wait, c->done,
						 msecs_to_jiffies(2000));
		sim_consume(1);		/* what the switch to it costs is over */
		sim_op(sim_now - start);
		sim_consume(sim_vary(fill_ns));
	}
}

static void start(void)
{
	const struct cpumask *cpus = sim_param_cpus("cpus");
	u64 i, n = sim_param("threads");

	for (i = 0; i < n; i++) {
		struct channel *c = kzalloc(sizeof(*c), GFP_KERNEL);

		init_waitqueue_head(&c->wait);
		c->irq_cpu = sim_param("irq_cpu") % sim_nr_cpus;
		sim_spawn("dmatest", dmatest, c, cpus);
	}
}

SIM_WORKLOAD(dmatest, "DMA test threads; latency is submit to run, an operation a transfer",
	     "threads=1; irq_cpu=0; irq_mode=0 0: fixed, 1: rotating over all CPUs, 2: moving every 100 transfers; transfer_ns=7000; submit_ns=1500; fill_us=1000 before and as much after each transfer; cpus= CPUs allowed",
	     start);
