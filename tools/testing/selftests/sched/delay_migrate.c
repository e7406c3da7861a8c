// SPDX-License-Identifier: GPL-2.0
/*
 * DELAY_MIGRATE: a wakee whose dequeue is still delayed moves to a CPU that
 * idles, instead of being requeued behind others where it slept.
 *
 * A hog keeps one CPU busy; a sleeper runs there until it is ineligible and falls
 * asleep while it may use that CPU only, so that its dequeue is delayed. Before it is
 * woken it may use another CPU too, which idles. delay_lag_probe counts delays that
 * ended with a requeue where the sleeper was, and the sleeper says where it woke.
 *
 * Each variant asks what the rule does with the bit on; the first is also asked
 * with it off, which has to see requeues, or the test has proven nothing.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../kselftest_harness.h"
#include "sched_util.h"

#define FEATURE		"DELAY_MIGRATE"
#define PROBE		"delay_lag_probe"
#define PROBE_DIR	"/sys/kernel/debug/sched_delay_lag/"

#define ROUNDS		200
#define ENOUGH		10	/* requeues without which nothing is proven */
#define RUN_US		3500	/* more than a slice: half the time the sleeper owes service */

struct sleeper {
	pthread_t thread;
	pid_t tid;
	int busy;			/* CPU where it runs and falls asleep */
	int wake_fd;
	unsigned int asleep, awake;	/* rounds */
	int woke_on;
};

static long long thread_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ts.tv_sec * 1000000LL + ts.tv_nsec / 1000;
}

static void *sleeper_main(void *arg)
{
	struct sleeper *s = arg;
	unsigned int round;

	__atomic_store_n(&s->tid, syscall(SYS_gettid), __ATOMIC_RELEASE);
	for (round = 1; round <= ROUNDS; round++) {
		long long until;
		unsigned long long value;

		pin_thread(s->tid, s->busy);
		until = thread_us() + RUN_US;
		while (thread_us() < until)
			;
		__atomic_store_n(&s->asleep, round, __ATOMIC_RELEASE);
		if (read(s->wake_fd, &value, sizeof(value)) != sizeof(value))
			break;
		s->woke_on = sched_getcpu();
		__atomic_store_n(&s->awake, round, __ATOMIC_RELEASE);
	}
	return NULL;
}

static void wait_for(unsigned int *word, unsigned int round)
{
	while (__atomic_load_n(word, __ATOMIC_ACQUIRE) < round)
		usleep(50);
}

/* Delays of tasks that ended with a requeue, since the last reset. */
static long requeues(void)
{
	char text[2048], *line;
	long count;

	if (read_file(PROBE_DIR "stats", text, sizeof(text)) < 0)
		return -1;
	line = strstr(text, "task requeue count ");
	return line && sscanf(line, "task requeue count %ld", &count) == 1 ? count : -1;
}

/* What the wakeups meet. */
struct scenario {
	bool pinned;			/* the sleeper may not use the other CPU */
	bool no_idle;			/* the other CPU is busy */
	bool sync;			/* woken in sync by a task on its own CPU */
	bool flips;			/* of the bit and of the class meanwhile */
	bool moves;			/* what is expected */
};

struct seen {
	long requeued, moved;
};

FIXTURE(delay_migrate) {
	struct load hog, other_hog;
	struct sleeper sleeper;
	int idle;			/* the other CPU */
	int write_fd;
	bool was_on;
};

FIXTURE_VARIANT(delay_migrate) {
	struct scenario s;
};

FIXTURE_VARIANT_ADD(delay_migrate, idle_cpu) {
	.s = { .moves = true },
};

FIXTURE_VARIANT_ADD(delay_migrate, affinity) {
	.s = { .pinned = true },
};

FIXTURE_VARIANT_ADD(delay_migrate, no_idle_cpu) {
	.s = { .no_idle = true },
};

FIXTURE_VARIANT_ADD(delay_migrate, sync_waker_makes_room) {
	.s = { .sync = true },
};

FIXTURE_VARIANT_ADD(delay_migrate, bit_flips) {
	.s = { .flips = true },
};

