// SPDX-License-Identifier: GPL-2.0
/*
 * netperf over loopback: UDP_STREAM, UDP_RR and TCP_RR.
 *
 * A send puts a packet on this CPU's backlog and raises NET_RX; the softirq
 * runs on the way out of the send, on top of the sending task, and wakes the
 * reader of the socket with a sync wakeup, as sock_def_readable() does.
 */
#include "workload.h"
#include <linux/interrupt.h>
#include <linux/bottom_half.h>
#include <linux/timer.h>
#include <uapi/linux/eventpoll.h>

#define BACKLOG	64

struct sock {
	wait_queue_head_t wait;
	u64 queued, limit;
	struct timer_list timer;	/* retransmit or delayed ACK */
};

struct connection {
	struct sock client, server;
	u64 send_ns, recv_ns;
	bool tcp;
};

struct backlog {
	struct sock *packet[BACKLOG];
	int count;
};
static DEFINE_PER_CPU(struct backlog, backlogs);

static void net_rx(void)
{
	struct backlog *b = this_cpu_ptr(&backlogs);
	int i;

	for (i = 0; i < b->count; i++) {
		struct sock *sk = b->packet[i];

		if (sk->queued >= sk->limit)
			continue;		/* dropped */
		sk->queued++;
		wake_up_interruptible_sync_poll(&sk->wait, EPOLLIN | EPOLLRDNORM);
	}
	b->count = 0;
}

static void timer_fires(struct timer_list *t)
{
}

static void send(struct connection *c, struct sock *to)
{
	struct backlog *b;

	sim_consume(sim_vary(c->send_ns));
	local_bh_disable();
	b = this_cpu_ptr(&backlogs);
	if (b->count < BACKLOG)
		b->packet[b->count++] = to;
	raise_softirq(NET_RX_SOFTIRQ);
	if (c->tcp)
		mod_timer(&to->timer, jiffies + msecs_to_jiffies(200));
	local_bh_enable();
	sim_syscall_exit();
}

static void receive(struct connection *c, struct sock *from)
{
	wait_event_interruptible(from->wait, from->queued);
	from->queued--;
	sim_consume(sim_vary(c->recv_ns));
}

static void stream_client(void *arg)
{
	struct connection *c = arg;

	for (;;)
		send(c, &c->server);
}

static void stream_server(void *arg)
{
	struct connection *c = arg;

	for (;;) {
		receive(c, &c->server);
		sim_op(0);
	}
}

static void rr_client(void *arg)
{
	struct connection *c = arg;

	for (;;) {
		u64 start = sim_now;

		send(c, &c->server);
		receive(c, &c->client);
		sim_op(sim_now - start);
	}
}

static void rr_server(void *arg)
{
	struct connection *c = arg;

	for (;;) {
		receive(c, &c->server);
		send(c, &c->client);
	}
}

/* Operations are packets: it has none. */
static void hog(void *unused)
{
	for (;;)
		sim_consume(10 * NSEC_PER_MSEC);
}

static void init_sock(struct sock *sk)
{
	init_waitqueue_head(&sk->wait);
	sk->limit = sim_param("buffer");
	timer_setup(&sk->timer, timer_fires, 0);
}

static void start_pairs(void (*client)(void *), void (*server)(void *), bool tcp)
{
	u64 i, n = sim_param("pairs"), hogs = sim_param("hogs");

	open_softirq(NET_RX_SOFTIRQ, (void *)net_rx);
	for (i = 0; i < n; i++) {
		struct connection *c = kzalloc(sizeof(*c), GFP_KERNEL);

		c->tcp = tcp;
		c->send_ns = sim_param("send_ns");
		c->recv_ns = sim_param("recv_ns");
		init_sock(&c->client);
		init_sock(&c->server);
		sim_spawn("netserver", server, c, sim_param_cpus("server_cpus"));
		sim_spawn("netperf", client, c, sim_param_cpus("client_cpus"));
	}
	for (i = 0; i < hogs; i++)
		sim_spawn("hog", hog, NULL, NULL);
}

static void start_stream(void)
{
	start_pairs(stream_client, stream_server, false);
}

static void start_udp_rr(void)
{
	start_pairs(rr_client, rr_server, false);
}

static void start_tcp_rr(void)
{
	start_pairs(rr_client, rr_server, true);
}

SIM_WORKLOAD(udp_stream, "netperf UDP_STREAM over loopback; an operation is a packet received",
	     "pairs=1; send_ns=1500 per packet; recv_ns=1200; buffer=277 packets, net.core.rmem_default over a small skb; hogs=0 tasks that only compute, on any CPU; client_cpus=; server_cpus=",
	     start_stream);
SIM_WORKLOAD(udp_rr, "netperf UDP_RR over loopback; latency is a round trip",
	     "pairs=1; send_ns=1500; recv_ns=1000; buffer=277; hogs=0 tasks that only compute, on any CPU; client_cpus=; server_cpus=",
	     start_udp_rr);
SIM_WORKLOAD(tcp_rr, "netperf TCP_RR over loopback; latency is a round trip",
	     "pairs=1; send_ns=2500; recv_ns=1500; buffer=277; hogs=0 tasks that only compute, on any CPU; client_cpus=; server_cpus=",
	     start_tcp_rr);
