// SPDX-License-Identifier: GPL-2.0
/*
 * Twins of pipe.c, context1.c, hackbench.c and, over UDP, of net.c.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "twin.h"

/* With O_DIRECT each message takes a slot of its own, as in the simulator. */
static void pipe_new(int fd[2], u64 slots)
{
	if (pipe2(fd, O_DIRECT) || fcntl(fd[1], F_SETPIPE_SZ, slots * 4096) < 0)
		die("cannot make a pipe: %s", strerror(errno));
}

void put(int fd)
{
	u64 message = 0;

	if (write(fd, &message, sizeof(message)) != sizeof(message))
		die("write: %s", strerror(errno));
}

void get(int fd)
{
	u64 message;

	if (read(fd, &message, sizeof(message)) != sizeof(message))
		die("read: %s", strerror(errno));
}

/* pipe */
struct pipe_pair {
	int fd[2];
	u64 write_ns, read_ns;
};

static void pipe_writer(struct task *t, void *arg)
{
	struct pipe_pair *p = arg;

	for (;;) {
		work(t, vary(t, p->write_ns));
		put(p->fd[1]);
	}
}

static void pipe_reader(struct task *t, void *arg)
{
	struct pipe_pair *p = arg;

	for (;; t->ops++) {
		get(p->fd[0]);
		work(t, vary(t, p->read_ns));
	}
}

void start_pipe(void)
{
	for (u64 i = 0; i < param("pairs"); i++) {
		struct pipe_pair *p = zalloc(sizeof(*p));

		pipe_new(p->fd, param("slots"));
		p->write_ns = param("write_ns");
		p->read_ns = param("read_ns");
		spawn("pipe-write", pipe_writer, p);
		spawn("pipe-read", pipe_reader, p);
	}
}

/* context1 */
struct token_pair {
	int there[2], back[2];
	u64 work_ns;
};

static void token_first(struct task *t, void *arg)
{
	struct token_pair *p = arg;

	for (;; t->ops++) {
		work(t, vary(t, p->work_ns));
		put(p->there[1]);
		get(p->back[0]);
	}
}

static void token_second(struct task *t, void *arg)
{
	struct token_pair *p = arg;

	for (;;) {
		get(p->there[0]);
		work(t, vary(t, p->work_ns));
		put(p->back[1]);
	}
}

void start_context1(void)
{
	for (u64 i = 0; i < param("pairs"); i++) {
		struct token_pair *p = zalloc(sizeof(*p));

		pipe_new(p->there, 16);
		pipe_new(p->back, 16);
		p->work_ns = param("work_ns");
		spawn("context1-a", token_first, p);
		spawn("context1-b", token_second, p);
	}
}

/* hackbench */
struct group {
	int fan, fd[64][2];
	u64 write_ns, read_ns;
};

struct receiver {
	struct group *group;
	int index;
};

static void hack_sender(struct task *t, void *arg)
{
	struct group *g = arg;

	for (;;)
		for (int i = 0; i < g->fan; i++) {
			work(t, vary(t, g->write_ns));
			put(g->fd[i][1]);
		}
}

static void hack_receiver(struct task *t, void *arg)
{
	struct receiver *r = arg;

	for (;; t->ops++) {
		get(r->group->fd[r->index][0]);
		work(t, vary(t, r->group->read_ns));
	}
}

void start_hackbench(void)
{
	for (u64 n = 0; n < param("groups"); n++) {
		struct group *g = zalloc(sizeof(*g));

		g->fan = param("fan");
		g->write_ns = param("write_ns");
		g->read_ns = param("read_ns");
		for (int i = 0; i < g->fan; i++) {
			struct receiver *r = zalloc(sizeof(*r));

			*r = (struct receiver){ g, i };
			pipe_new(g->fd[i], param("slots"));
			spawn("hack-recv", hack_receiver, r);
		}
		for (int i = 0; i < g->fan; i++)
			spawn("hack-send", hack_sender, g);
	}
}

/* udp_rr */
struct connection {
	int client, server;
	u64 send_ns, recv_ns;
};

static void rr_send(struct task *t, struct connection *c, int fd)
{
	work(t, vary(t, c->send_ns));
	put(fd);
}

static void rr_receive(struct task *t, struct connection *c, int fd)
{
	get(fd);
	work(t, vary(t, c->recv_ns));
}

static void rr_client(struct task *t, void *arg)
{
	struct connection *c = arg;

	for (;; t->ops++) {
		rr_send(t, c, c->client);
		rr_receive(t, c, c->client);
	}
}

static void rr_server(struct task *t, void *arg)
{
	struct connection *c = arg;

	for (;;) {
		rr_receive(t, c, c->server);
		rr_send(t, c, c->server);
	}
}

static int udp_socket(struct sockaddr_in *a)
{
	socklen_t len = sizeof(*a);
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	*a = (struct sockaddr_in){ .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	if (fd < 0 || bind(fd, (struct sockaddr *)a, len) ||
	    getsockname(fd, (struct sockaddr *)a, &len))
		die("no UDP socket: %s", strerror(errno));
	return fd;
}

void start_udp_rr(void)
{
	for (u64 i = 0; i < param("pairs"); i++) {
		struct connection *c = zalloc(sizeof(*c));
		struct sockaddr_in client, server;

		c->client = udp_socket(&client);
		c->server = udp_socket(&server);
		if (connect(c->client, (struct sockaddr *)&server, sizeof(server)) ||
		    connect(c->server, (struct sockaddr *)&client, sizeof(client)))
			die("connect: %s", strerror(errno));
		c->send_ns = param("send_ns");
		c->recv_ns = param("recv_ns");
		spawn("netserver", rr_server, c);
		spawn("netperf", rr_client, c);
	}
}
