// SPDX-License-Identifier: GPL-2.0
/*
 * How a wakeup reaches another CPU of the same LLC whose run queue is empty: the waker
 * puts the wakee on that CPU's wakelist, sends at most one IPI, and leaves the
 * run queue's lock to that CPU. Kernels before 5.8 took the lock; netperf UDP_STREAM
 * between two such CPUs lost 20 to 33 % by it.
 *
 * And TTWU_COND: a busy CPU of another LLC, which the wakee would have to wait for, is
 * not interrupted with the bit on.
 *
 * Seen by trace events, on any kernel: sched_wakeup comes from the CPU that enqueues
 * the wakee, csd_queue_cpu with sched_ttwu_pending from a waker that queues it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../kselftest_harness.h"
#include "sched_util.h"

#define TRACING		"/sys/kernel/tracing/instances/ttwu_queue/"
#define ROUNDS		300
#define WOKEN		"the wakeup is done"	/* mark of the sender's in the trace */

struct seen {
	int queued;		/* waker: put on the wakelist */
	int direct;		/* waker: enqueued by itself, so under the other's lock */
	int ipis;		/* waker: IPIs to the receiver */
	int wakeups;
};

struct pair {
	pthread_t thread;
	pid_t tid;
	int fd, receiver, sender;	/* CPUs */
	unsigned int asleep;		/* round */
};

FIXTURE(ttwu_queue) {
	struct pair pair;
	bool tracing;
};

FIXTURE_VARIANT(ttwu_queue) {
	bool asleep;			/* the receiver, when it is woken */
};

FIXTURE_VARIANT_ADD(ttwu_queue, idle) {
	.asleep = true,
};

/* Woken while it falls asleep, as often as it comes. */
FIXTURE_VARIANT_ADD(ttwu_queue, descheduling) {
	.asleep = false,
};

static void *receiver_main(void *arg)
{
	struct pair *p = arg;
	unsigned int round;
	unsigned long long value;

	p->tid = syscall(SYS_gettid);
	pin_thread(p->tid, p->receiver);
	for (round = 1; round <= ROUNDS; round++) {
		__atomic_store_n(&p->asleep, round, __ATOMIC_RELEASE);
		if (read(p->fd, &value, sizeof(value)) != sizeof(value))
			break;
	}
	return NULL;
}

static int event_on(const char *event, const char *filter)
{
	char path[256];

	snprintf(path, sizeof(path), TRACING "events/%s/filter", event);
	if (write_file(path, filter))
		return -1;
	snprintf(path, sizeof(path), TRACING "events/%s/enable", event);
	return write_file(path, "1");
}

/* Choose the CPUs, of one LLC or of two, and make the trace; what is missing, or NULL. */
static const char *pair_setup(struct pair *p, bool one_llc)
{
	int n, cpu, llc;

	p->sender = cpu_nth_allowed(0);
	p->receiver = -1;
	llc = cpu_llc(p->sender);
	for (n = 1; llc >= 0 && p->receiver < 0 && (cpu = cpu_nth_allowed(n)) >= 0; n++)
		if (cpu_llc(cpu) >= 0 && (cpu_llc(cpu) == llc) == one_llc)
			p->receiver = cpu;
	if (p->receiver < 0)
		return one_llc ? "needs two CPUs of one LLC" : "needs two LLCs";
	if (mkdir(TRACING, 0755) && errno != EEXIST)
		return "no trace instances";
	return NULL;
}

FIXTURE_SETUP(ttwu_queue)
{
	const char *missing;

	if (geteuid())
		SKIP(return, "needs root");
	if (!sched_feature_is_on("TTWU_QUEUE"))	/* PREEMPT_RT has it off */
		SKIP(return, "TTWU_QUEUE is off");
	missing = pair_setup(&self->pair, true);
	if (missing)
		SKIP(return, "%s", missing);
	self->tracing = true;
	self->pair.fd = eventfd(0, 0);
	ASSERT_LE(0, self->pair.fd);
	ASSERT_EQ(0, pin_thread(0, self->pair.sender));
}

FIXTURE_TEARDOWN(ttwu_queue)
{
	if (self->tracing)
		rmdir(TRACING);
}

/*
 * What the sender did for each wakeup of the receiver, by the trace: sched_waking, then
 * either csd_queue_cpu and what IPIs follow until the mark, or sched_wakeup.
 */
static int count(const struct pair *p, struct seen *seen)
{
	FILE *f = fopen(TRACING "trace", "r");
	enum { OTHER, WAKING, QUEUED } state = OTHER;
	char line[512], pid[32];

	if (!f)
		return -1;
	snprintf(pid, sizeof(pid), " pid=%d ", p->tid);
	while (fgets(line, sizeof(line), f)) {
		char *cpu = strchr(line, '[');

		if (line[0] == '#' || !cpu || atoi(cpu + 1) != p->sender)
			continue;
		if (strstr(line, " sched_waking: ")) {
			state = strstr(line, pid) ? WAKING : OTHER;
			seen->wakeups += state == WAKING;
		} else if (state == WAKING && strstr(line, " sched_wakeup: ")) {
			seen->direct += !!strstr(line, pid);
		} else if (state == WAKING && strstr(line, " csd_queue_cpu: ") &&
			   strstr(line, "sched_ttwu_pending")) {
			state = QUEUED;
			seen->queued++;
		} else if (state == QUEUED && strstr(line, " ipi_send_cpu: ")) {
			seen->ipis++;
		} else if (strstr(line, WOKEN)) {
			state = OTHER;
		}
	}
	fclose(f);
	return 0;
}

