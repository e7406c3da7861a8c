// SPDX-License-Identifier: GPL-2.0
/*
 * The workloads of ../workloads, with system calls.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "twin.h"

static void futex_wait(atomic_uint *word, unsigned int value)
{
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void futex_wake(atomic_uint *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* With O_DIRECT each message takes a slot of its own, as in the simulator. */
static void pipe_new(int fd[2], u64 slots)
{
	if (pipe2(fd, O_DIRECT) || fcntl(fd[1], F_SETPIPE_SZ, slots * 4096) < 0)
		die("cannot make a pipe: %s", strerror(errno));
}

static void put(int fd)
{
	u64 message = 0;

	if (write(fd, &message, sizeof(message)) != sizeof(message))
		die("write: %s", strerror(errno));
}

static void get(int fd)
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

static void start_pipe(void)
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

static void start_context1(void)
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

/* futex */
struct futex_pair {
	atomic_uint word;
	u64 wake_ns, work_ns;
};

static void futex_waiter(struct task *t, void *arg)
{
	struct futex_pair *p = arg;

	for (;; t->ops++) {
		futex_wait(&p->word, 0);
		work(t, vary(t, p->work_ns));
	}
}

static void futex_waker(struct task *t, void *arg)
{
	struct futex_pair *p = arg;

	for (;;) {
		work(t, vary(t, p->wake_ns));
		futex_wake(&p->word);
	}
}

static void start_futex(void)
{
	for (u64 i = 0; i < param("pairs"); i++) {
		struct futex_pair *p = zalloc(sizeof(*p));

		p->wake_ns = param("wake_ns");
		p->work_ns = param("work_ns");
		spawn("futex-wait", futex_waiter, p);
		spawn("futex-wake", futex_waker, p);
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

static void start_udp_rr(void)
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

/* nanosleep */
static void sleeper(struct task *t, void *unused)
{
	u64 sleep_ns = param("sleep_us") * 1000, work_ns = param("work_us") * 1000;
	struct timespec ts = { 0, sleep_ns };

	(void)unused;
	for (;; t->ops++) {
		work(t, vary(t, work_ns));
		clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL);
	}
}

static void start_nanosleep(void)
{
	for (u64 i = 0; i < param("tasks"); i++)
		spawn("nanosleep", sleeper, NULL);
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

static void start_hackbench(void)
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

/* schbench */
struct worker {
	struct worker *next;
	struct messenger *messenger;
	atomic_uint go;
};

struct messenger {
	_Atomic(struct worker *) queue;
	atomic_uint posted;
};

static void schbench_worker(struct task *t, void *arg)
{
	u64 work_ns = param("work_us") * 1000, think_ns = param("think_us") * 1000;
	struct worker *w = arg;
	struct messenger *m = w->messenger;

	for (;;) {
		w->next = m->queue;
		while (!atomic_compare_exchange_weak(&m->queue, &w->next, w))
			;
		m->posted = 1;
		futex_wake(&m->posted);
		while (!w->go)
			futex_wait(&w->go, 0);
		w->go = 0;
		t->ops++;
		work(t, vary(t, work_ns));
		if (think_ns) {
			struct timespec ts = { 0, vary(t, think_ns) };

			clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL);
		}
	}
}

static void schbench_messenger(struct task *t, void *arg)
{
	u64 message_ns = param("message_ns");
	struct messenger *m = arg;

	for (;;) {
		struct worker *w, *next, *first = NULL;

		futex_wait(&m->posted, 0);
		m->posted = 0;
		for (w = atomic_exchange(&m->queue, NULL); w; w = next) {
			next = w->next;		/* oldest first */
			w->next = first;
			first = w;
		}
		for (w = first; w; w = next) {
			next = w->next;
			work(t, vary(t, message_ns));
			w->go = 1;
			futex_wake(&w->go);
		}
	}
}

static void start_schbench(void)
{
	for (u64 i = 0; i < param("messengers"); i++) {
		struct messenger *m = zalloc(sizeof(*m));

		spawn("schb-message", schbench_messenger, m);
		for (u64 j = 0; j < param("workers"); j++) {
			struct worker *w = zalloc(sizeof(*w));

			w->messenger = m;
			spawn("schb-worker", schbench_worker, w);
		}
	}
}

/* fork: children share memory, or most of the time would go to page tables */
static int fork_child(void *arg)
{
	struct task *t = arg;

	work(t, vary(t, param("work_us") * 1000));
	syscall(SYS_exit, 0);
	return 0;
}

static void fork_parent(struct task *t, void *unused)
{
	static const int size = 65536;
	u64 fork_ns = param("fork_ns"), n = 0;
	char *stack = zalloc(size);
	struct task child = *t;

	(void)unused;
	child.rng ^= 0x5555;
	for (;; t->ops++, n++) {
		int pid;

		work(t, vary(t, fork_ns));
		pid = clone(fork_child, stack + size, CLONE_VM | SIGCHLD, &child);
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			die("clone: %s", strerror(errno));
	}
}

static void start_fork(void)
{
	if (param("batch") != 1)
		die("fork: one child at a time");
	for (u64 i = 0; i < param("parents"); i++)
		spawn("parent", fork_parent, NULL);
}

/*
 * dmatest: the device is a timer, which interrupts the CPU that armed it. The
 * simulator's interrupts CPU 0, so the threads are bound to that.
 */
static void dmatest(struct task *t, void *unused)
{
	u64 fill_ns = param("fill_us") * 1000, submit_ns = param("submit_ns");
	struct itimerspec its = { .it_value.tv_nsec = param("transfer_ns") };
	int fd = timerfd_create(CLOCK_MONOTONIC, 0);

	(void)unused;
	for (;; t->ops++) {
		work(t, vary(t, fill_ns));
		work(t, submit_ns);
		if (timerfd_settime(fd, 0, &its, NULL))
			die("timerfd: %s", strerror(errno));
		get(fd);
		work(t, vary(t, fill_ns));
	}
}

static void start_dmatest(void)
{
	if (param_cpu("cpus") != 0)
		die("dmatest: its interrupt comes to CPU 0, so cpus=0 must be too");
	for (u64 i = 0; i < param("threads"); i++)
		spawn("dmatest", dmatest, NULL)->cpu = 0;
}

/* hogs */
static void hog(struct task *t, void *ns)
{
	for (;; t->ops++)
		work(t, vary(t, *(u64 *)ns));
}

static void start_hogs(void)
{
	u64 *slice_ns = zalloc(sizeof(u64));

	*slice_ns = param("slice_us") * 1000;
	for (u64 i = 0; i < param("tasks"); i++)
		spawn("hog", hog, slice_ns)->nice = i * param("nice_step");
}

/* mixed */
static void cgroup_write(const char *group, const char *file, const char *text)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "/sys/fs/cgroup/%s/%s", group, file);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		die("%s: cannot write '%s': %s", path, text, strerror(errno));
	close(fd);
}

