// SPDX-License-Identifier: GPL-2.0
/*
 * Twins of futex.c, schbench.c, nanosleep.c, dmatest.c and fork.c.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
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

void start_futex(void)
{
	for (u64 i = 0; i < param("pairs"); i++) {
		struct futex_pair *p = zalloc(sizeof(*p));

		p->wake_ns = param("wake_ns");
		p->work_ns = param("work_ns");
		spawn("futex-wait", futex_waiter, p);
		spawn("futex-wake", futex_waker, p);
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

void start_schbench(void)
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

void start_nanosleep(void)
{
	for (u64 i = 0; i < param("tasks"); i++)
		spawn("nanosleep", sleeper, NULL);
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

void start_fork(void)
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

void start_dmatest(void)
{
	if (param_cpu("cpus") != 0)
		die("dmatest: its interrupt comes to CPU 0, so cpus=0 must be too");
	for (u64 i = 0; i < param("threads"); i++)
		spawn("dmatest", dmatest, NULL)->cpu = 0;
}
