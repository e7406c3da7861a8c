// SPDX-License-Identifier: GPL-2.0
/*
 * How a wakeup reaches another CPU of the same LLC whose run queue is empty: the waker
 * puts the wakee on that CPU's wakelist, sends at most one IPI, and leaves the
 * run queue's lock to that CPU. Kernels before 5.8 took the lock; netperf UDP_STREAM
 * between two such CPUs lost 20 to 33 % by it.
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

FIXTURE_SETUP(ttwu_queue)
{
	int n, llc;

	if (geteuid())
		SKIP(return, "needs root");
	self->pair.sender = cpu_nth_allowed(0);
	self->pair.receiver = -1;
	llc = cpu_llc(self->pair.sender);
	for (n = 1; cpu_nth_allowed(n) >= 0 && self->pair.receiver < 0; n++)
		if (llc >= 0 && cpu_llc(cpu_nth_allowed(n)) == llc)
			self->pair.receiver = cpu_nth_allowed(n);
	if (self->pair.receiver < 0)
		SKIP(return, "needs two CPUs of one LLC");
	if (mkdir(TRACING, 0755) && errno != EEXIST)
		SKIP(return, "no trace instances: %s", strerror(errno));
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

TEST_F_TIMEOUT(ttwu_queue, queued_not_locked, 60)
{
	struct seen seen = {};
	unsigned long long value = 1;
	unsigned int round;
	char filter[64];

	snprintf(filter, sizeof(filter), "cpu == %d", self->pair.receiver);
	ASSERT_EQ(0, event_on("csd/csd_queue_cpu", filter));
	ASSERT_EQ(0, event_on("ipi/ipi_send_cpu", filter));
	ASSERT_EQ(0, event_on("sched/sched_waking", "0"));
	ASSERT_EQ(0, event_on("sched/sched_wakeup", "0"));
	ASSERT_EQ(0, write_file(TRACING "buffer_size_kb", "2048"));
	ASSERT_EQ(0, write_file(TRACING "trace", ""));
	ASSERT_EQ(0, pthread_create(&self->pair.thread, NULL, receiver_main,
				    &self->pair));
	for (round = 1; round <= ROUNDS; round++) {
		while (__atomic_load_n(&self->pair.asleep, __ATOMIC_ACQUIRE) < round)
			;
		while (variant->asleep && !thread_sleeps(self->pair.tid))
			usleep(100);
		ASSERT_EQ(sizeof(value), write(self->pair.fd, &value, sizeof(value)));
		/* Interrupts to that CPU from here on are none of the wakeup's. */
		ASSERT_EQ(0, write_file(TRACING "trace_marker", WOKEN));
	}
	pthread_join(self->pair.thread, NULL);
	ASSERT_EQ(0, write_file(TRACING "tracing_on", "0"));

	ASSERT_EQ(0, count(&self->pair, &seen));
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

TEST_HARNESS_MAIN