FIXTURE_SETUP(delay_migrate)
{
	int fds[2];

	if (geteuid())
		SKIP(return, "needs root");
	if (cpu_nth_allowed(3) < 0)
		SKIP(return, "needs 4 CPUs");
	if (load_test_module(PROBE))
		SKIP(return, "cannot load test_modules/" PROBE ".ko: %s", strerror(errno));
	if (!sched_feature_exists(FEATURE))
		SKIP(return, "this kernel has no " FEATURE);
	self->was_on = sched_feature_is_on(FEATURE);

	self->sleeper.busy = cpu_nth_allowed(1);
	self->idle = cpu_nth_allowed(2);
	/* A write to a pipe wakes the reader in sync, one to an eventfd does not. */
	if (variant->s.sync) {
		ASSERT_EQ(0, pipe(fds));
	} else {
		fds[0] = eventfd(0, 0);
		fds[1] = fds[0];
		ASSERT_LE(0, fds[0]);
	}
	self->sleeper.wake_fd = fds[0];
	self->write_fd = fds[1];
	self->hog = (struct load){ .nr = 1, .cpu = self->sleeper.busy, .run_us = 5000 };
	self->other_hog = (struct load){
		.nr = variant->s.no_idle, .cpu = self->idle, .run_us = 5000,
	};
	ASSERT_EQ(0, load_start(&self->hog));
	ASSERT_EQ(0, load_start(&self->other_hog));
	ASSERT_EQ(0, pin_thread(0, cpu_nth_allowed(variant->s.sync ? 1 : 3)));
}

FIXTURE_TEARDOWN(delay_migrate)
{
	load_stop(&self->other_hog);
	load_stop(&self->hog);
	sched_feature_set(FEATURE, self->was_on);
}

static void disturb(struct sleeper *s, unsigned int round)
{
	struct sched_param rt = { .sched_priority = 1 }, none = { 0 };

	sched_feature_set(FEATURE, round % 2);
	sched_setscheduler(s->tid, SCHED_FIFO, &rt);
	if (round % 3)
		sched_setscheduler(s->tid, round % 3 == 1 ? SCHED_OTHER : SCHED_BATCH, &none);
}

/* ROUNDS sleeps, and what became of them; -1 on error. */
static int watch(struct sleeper *s, const struct scenario *how, int idle, int write_fd,
		 struct seen *seen)
{
	unsigned long long value = 1;
	unsigned int round;
	cpu_set_t both;

	s->tid = 0;
	s->asleep = 0;
	s->awake = 0;
	seen->moved = 0;
	CPU_ZERO(&both);
	CPU_SET(s->busy, &both);
	CPU_SET(idle, &both);
	if (write_file(PROBE_DIR "reset", "1") ||
	    pthread_create(&s->thread, NULL, sleeper_main, s))
		return -1;
	for (round = 1; round <= ROUNDS; round++) {
		wait_for(&s->asleep, round);
		while (!thread_sleeps(s->tid))
			usleep(50);
		if (!how->pinned)
			sched_setaffinity(s->tid, sizeof(both), &both);
		if (how->flips)
			disturb(s, round);
		if (write(write_fd, &value, sizeof(value)) != sizeof(value))
			return -1;
		wait_for(&s->awake, round);
		seen->moved += s->woke_on == idle;
	}
	pthread_join(s->thread, NULL);
	seen->requeued = requeues();
	return seen->requeued < 0 ? -1 : 0;
}

TEST_F_TIMEOUT(delay_migrate, on, 60)
{
	const struct scenario *s = &variant->s;
	struct seen on, off;

	ASSERT_EQ(0, sched_feature_set(FEATURE, true));
	ASSERT_EQ(0, watch(&self->sleeper, s, self->idle, self->write_fd, &on));
	TH_LOG("on: of %d wakeups %ld requeued where they slept, %ld on the other CPU",
	       ROUNDS, on.requeued, on.moved);
	if (s->flips)	/* the kernel's log says if it minds */
		return;
	if (s->pinned)
		EXPECT_EQ(0, on.moved);
	if (!s->moves) {
		EXPECT_LE(ENOUGH, on.requeued);
		return;
	}

	ASSERT_EQ(0, sched_feature_set(FEATURE, false));
	ASSERT_EQ(0, watch(&self->sleeper, s, self->idle, self->write_fd, &off));
	TH_LOG("off: of %d wakeups %ld requeued where they slept, %ld on the other CPU",
	       ROUNDS, off.requeued, off.moved);
	EXPECT_LE(ENOUGH, off.requeued);
	/* The other CPU does not idle all the time; what is left must be the exception. */
	EXPECT_LT(2 * on.requeued, off.requeued);
}

TEST_HARNESS_MAIN
