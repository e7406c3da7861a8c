/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a twin needs: the helpers of ../kernel/workload.h, for a real kernel.
 *
 * A twin does with system calls what the simulator's workload of the same name
 * does with wait queues, with the same parameters.
 */
#ifndef SCHED_SIM_TWIN_H
#define SCHED_SIM_TWIN_H

#include <stdint.h>

typedef uint64_t u64;

struct task {
	char comm[16];
	int nice, tid;
	const char *group;	/* cgroup, or NULL */
	int cpu;		/* the only one allowed, or -1 */
	void (*fn)(struct task *t, void *arg);
	void *arg;
	u64 ops, rng;
	u64 debt_ns;		/* worked beyond what was asked for */
};

extern int nr_cpus;

void __attribute__((format(printf, 1, 2), noreturn)) die(const char *fmt, ...);

/* The value of NAME=VALUE; both engines get the same, so there is no default. */
u64 param(const char *name);
/* The one CPU of a parameter that is a list of CPUs, or -1 */
int param_cpu(const char *name);

struct task *spawn(const char *comm, void (*fn)(struct task *, void *), void *arg);

/* @ns give or take "spread" per cent */
u64 vary(struct task *t, u64 ns);

/* Use the CPU for @ns, not counting the time that other tasks had it. */
void work(struct task *t, u64 ns);

void *zalloc(unsigned long size);

/* twins-pipe.c: a message of eight bytes */
void put(int fd);
void get(int fd);

/* Each creates the tasks of a workload. */
void start_pipe(void);
void start_context1(void);
void start_hackbench(void);
void start_udp_rr(void);
void start_futex(void);
void start_schbench(void);
void start_nanosleep(void);
void start_dmatest(void);
void start_fork(void);
void start_hogs(void);
void start_mixed(void);

#endif
