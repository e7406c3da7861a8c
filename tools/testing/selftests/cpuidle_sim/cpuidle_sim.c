// SPDX-License-Identifier: GPL-2.0
/*
 * cpuidle-sim: the exit from an idle state is paid by whatever wakes the CPU.
 *
 * A thread sleeps alone on a CPU and is woken by a timer of its own, or by a
 * task on another CPU through an IPI. With the deep state disabled in sysfs
 * it must run earlier by that state's exit latency, within 20 %. What is compared
 * is the first quartile, of measurements in turns: a host that does not let
 * an emulated CPU run makes it late, never early. A CPU that is awake pays nothing.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../kselftest_harness.h"

#define EXIT_US		1500
#define RESIDENCY_US	3000
#define SLEEP_US	20000	/* long enough for the deep state */
#define BUSY_US		100000	/* ten ticks or more */
#define NR		40	/* measurements with and as many without it */
#define CPU		1	/* where the thread sleeps, and another one */
#define OTHER_CPU	0
#define DEEP(cpu)	"/sys/devices/system/cpu/cpu" #cpu "/cpuidle/state1/"

static long now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000L + t.tv_nsec / 1000;
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static int set_disabled(const char *file, int disabled)
{
	int fd = open(file, O_WRONLY);
	int ok = fd >= 0 && write(fd, disabled ? "1" : "0", 1) == 1;

	if (fd >= 0)
		close(fd);
	return ok ? 0 : -1;
}

static long usage(void)
{
	long n = -1;
	FILE *f = fopen(DEEP(1) "usage", "r");

	if (f) {
		if (fscanf(f, "%ld", &n) != 1)
			n = -1;
		fclose(f);
	}
	return n;
}

/* How late a timer is, us. */
static long timer_latency(void)
{
	long until = now_us() + SLEEP_US;
	struct timespec t = { until / 1000000, until % 1000000 * 1000 };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
	return now_us() - until;
}

static int pipe_fd[2];

static void *waker(void *unused)
{
	long sent;

	pin(OTHER_CPU);
	for (;;) {
		usleep(SLEEP_US);
		sent = now_us();
		if (write(pipe_fd[1], &sent, sizeof(sent)) < 0)
			return NULL;
	}
}

/* From a write on another CPU until the reader runs, us. */
static long ipi_latency(void)
{
	long sent;

	if (read(pipe_fd[0], &sent, sizeof(sent)) != sizeof(sent))
		return -1;
	return now_us() - sent;
}

static int compare(const void *a, const void *b)
{
	long x = *(const long *)a, y = *(const long *)b;

	return (x > y) - (x < y);
}

static long quartile(long *v)
{
	qsort(v, NR, sizeof(*v), compare);
	return v[NR / 4];
}

/* How often a busy CPU stands still for as long as an exit takes. */
static long stalls(void)
{
	long before, now, end, n = 0;

	timer_latency();	/* it was in the deep state */
	before = now_us();
	end = before + BUSY_US;
	while ((now = now_us()) < end) {
		n += now - before >= EXIT_US;
		before = now;
	}
	return n;
}

/* What the deep state adds to a latency, us. */
static long cost_of_state(struct __test_metadata *_metadata, long (*latency)(void))
{
	long with[NR], without[NR];
	int i;

	for (i = 0; i < NR; i++) {
		ASSERT_EQ(0, set_disabled(DEEP(1) "disable", 1));
		latency();
		without[i] = latency();
		ASSERT_EQ(0, set_disabled(DEEP(1) "disable", 0));
		latency();
		with[i] = latency();
	}
	TH_LOG("latency: %ld us with the state, %ld us without", quartile(with),
	       quartile(without));
	return quartile(with) - quartile(without);
}

FIXTURE(cpuidle_sim) {
};

FIXTURE_SETUP(cpuidle_sim)
{
	char command[128];

	if (geteuid())
		SKIP(return, "needs root");
	snprintf(command, sizeof(command),
		 "modprobe cpuidle-sim exit_us=2,%d residency_us=2,%d", EXIT_US, RESIDENCY_US);
	if (system(command) || access(DEEP(1), F_OK))
		SKIP(return, "needs cpuidle-sim and no other cpuidle driver");
	pin(CPU);
}

FIXTURE_TEARDOWN(cpuidle_sim)
{
	set_disabled(DEEP(1) "disable", 0);
	set_disabled(DEEP(0) "disable", 0);
}

TEST_F_TIMEOUT(cpuidle_sim, timer, 60)
{
	long before = usage(), cost = cost_of_state(_metadata, timer_latency);

	EXPECT_LT(before, usage());
	EXPECT_GE(cost, EXIT_US * 80 / 100);
	EXPECT_LE(cost, EXIT_US * 120 / 100);
}

TEST_F_TIMEOUT(cpuidle_sim, ipi, 60)
{
	pthread_t thread;
	long cost;

	ASSERT_EQ(0, pipe(pipe_fd));
	/* That CPU pays nothing, before or after it looks at the clock. */
	ASSERT_EQ(0, set_disabled(DEEP(0) "disable", 1));
	ASSERT_EQ(0, pthread_create(&thread, NULL, waker, NULL));
	cost = cost_of_state(_metadata, ipi_latency);
	EXPECT_GE(cost, EXIT_US * 80 / 100);
	EXPECT_LE(cost, EXIT_US * 120 / 100);
}

TEST_F_TIMEOUT(cpuidle_sim, busy, 60)
{
	long least = stalls();
	int i;

	for (i = 1; i < NR; i++) {
		long n = stalls();

		least = n < least ? n : least;
	}
	TH_LOG("stalls in %d ms of work: %ld", BUSY_US / 1000, least);
	EXPECT_LT(least, 5);
}

TEST_HARNESS_MAIN
