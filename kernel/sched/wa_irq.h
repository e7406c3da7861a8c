/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When is a wakee bound to an interrupt (WA_IRQ)? The rule, apart from the
 * runqueue so that it can be tested on its own.
 *
 * Both sides must have shown it, in an unbroken streak of wakeups: the wakee is
 * woken by interrupts on this idle CPU only, and this CPU's interrupts, while it
 * idles, wake nobody else. One side alone says little: each thread behind a
 * shared interrupt is woken by one CPU only, and each CPU that an interrupt
 * rotates over wakes only one thread.
 *
 *	wakeups of p by idle CPU 3:	1 2 3 ... 16 17		pulled to CPU 3
 *	CPU 3 wakes q, or p is woken
 *	by CPU 5, or by a running task:	streak = 0
 *
 * Each pull doubles the streak that the next one takes, until one has lasted so
 * long that pulls are rare anyway. Interrupts that keep moving, bursts or a load
 * balancer that disagrees cause a pull per IRQ_BOUND_MAX wakeups at most.
 */
#ifndef _KERNEL_SCHED_WA_IRQ_H
#define _KERNEL_SCHED_WA_IRQ_H

#include <linux/limits.h>
#include <linux/numa.h>
#include <linux/sched.h>

#define IRQ_BOUND	16	/* wakeups in a row to be bound */
#define IRQ_BOUND_MAX	128	/* ... after some pulls */
#define IRQ_BOUND_LASTS	U8_MAX	/* ... to forget those */

/**
 * irq_binding_record - note a wakeup
 * @b:    the wakee's
 * @cpu:  this CPU
 * @idle: it is idle, so an interrupt wakes
 * @same: when this task (the idle one) last woke somebody, it was the wakee
 *
 * Called for each wakeup while WA_IRQ is on.
 */
static inline void irq_binding_record(struct irq_binding *b, int cpu, bool idle, bool same)
{
	if (!idle) {
		if (b->streak)
			b->streak = 0;
	} else if (!same || b->cpu != cpu) {
		b->cpu = cpu;
		b->streak = 0;
	} else if (b->streak < IRQ_BOUND_LASTS) {
		b->streak++;
	} else if (b->pulls) {
		b->pulls = 0;
	}
}

/* Is the wakee bound to interrupts of the CPU that it was just recorded with? */
static inline bool irq_bound(const struct irq_binding *b)
{
	return b->streak >= IRQ_BOUND << b->pulls;
}

/* It is pulled for that. */
static inline void irq_binding_pulled(struct irq_binding *b)
{
	b->streak = 0;
	if (IRQ_BOUND << b->pulls < IRQ_BOUND_MAX)
		b->pulls++;
}

/* Does the wakee's preferred NUMA node, if it has one, allow it on this one? */
static inline bool irq_pull_node(int preferred, int nid)
{
	return preferred == NUMA_NO_NODE || preferred == nid;
}

#endif /* _KERNEL_SCHED_WA_IRQ_H */