/* Wake the receiver @ROUNDS times and count; if @asleep, only once it sleeps. */
static int watch(struct pair *p, bool asleep, struct seen *seen)
{
	unsigned long long value = 1;
	unsigned int round;
	char filter[64];

	p->asleep = 0;
	snprintf(filter, sizeof(filter), "cpu == %d", p->receiver);
	if (event_on("csd/csd_queue_cpu", filter) || event_on("ipi/ipi_send_cpu", filter) ||
	    event_on("sched/sched_waking", "0") || event_on("sched/sched_wakeup", "0") ||
	    write_file(TRACING "buffer_size_kb", "2048") ||
	    write_file(TRACING "trace", "") || write_file(TRACING "tracing_on", "1"))
		return -1;
	if (pthread_create(&p->thread, NULL, receiver_main, p))
		return -1;
	for (round = 1; round <= ROUNDS; round++) {
		while (__atomic_load_n(&p->asleep, __ATOMIC_ACQUIRE) < round)
			;
		while (asleep && !thread_sleeps(p->tid))
			usleep(100);
		/* Interrupts to that CPU after the mark are none of the wakeup's. */
		if (write(p->fd, &value, sizeof(value)) != sizeof(value) ||
		    write_file(TRACING "trace_marker", WOKEN))
			return -1;
	}
	pthread_join(p->thread, NULL);
	return write_file(TRACING "tracing_on", "0") || count(p, seen) ? -1 : 0;
}

TEST_F_TIMEOUT(ttwu_queue, queued_not_locked, 60)
{
	struct seen seen = {};

	ASSERT_EQ(0, watch(&self->pair, variant->asleep, &seen));
	TH_LOG("%d wakeups: %d queued, %d enqueued by the waker, %d IPIs",
	       seen.wakeups, seen.queued, seen.direct, seen.ipis);
	EXPECT_LT(0, seen.queued);
	/* A tenth is left for what interrupts the sender meanwhile. */
	EXPECT_LE(seen.ipis, seen.queued + seen.queued / 10);
	if (!variant->asleep)	/* woken before it is off its CPU it is only marked runnable */
		return;
	EXPECT_LE(ROUNDS * 9 / 10, seen.wakeups);
	EXPECT_LE(seen.wakeups * 9 / 10, seen.queued);
	EXPECT_LE(seen.direct, seen.wakeups / 10);
}

FIXTURE(ttwu_cond) {
	struct pair pair;
	struct load hog;
	bool tracing, was_on, delayed;
};

FIXTURE_SETUP(ttwu_cond)
{
	const char *missing;

	if (!sched_feature_exists("TTWU_COND") || !sched_feature_is_on("TTWU_QUEUE"))
		SKIP(return, "no TTWU_COND in this kernel, or TTWU_QUEUE is off");
	missing = pair_setup(&self->pair, false);
	if (missing)
		SKIP(return, "%s", missing);
	self->tracing = true;
	self->was_on = sched_feature_is_on("TTWU_COND");
	/* A delayed wakee is enqueued by its waker in any case. */
	self->delayed = sched_feature_is_on("DELAY_DEQUEUE");
	if (self->delayed)
		ASSERT_EQ(0, sched_feature_set("DELAY_DEQUEUE", false));
	self->pair.fd = eventfd(0, 0);
	ASSERT_LE(0, self->pair.fd);
	self->hog = (struct load){ .nr = 1, .cpu = self->pair.receiver, .run_us = 5000 };
	ASSERT_EQ(0, load_start(&self->hog));
	ASSERT_EQ(0, pin_thread(0, self->pair.sender));
}

FIXTURE_TEARDOWN(ttwu_cond)
{
	if (!self->tracing)
		return;
	load_stop(&self->hog);
	sched_feature_set("TTWU_COND", self->was_on);
	if (self->delayed)
		sched_feature_set("DELAY_DEQUEUE", true);
	rmdir(TRACING);
}

TEST_F_TIMEOUT(ttwu_cond, busy_cpu_of_another_llc, 60)
{
	struct seen off = {}, on = {}, idle = {};

	ASSERT_EQ(0, sched_feature_set("TTWU_COND", false));
	ASSERT_EQ(0, watch(&self->pair, true, &off));
	ASSERT_EQ(0, sched_feature_set("TTWU_COND", true));
	ASSERT_EQ(0, watch(&self->pair, true, &on));
	TH_LOG("queued with the bit off %d of %d, with it on %d of %d; IPIs %d and %d",
	       off.queued, off.wakeups, on.queued, on.wakeups, off.ipis, on.ipis);
	EXPECT_LE(ROUNDS * 9 / 10, off.wakeups);
	EXPECT_LE(off.wakeups * 9 / 10, off.queued);
	EXPECT_LE(ROUNDS * 9 / 10, on.wakeups);
	EXPECT_LE(on.wakeups * 9 / 10, on.direct);
	EXPECT_LE(on.queued, on.wakeups / 10);

	/* One that has nothing to run is interrupted as before. */
	load_stop(&self->hog);
	self->hog.nr = 0;
	ASSERT_EQ(0, watch(&self->pair, true, &idle));
	TH_LOG("idle: queued %d of %d", idle.queued, idle.wakeups);
	EXPECT_LE(ROUNDS * 9 / 10, idle.wakeups);
	EXPECT_LE(idle.wakeups * 9 / 10, idle.queued);
}

TEST_HARNESS_MAIN
