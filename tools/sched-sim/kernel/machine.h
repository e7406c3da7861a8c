/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The simulated machine, as the files of kernel/ and workloads/ see it.
 *
 * Every simulated task is a coroutine on a stack of its own; the event loop
 * runs on the host's stack. %gs points at the per-CPU area of the CPU whose
 * event is handled. Code that runs in the loop must not use `current`, which
 * the compiler takes for a constant: it calls sim_current().
 */
#ifndef SCHED_SIM_MACHINE_H
#define SCHED_SIM_MACHINE_H

#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/sched/topology.h>
#include <linux/cpumask.h>
#include <linux/interrupt.h>
#include <linux/wait.h>
#include <linux/hrtimer.h>
#include <linux/mmu_context.h>
#include "sim.h"
#include "compat.h"

/*
 * Events of one CPU; at most one of each kind is pending, as in an APIC. Of those
 * that are due at the same time the first in this list is taken first.
 */
enum sim_slot {
	SLOT_USER,		/* the running task's CPU time is used up */
	SLOT_TIMER,		/* the clock event device */
	SLOT_RESCHED,		/* reschedule interrupt */
	SLOT_CALL,		/* function call interrupt */
	SLOT_POLL,		/* a polling idle loop sees need_resched */
	NR_SLOTS
};

/* A device interrupt: @fn runs in hard interrupt context on @cpu. */
struct sim_irq {
	u64 when, seq;
	int cpu;
	void (*fn)(void *arg);
	void *arg;
};

struct sim_cpu {
	u64 busy_until;		/* kernel work (switches, interrupts) is paid until */
	u64 stolen;		/* part of it that interrupted the running task */
	u64 idle_since;
	u64 ready_at;		/* leaving an idle state until */
	u64 idle_total, idle_mark;	/* time idle; counted until here */
	bool user;		/* the running task is in sim_consume() */
	bool halted;		/* in an idle state */
};

extern struct sim_cpu sim_cpus[NR_CPUS];
extern int sim_nr_cpus;
DECLARE_PER_CPU(unsigned long, sim_irq_flag);

/* event.c */
void sim_events_init(int cpus);
void sim_event_set(int cpu, enum sim_slot slot, u64 when);
void sim_event_clear(int cpu, enum sim_slot slot);
void sim_event_delay(int cpu, enum sim_slot slot, u64 by);
bool sim_event_pending(int cpu, enum sim_slot slot);
u64 sim_event_first(void);
void sim_raise_irq(int cpu, u64 delay, void (*fn)(void *), void *arg);

/* cpu.c */
int sim_distance(int a, int b);
void sim_cpus_init(void);
void sim_set_cpu(int cpu);
struct task_struct *sim_current(void);
void sim_charge(int cpu, u64 ns);

/* irq.c */
void sim_irq_init(void);
void sim_clock_init_cpu(int cpu);
struct clock_event_device *sim_clock_device(int cpu);

/* task.c */
struct sim_task {
	struct task_struct task;
	void (*fn)(void *arg);
	void *arg;
	void *stack;
	struct list_head all;
	bool measured;		/* belongs to the workload */
	u64 refill_ns;		/* owed after a migration */
	u64 wake_time;		/* woken and not yet running, else 0 */
	int wake_prev, wake_from;
	u64 ops, runtime_base;
	u64 migrations;
	u64 rng;
	u64 enqueues;
	struct {			/* at the last sample: invariants.c */
		u64 runs, enqueues, exec, vruntime, waits_since;
		unsigned long weight;
		int cpu;
	} seen;
};

extern struct list_head sim_tasks;
static inline struct sim_task *sim_task(struct task_struct *p)
{
	return container_of(p, struct sim_task, task);
}
void sim_task_init(void);
struct sim_task *sim_task_new(const char *name, void (*fn)(void *), void *arg,
			      struct task_group *tg);
struct task_struct *sim_idle_new(int cpu);
void *sim_stack_new(void (*entry)(void), unsigned long *sp);
void sim_task_start(struct sim_task *t, const struct cpumask *mask);
void sim_consume(u64 ns);
void sim_yield(void);
void sim_resume(void);
void sim_sleep(u64 ns);
struct task_group *sim_group_new(void);

/* lib.c */
u64 sim_random(u64 *state);
void sim_random_init(void);
void sim_deferred_run(void);
extern bool sim_deferred_pending;
void sim_print(const char *fmt, ...) __printf(1, 2);
void sim_die(const char *fmt, ...) __printf(1, 2) __noreturn;
void sim_refuse(const char *fmt, ...) __printf(1, 2) __noreturn;

/* balance.c */
extern bool sim_selecting;

/* workload.c */
extern u64 sim_created_at;

/* observe.c: decisions; metrics.c: figures; invariants.c */
enum sim_decision {
	SIM_SELECT,		/* select_task_rq() chose a CPU */
	SIM_WAKELIST,		/* ttwu_queue_cond() queued the wakee */
	SIM_PREEMPT,		/* does the wakee preempt? */
	SIM_ENQUEUE,
	SIM_DEQUEUE,		/* complete or delayed? */
	SIM_MIGRATE,
	SIM_SWITCH,
	SIM_DECISIONS
};
void sim_observe_init(void);
void sim_metrics_switch(struct task_struct *prev, struct task_struct *next);
void sim_metrics_waking(struct task_struct *p);
void sim_metrics_wakeup(struct task_struct *p);
void sim_metrics_migrate(struct task_struct *p, int to);
void sim_hist_add(struct sim_histogram *h, u64 v);
void sim_invariants_sample(void);
struct rq;
void sim_check_clock(struct rq *rq);
void sim_dump_cpu(int cpu);
bool sim_task_waiting(struct task_struct *p);

#endif
