// SPDX-License-Identifier: GPL-2.0
/*
 * DELAY_MIGRATE: a wakee whose dequeue is still delayed goes to an idle CPU, as any
 * sleeper would, instead of being requeued behind the tasks of its own.
 *
 * A task runs beside hogs until it is ineligible, sleeps, and is woken at once from
 * another CPU of the LLC, with leave to run on all of them. Where it finds itself
 * awake tells: one that was dequeued goes to an idle CPU in any case, so who stays
 * beside the hogs was woken while delayed. With the bit off some must, or the test
 * has not exercised what the bit is for; with the bit on hardly any may.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../kselftest_harness.h"
#include "sched_util.h"

#define FEATURE		"DELAY_MIGRATE"
#define RUN_NS		4000000	/* of the wakee before it sleeps, a slice and more... */
#define NICE		5	/* ... which at this weight takes the hogs 20 ms to make up for */
#define ENOUGH		30	/* wakees that stay, with the bit off */
#define MAX_ROUNDS	1000	/* to see so many */

struct wakee {
	pthread_t thread;
	pid_t tid;
	int fd, home;
	unsigned int asleep, awake;	/* rounds */
	int cpu;			/* that it woke on */
	bool stop;
};

FIXTURE(delay_migrate) {
	struct load hogs;
	struct wakee wakee;
	cpu_set_t llc;
	bool was_on, started;
};

static long long cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static void *wakee_main(void *arg)
{
	struct wakee *w = arg;
	unsigned long long value;
	unsigned int round;

	w->tid = syscall(SYS_gettid);
	setpriority(PRIO_PROCESS, w->tid, NICE);
	for (round = 1; !__atomic_load_n(&w->stop, __ATOMIC_ACQUIRE); round++) {
		long long end;

		pin_thread(w->tid, w->home);
		end = cpu_ns() + RUN_NS;
		while (cpu_ns() < end)
			;
		__atomic_store_n(&w->asleep, round, __ATOMIC_RELEASE);
		if (read(w->fd, &value, sizeof(value)) != sizeof(value))
			break;
		w->cpu = sched_getcpu();
		__atomic_store_n(&w->awake, round, __ATOMIC_RELEASE);
	}
	return NULL;
}

FIXTURE_SETUP(delay_migrate)
{
	struct wakee *w = &self->wakee;
	int n, cpu, waker = cpu_nth_allowed(0), llc = cpu_llc(waker);

	if (geteuid())
		SKIP(return, "needs root");
	if (!sched_feature_exists(FEATURE))
		SKIP(return, "no " FEATURE " in this kernel");
	if (!sched_feature_is_on("DELAY_DEQUEUE"))
		SKIP(return, "needs DELAY_DEQUEUE");
	w->home = -1;
	CPU_ZERO(&self->llc);
	for (n = 0; (cpu = cpu_nth_allowed(n)) >= 0; n++) {
		if (llc < 0 || cpu_llc(cpu) != llc)
			continue;
		CPU_SET(cpu, &self->llc);
		if (cpu != waker)
			w->home = cpu;
	}
	if (CPU_COUNT(&self->llc) < 3)
		SKIP(return, "needs three CPUs of one LLC");
	self->was_on = sched_feature_is_on(FEATURE);
	w->fd = eventfd(0, 0);
	ASSERT_LE(0, w->fd);
	self->hogs = (struct load){ .nr = 2, .cpu = w->home, .run_us = 5000 };
	ASSERT_EQ(0, load_start(&self->hogs));
	ASSERT_EQ(0, pthread_create(&w->thread, NULL, wakee_main, w));
	self->started = true;
	ASSERT_EQ(0, pin_thread(0, waker));
}

/* Let the wakee of round @round sleep, wake it; true if it stays, -1 on error. */
static int wake(struct wakee *w, const cpu_set_t *allowed, unsigned int round)
{
	unsigned long long value = 1;

	while (__atomic_load_n(&w->asleep, __ATOMIC_ACQUIRE) < round)
		usleep(100);
	while (!thread_sleeps(w->tid))
		;
	if (sched_setaffinity(w->tid, sizeof(*allowed), allowed))
		return -1;
	if (write(w->fd, &value, sizeof(value)) != sizeof(value))
		return -1;
	while (__atomic_load_n(&w->awake, __ATOMIC_ACQUIRE) < round)
		usleep(100);
	return w->cpu == w->home;
}

FIXTURE_TEARDOWN(delay_migrate)
{
	unsigned long long value = 1;

	if (!self->started)
		return;
	__atomic_store_n(&self->wakee.stop, true, __ATOMIC_RELEASE);
	if (write(self->wakee.fd, &value, sizeof(value)) == sizeof(value))
		pthread_join(self->wakee.thread, NULL);
	load_stop(&self->hogs);
	sched_feature_set(FEATURE, self->was_on);
}

TEST_F_TIMEOUT(delay_migrate, to_an_idle_cpu, 120)
{
	unsigned int round = 0, rounds;
	int stays, off = 0, on = 0;

	ASSERT_EQ(0, sched_feature_set(FEATURE, false));
	for (rounds = 0; rounds < MAX_ROUNDS && off < ENOUGH; rounds++, off += stays) {
		stays = wake(&self->wakee, &self->llc, ++round);
		ASSERT_LE(0, stays);
	}
	ASSERT_EQ(0, sched_feature_set(FEATURE, true));
	for (rounds = round; rounds; rounds--, on += stays) {
		stays = wake(&self->wakee, &self->llc, ++round);
		ASSERT_LE(0, stays);
	}
	TH_LOG("of %u wakeups beside hogs %d stay with the bit off, %d with it on",
	       round / 2, off, on);
	EXPECT_LE(ENOUGH, off);
	/* Those that their CPU is just switching away from may stay. */
	EXPECT_LE(on, off / 10);
}

TEST_HARNESS_MAIN
