// SPDX-License-Identifier: GPL-2.0
/*
 * Readers of a block device at queue depth 1: submit, sleep until the completion's
 * interrupt, work on the block. The device has one vector, which all readers share.
 */
#include "workload.h"

struct reader {
	wait_queue_head_t wait;
	bool done;
};

static void callback(void *arg)
{
	struct reader *r = arg;

	r->done = true;
	wake_up(&r->wait);
}

static void reader(void *arg)
{
	u64 service_ns = sim_param("service_us") * 1000, submit_ns = sim_param("submit_ns");
	u64 work_ns = sim_param("work_us") * 1000;
	int irq_cpu = sim_param("irq_cpu") % sim_nr_cpus;
	struct reader *r = arg;

	for (;;) {
		u64 start = sim_now;

		r->done = false;
		sim_consume(submit_ns);
		sim_raise_irq(irq_cpu, sim_vary(service_ns), callback, r);
		wait_event(r->wait, r->done);
		sim_consume(sim_vary(work_ns));
		sim_op(sim_now - start);
	}
}

static void start(void)
{
	const struct cpumask *cpus = sim_param_cpus("cpus");
	u64 i, n = sim_param("readers");

	for (i = 0; i < n; i++) {
		struct reader *r = kzalloc(sizeof(*r), GFP_KERNEL);

		init_waitqueue_head(&r->wait);
		sim_spawn("blkread", reader, r, cpus);
	}
}

SIM_WORKLOAD(blkread, "readers of a block device at queue depth 1; latency is a block's, from its submission to the end of the work on it",
	     "readers=1; irq_cpu=0; service_us=80 of the device; submit_ns=3000; work_us=2; cpus= CPUs allowed",
	     start);
