/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the sched selftests share: files, scheduler features, test modules, and
 * loads made of pinned threads.
 *
 * Functions return 0, or -1 with errno set, unless said otherwise.
 */
#ifndef SCHED_UTIL_H
#define SCHED_UTIL_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

#define SCHED_FEATURES	"/sys/kernel/debug/sched/features"

int write_file(const char *path, const char *text);
ssize_t read_file(const char *path, char *buf, size_t size);	/* terminated; length or -1 */

/* Is there a scheduler feature of this name, and is it on? */
bool sched_feature_exists(const char *name);
bool sched_feature_is_on(const char *name);
int sched_feature_set(const char *name, bool on);

/*
 * Module in test_modules/ beside the program. Loading returns 1 if it was there
 * already (whoever brought it takes it away), 0 if it is now, -1 on error.
 */
int load_test_module(const char *name);
int unload_test_module(const char *name);

/* A threaded cgroup2 group with the cpu controller, directly below the root. */
int cgroup_create(const char *name);
int cgroup_write(const char *name, const char *file, const char *text);
int cgroup_remove(const char *name);

int cpu_nth_allowed(int n);			/* CPU number, or -1 */
int cpu_llc(int cpu);				/* lowest CPU behind its L3 cache, or -1 */
int pin_thread(pid_t tid, int cpu);
bool thread_sleeps(pid_t tid);			/* of this process; false if it cannot be told */

/**
 * struct load - threads that run and sleep in turns
 * @nr:       how many threads
 * @cpu:      the CPU they are pinned to
 * @run_us:   longest turn of running, us of wall time; turns are random
 * @sleep_us: longest sleep, us; 0: never sleeps
 * @nice:     nice value
 * @cgroup:   name of a group made by cgroup_create(), or NULL
 * @stop:     set by load_stop()
 * @tid:      filled in by load_start(), for the test to disturb
 */
struct load {
	int nr, cpu, run_us, sleep_us, nice;
	const char *cgroup;

	bool stop;
	pid_t tid[16];
	pthread_t thread[16];
};

int load_start(struct load *load);
void load_stop(struct load *load);

/* Random number below @n (n > 0), from a seed of the caller's. */
unsigned int below(unsigned int *seed, unsigned int n);

#endif /* SCHED_UTIL_H */
