/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Included ahead of every kernel object: turns spin loops and the scheduler's
 * tracepoints into calls of the simulator. No source of the tree is edited.
 */
#ifndef __ASSEMBLY__

/* fair.c: the run queues that balancing looks at, and the clock by which it prices itself. */
#ifdef SIM_BALANCE
#define _find_next_and_bit sim_balance_next
#define sched_clock_cpu sim_balance_clock
#endif

/* A spinning CPU lets simulated time pass, or the other CPUs would never run. */
#include <asm/vdso/processor.h>
void sim_cpu_relax(void);
#define cpu_relax() sim_cpu_relax()

#ifdef SIM_HOOKS
#include <linux/mm_types.h>
#include <trace/events/sched.h>
void sim_tp_waking(struct task_struct *p);
void sim_tp_wakeup(struct task_struct *p);
void sim_tp_switch(struct task_struct *prev, struct task_struct *next);
void sim_tp_migrate(struct task_struct *p, int cpu);
void sim_tp_wake_polling(int cpu);
#define trace_sched_waking(p)			sim_tp_waking(p)
#define trace_sched_wakeup(p)			sim_tp_wakeup(p)
#define trace_sched_wakeup_new(p)		sim_tp_wakeup(p)
#define trace_sched_switch(preempt, prev, next, state) sim_tp_switch(prev, next)
#define trace_sched_migrate_task(p, cpu)	sim_tp_migrate(p, cpu)
#define trace_sched_wake_idle_without_ipi(cpu)	sim_tp_wake_polling(cpu)

/* The wakelist: what ttwu_queue_cond() decided. */
#include <linux/smp.h>
void sim_queue_wakelist(int cpu, struct llist_node *node);
#define __smp_call_single_queue(cpu, node)	sim_queue_wakelist(cpu, node)
#endif

#endif