static void start_group(const char *name, const char *weight, u64 quota_us)
{
	u64 *ns = zalloc(sizeof(u64));
	char text[128];

	*ns = 2000000;
	snprintf(text, sizeof(text), "/sys/fs/cgroup/%s", name);
	if (mkdir(text, 0755) && errno != EEXIST)
		die("%s: %s", text, strerror(errno));
	cgroup_write(name, "cgroup.type", "threaded");
	cgroup_write(name, "cpu.weight", weight);
	snprintf(text, sizeof(text), "%lu 100000", quota_us);
	if (quota_us)
		cgroup_write(name, "cpu.max", text);
	for (u64 i = 0; i < param("tasks"); i++)
		spawn(name, hog, ns)->group = name;
}

static void start_mixed(void)
{
	cgroup_write(".", "cgroup.subtree_control", "+cpu");
	start_group("weight-1", "100", 0);
	start_group("weight-3", "300", 0);
	if (param("quota_us"))
		start_group("quota", "100", param("quota_us"));
}

const struct twin twins[] = {
	{ "pipe", start_pipe }, { "context1", start_context1 }, { "futex", start_futex },
	{ "udp_rr", start_udp_rr }, { "nanosleep", start_nanosleep },
	{ "hackbench", start_hackbench }, { "schbench", start_schbench },
	{ "fork", start_fork }, { "dmatest", start_dmatest }, { "hogs", start_hogs },
	{ "mixed", start_mixed }, { NULL, NULL }
};
