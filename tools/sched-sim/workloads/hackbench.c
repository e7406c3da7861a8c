// SPDX-License-Identifier: GPL-2.0
/*
 * hackbench: groups of senders that each send to every receiver of the group.
 *
 * Each receiver has a pipe or a socket of its own that all senders of the
 * group write to. Threads or processes make no difference to the scheduler
 * model: there are no address spaces (see the documentation).
 */
#include "workload.h"
#include "pipe.h"

#define MAX_RECEIVERS	64

struct group {
	struct sim_pipe pipe[MAX_RECEIVERS];
	u64 receivers, write_ns, read_ns;
};

struct receiver {
	struct group *group;
	int index;
};

static void sender(void *arg)
{
	struct group *g = arg;
	int i;

	for (;;)
		for (i = 0; i < g->receivers; i++) {
			sim_consume(sim_vary(g->write_ns));
			sim_pipe_write(&g->pipe[i], 0);
		}
}

static void receiver(void *arg)
{
	struct receiver *r = arg;

	for (;;) {
		sim_pipe_read(&r->group->pipe[r->index]);
		sim_consume(sim_vary(r->group->read_ns));
		sim_op(0);
	}
}

static void start_group(void)
{
	struct group *g = kzalloc(sizeof(*g), GFP_KERNEL);
	int i, fan = min_t(u64, sim_param("fan"), MAX_RECEIVERS);

	g->receivers = fan;
	g->write_ns = sim_param("write_ns");
	g->read_ns = sim_param("read_ns");
	for (i = 0; i < fan; i++) {
		struct receiver *r = kmalloc(sizeof(*r), GFP_KERNEL);

		*r = (struct receiver){ g, i };
		sim_pipe_init(&g->pipe[i], sim_param("slots"));
		g->pipe[i].socket = sim_param("socket");
		sim_spawn("hack-recv", receiver, r, NULL);
	}
	for (i = 0; i < fan; i++)
		sim_spawn("hack-send", sender, g, NULL);
}

static void start(void)
{
	u64 i, n = sim_param("groups");

	for (i = 0; i < n; i++)
		start_group();
}

SIM_WORKLOAD(hackbench, "groups of senders and receivers; an operation is a message received",
	     "groups=1; fan=20 senders, and as many receivers, per group; socket=0 1: sockets, 0: pipes; slots=16 messages that fit; write_ns=1500 work per message; read_ns=1500",
	     start);
