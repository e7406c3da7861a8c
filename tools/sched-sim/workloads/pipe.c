// SPDX-License-Identifier: GPL-2.0
/*
 * Pipe pairs as in "stress-ng --pipe": a writer fills, a reader empties.
 *
 * The waits are those of fs/pipe.c: both sides sleep exclusively on a wait
 * queue of the pipe; a write to an empty pipe wakes a reader with a sync
 * wakeup, a read from a full pipe wakes a writer, and a reader that leaves
 * data behind wakes the next reader, a writer that leaves room the next writer.
 */
#include "workload.h"
#include "pipe.h"

struct pair {
	struct sim_pipe pipe;
	u64 write_ns, read_ns;
};

static void writer(void *arg)
{
	struct pair *p = arg;

	for (;;) {
		sim_consume(sim_vary(p->write_ns));
		sim_pipe_write(&p->pipe, 0);
	}
}

static void reader(void *arg)
{
	struct pair *p = arg;

	for (;;) {
		sim_pipe_read(&p->pipe);
		sim_consume(sim_vary(p->read_ns));
		sim_op(0);
	}
}

static void start(void)
{
	u64 i, n = sim_param("pairs");
	const struct cpumask *cpus = sim_param_cpus("cpus");

	for (i = 0; i < n; i++) {
		struct pair *p = kzalloc(sizeof(*p), GFP_KERNEL);

		sim_pipe_init(&p->pipe, sim_param("slots"));
		p->write_ns = sim_param("write_ns");
		p->read_ns = sim_param("read_ns");
		sim_spawn("pipe-write", writer, p, cpus);
		sim_spawn("pipe-read", reader, p, cpus);
	}
}

SIM_WORKLOAD(pipe, "pairs of a writer and a reader on a pipe (stress-ng --pipe)",
	     "pairs=4; slots=16 buffers of the pipe, PIPE_DEF_BUFFERS; write_ns=2000 work per message; read_ns=3000; cpus= CPUs allowed",
	     start);
