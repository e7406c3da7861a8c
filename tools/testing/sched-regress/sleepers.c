// SPDX-License-Identifier: GPL-2.0
/*
 * Tasks of different weights that run and sleep on one CPU, so that V moves while
 * some of them are delayed. The workload of that name, in the guest:
 *     sleepers LOOPS CPU COUNT:RUN_US:SLEEP_US:NICE...     SLEEP_US 0 never sleeps
 * Ends when all together have slept LOOPS times, however slow the host is, or
 * after a minute. Prints how long that took and how late they woke.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define MAX_TASKS	64
#define MAX_LATE	65536
#define MAX_SECONDS	60

struct task {
	pthread_t thread;
	long run_us, sleep_us;
	int nice;
};

static volatile int stop;
static int cpu;
static size_t loops;		/* wanted */
static double late[MAX_LATE];	/* us */
static size_t nr_late;

static double now_us(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static void run(long us)
{
	double end = now_us(CLOCK_THREAD_CPUTIME_ID) + us;

	while (now_us(CLOCK_THREAD_CPUTIME_ID) < end && !stop)
		;
}

static void nap(long us)
{
	double end = now_us(CLOCK_MONOTONIC) + us;
	struct timespec t = { end / 1e6, (long)(end * 1e3) % 1000000000 };
	size_t i;

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
	i = __atomic_fetch_add(&nr_late, 1, __ATOMIC_RELAXED);
	if (i < MAX_LATE)
		late[i] = now_us(CLOCK_MONOTONIC) - end;
	if (i + 1 >= loops)
		stop = 1;
}

static void *task_main(void *arg)
{
	struct task *t = arg;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) || setpriority(PRIO_PROCESS, gettid(), t->nice)) {
		perror("schedfix: sleepers");
		exit(1);
	}
	while (!stop) {
		run(t->run_us);
		if (t->sleep_us && !stop)
			nap(t->sleep_us);
	}
	return NULL;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	static struct task tasks[MAX_TASKS];
	double start = now_us(CLOCK_MONOTONIC);
	int i, j, n = 0;

	if (argc < 4)
		goto usage;
	loops = atol(argv[1]);
	cpu = atoi(argv[2]);
	if (loops < 1 || loops > MAX_LATE)
		goto usage;
	for (i = 3; i < argc; i++) {
		struct task t = {};
		int count;

		if (sscanf(argv[i], "%d:%ld:%ld:%d", &count, &t.run_us, &t.sleep_us, &t.nice) != 4 ||
		    count < 1 || n + count > MAX_TASKS)
			goto usage;
		for (j = 0; j < count; j++)
			tasks[n++] = t;
	}
	for (i = 0; i < n; i++)
		if (pthread_create(&tasks[i].thread, NULL, task_main, &tasks[i])) {
			perror("schedfix: sleepers");
			return 1;
		}
	while (!stop && now_us(CLOCK_MONOTONIC) - start < MAX_SECONDS * 1e6)
		usleep(100000);
	stop = 1;
	for (i = 0; i < n; i++)
		pthread_join(tasks[i].thread, NULL);
	if (nr_late < loops) {
		fprintf(stderr, "schedfix: sleepers: %zu of %zu loops in %d s; the host is too busy\n",
			nr_late, loops, MAX_SECONDS);
		return 1;
	}
	/* A few more come while the others stop. */
	nr_late = nr_late > MAX_LATE ? MAX_LATE : nr_late;
	qsort(late, nr_late, sizeof(*late), ascending);
	printf("time %.3f s time\nloops %zu loops count\nlate_p50 %.1f us time\nlate_p99 %.1f us time\n",
	       (now_us(CLOCK_MONOTONIC) - start) / 1e6, nr_late, late[nr_late / 2],
	       late[nr_late * 99 / 100]);
	return 0;
usage:
	fprintf(stderr, "usage: sleepers LOOPS CPU COUNT:RUN_US:SLEEP_US:NICE...\n");
	return 1;
}
