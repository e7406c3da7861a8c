/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Differences between kernel versions, all in one place. The newest kernel's
 * names are used; what an older one lacks is defined here.
 */
#ifndef SCHED_SIM_COMPAT_H
#define SCHED_SIM_COMPAT_H

#include <linux/version.h>
#include <linux/sched/cputime.h>	/* 6.1: sched.h wants it */

#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 0, 0)
#include <linux/hrtimer_rearm.h>
#define SIM_CLOCK_KTIME		0
#define sim_irq_tail()		hrtimer_rearm_deferred()
/* Names in struct cfs_rq */
#define SIM_NR_QUEUED(q)	((q)->nr_queued)
#define SIM_AVG_KEY(q)		((q)->sum_w_vruntime)
#define SIM_AVG_LOAD(q)		((q)->sum_weight)
#else
#define SIM_NR_QUEUED(q)	((q)->nr_running)
#define SIM_AVG_KEY(q)		((q)->avg_vruntime)
#define SIM_AVG_LOAD(q)		((q)->avg_load)
#define SIM_CLOCK_KTIME		CLOCK_EVT_FEAT_KTIME
#define sim_irq_tail()		do { } while (0)
#endif

/*
 * Before EEVDF (6.6) there is no lag, no deadline, no delayed dequeue and no
 * average vruntime; a wait is bounded by rounds of the least granularity.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 6, 0)
#define SIM_EEVDF		1
#define SIM_H_NR(q)		((q)->h_nr_queued)
#define SIM_H_DELAYED(q)	((q)->h_nr_delayed)
#define SIM_DELAYED(se)		((se)->sched_delayed)
#define SIM_SLICE(se)		((se)->slice)
#define SIM_V0(q)		((q)->zero_vruntime)
#else
#define SIM_EEVDF		0
#define SIM_H_NR(q)		((q)->h_nr_running)
#define SIM_H_DELAYED(q)	0
#define SIM_DELAYED(se)		false
#define SIM_SLICE(se)		((u64)sysctl_sched_min_granularity)
#define SIM_V0(q)		((q)->min_vruntime)
#define wakeup_preempt		check_preempt_curr
#define __wake_up_on_current_cpu(wait, mode, key) \
	sim_refuse("current_cpu=: this kernel has no WF_CURRENT_CPU")
#endif

/* Until 6.12 neither a dequeue nor a fork into a group could fail. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#define sim_dequeue_t		bool
#define sim_dequeue(call)	(call)
#define sim_dequeue_return(done) return done
#define sim_cgroup_fork(p, args) sched_cgroup_fork(p, args)
#else
#define sim_dequeue_t		void
#define sim_dequeue(call)	((call), true)
#define sim_dequeue_return(done) do { } while (0)
#define sim_cgroup_fork(p, args) (sched_cgroup_fork(p, args), 0)
#endif

/* Until 6.2 what is in struct pcpu_hot are variables of their own. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
#define sim_hot(field)		pcpu_hot.field
#else
#define sim_hot(field)		field
#endif

/* Until 6.4 kvfree_rcu() passed an offset instead of the object. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0)
#define sim_kvfree_rcu_t	void *
#else
#define sim_kvfree_rcu_t	rcu_callback_t
#endif

/* Allocation profiling (6.10) renamed the functions behind kmalloc() and others. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 10, 0)
#define DECL_BUCKET_PARAMS(size, b)	size_t (size)
#define __kmalloc_noprof		__kmalloc
#define __kmalloc_node_noprof		__kmalloc_node
#define __kmalloc_cache_noprof(s, flags, size)	kmalloc_trace(s, flags, size)
#define __kmalloc_cache_node_noprof	kmalloc_node_trace
#define __kmalloc_large_noprof		kmalloc_large
#define kmem_cache_alloc_noprof		kmem_cache_alloc
#endif

#endif
