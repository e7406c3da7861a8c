/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a workload needs: parameters, tasks, random numbers, and counting.
 *
 * A workload is a file in workloads/ that ends with SIM_WORKLOAD(). Its
 * start() runs in a task at the end of boot and creates the other tasks; they
 * use the kernel's own wait queues, timers and locks, and sim_consume() for
 * what they do in user space.
 */
#ifndef SCHED_SIM_WORKLOAD_H
#define SCHED_SIM_WORKLOAD_H

#include "machine.h"
#include <linux/slab.h>

struct sim_workload {
	const char *name;
	const char *about;	/* one sentence */
	const char *params;	/* "name=default meaning; ..." */
	void (*start)(void);
};

#define SIM_WORKLOAD(n, description, parameters, function)		\
	static const struct sim_workload workload_##n = {		\
		.name = #n, .about = description,			\
		.params = parameters, .start = function,		\
	};								\
	static const struct sim_workload * const workload_##n##_ptr	\
	__used __section("sim_workloads") = &workload_##n

/* Parameters: the value given on the command line, or the one in .params */
u64 sim_param(const char *name);
/* A list of CPUs, "0-3,8"; empty means any CPU */
const struct cpumask *sim_param_cpus(const char *name);

/*
 * A measured task. It sleeps for a random part of the start jitter first, so
 * that the tasks of a workload do not march in step.
 */
struct sim_task *sim_spawn(const char *name, void (*fn)(void *), void *arg,
			   const struct cpumask *cpus);
/* The same without start, for tasks that get a nice value or a policy first. */
struct sim_task *sim_spawn_stopped(const char *name, void (*fn)(void *),
				   void *arg, struct task_group *tg);

/* Random numbers of the running task. */
u64 sim_rand(void);
u64 sim_rand_below(u64 n);
/* @ns give or take the work jitter (parameter "spread" in per cent) */
u64 sim_vary(u64 ns);

/*
 * Return from a system call: a wakee that was to preempt its waker does so here,
 * before the waker can go on to its next wait. Not for kernel threads.
 *
 * Some time passes, even if costs are zero: a waker whose next wait began at
 * the very moment of the wakeup would have exactly its wakee's lag, and by that
 * tie nobody would ever preempt or be delayed. How much does not matter.
 */
static inline void sim_syscall_exit(void)
{
	sim_consume(1);
}

/* One operation of the workload is done; @latency is its duration, or 0. */
void sim_op(u64 latency);

void sim_workload_start(void);

#endif
