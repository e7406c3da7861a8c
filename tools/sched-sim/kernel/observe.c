// SPDX-License-Identifier: GPL-2.0
/*
 * Every decision of the scheduler: a hash over all of them, a trace on
 * request.
 *
 * The scheduling classes are structures of functions that core.c calls through
 * p->sched_class, so each function of interest is replaced by one that calls
 * the original and notes what it decided. The rest comes from tracepoints and
 * from the call that queues a wakee on a wakelist (shim.h).
 */
#include "machine.h"
#include <linux/smp.h>
#include "kernel/sched/sched.h"

static const char * const decision_names[SIM_DECISIONS] = {
	[SIM_SELECT] = "select_task_rq",
	[SIM_WAKELIST] = "wakelist",
	[SIM_PREEMPT] = "preempt",
	[SIM_ENQUEUE] = "enqueue",
	[SIM_DEQUEUE] = "dequeue",
	[SIM_MIGRATE] = "migrate",
	[SIM_SWITCH] = "switch",
};

static void trace(enum sim_decision kind, int cpu, struct task_struct *p,
		  long a, long b)
{
	char line[192];
	int n;

	n = scnprintf(line, sizeof(line), "%llu %llu cpu%d %s %s/%d ",
		      sim_results.decisions, sim_now, cpu, decision_names[kind],
		      p->comm, p->pid);
	switch (kind) {
	case SIM_SELECT:
		n += scnprintf(line + n, sizeof(line) - n,
			       "from cpu%ld to cpu%ld\n", a, b);
		break;
	case SIM_WAKELIST:
		n += scnprintf(line + n, sizeof(line) - n, "of cpu%ld\n", a);
		break;
	case SIM_PREEMPT:
		n += scnprintf(line + n, sizeof(line) - n, "%s pid %ld\n",
			       b ? "preempts" : "does not preempt", a);
		break;
	case SIM_ENQUEUE:
		n += scnprintf(line + n, sizeof(line) - n, "on cpu%ld%s\n", a,
			       b ? ", was delayed" : "");
		break;
	case SIM_DEQUEUE:
		n += scnprintf(line + n, sizeof(line) - n, "from cpu%ld%s\n", a,
			       b ? ", delayed" : "");
		break;
	case SIM_MIGRATE:
		n += scnprintf(line + n, sizeof(line) - n,
			       "from cpu%ld to cpu%ld\n", a, b);
		break;
	default:
		n += scnprintf(line + n, sizeof(line) - n, "to pid %ld\n", a);
	}
	host_trace(line, n);
}

static void decide(enum sim_decision kind, struct task_struct *p, long a, long b)
{
	int cpu = raw_smp_processor_id();
	u64 h = sim_results.hash;
	u64 n = sim_results.decisions;

	h = (h ^ sim_now) * 0x9e3779b97f4a7c15ULL;
	h ^= h >> 29;
	h = (h ^ ((u64)kind | (u64)cpu << 4 | (u64)p->pid << 16 |
		  (u64)a << 36 | (u64)b << 52)) * 0xbf58476d1ce4e5b9ULL;
	h ^= h >> 32;
	sim_results.hash = h;
	if (unlikely(n >= sim_config.trace_from && n < sim_config.trace_to))
		trace(kind, cpu, p, a, b);
	sim_results.decisions++;
}

/* Before each decision (a switch: behind the pick): the run queues that it is about. */
static void before(int a, int b)
{
	if (likely(sim_results.decisions != sim_config.state_at))
		return;
	sim_dump_cpu(a);
	if (a != b)
		sim_dump_cpu(b);
}

/* One wrapper of each kind per class; the originals are kept beside them. */
#define OBSERVE(class)							\
static struct sched_class class##_original;				\
									\
static int class##_select(struct task_struct *p, int prev, int flags)	\
{									\
	int cpu;							\
									\
	before(raw_smp_processor_id(), prev);				\
	sim_selecting = true;						\
	cpu = class##_original.select_task_rq(p, prev, flags);		\
	sim_selecting = false;						\
	decide(SIM_SELECT, p, prev, cpu);				\
	return cpu;							\
}									\
									\
static void class##_preempt(struct rq *rq, struct task_struct *p, int flags) \
{									\
	bool already = test_tsk_need_resched(rq->curr);			\
									\
	before(cpu_of(rq), cpu_of(rq));					\
	class##_original.wakeup_preempt(rq, p, flags);			\
	decide(SIM_PREEMPT, p, rq->curr->pid,				\
	       !already && test_tsk_need_resched(rq->curr));		\
}									\
									\
static void class##_enqueue(struct rq *rq, struct task_struct *p, int flags) \
{									\
	bool delayed = SIM_DELAYED(&p->se);				\
									\
	before(cpu_of(rq), cpu_of(rq));					\
	class##_original.enqueue_task(rq, p, flags);			\
	if (flags & ENQUEUE_WAKEUP && sim_config.check)			\
		sim_check_clock(rq);					\
	sim_task(p)->enqueues++;					\
	sim_results.requeued += delayed;				\
	decide(SIM_ENQUEUE, p, cpu_of(rq), delayed);			\
}									\
									\
static sim_dequeue_t class##_dequeue(struct rq *rq, struct task_struct *p, int flags) \
{									\
	bool done;							\
									\
	before(cpu_of(rq), cpu_of(rq));					\
	done = sim_dequeue(class##_original.dequeue_task(rq, p, flags)); \
	sim_results.delayed += !done;					\
	if (cpu_of(rq) != raw_smp_processor_id())			\
		sim_charge(raw_smp_processor_id(),			\
			   sim_config.costs.lock_ns[			\
			   sim_distance(raw_smp_processor_id(), cpu_of(rq))]); \
	decide(SIM_DEQUEUE, p, cpu_of(rq), !done);			\
	sim_dequeue_return(done);					\
}									\
									\
static void class##_observe(void)					\
{									\
	struct sched_class *c = (struct sched_class *)&class##_sched_class; \
									\
	OPTIMIZER_HIDE_VAR(c);	/* it is declared const */		\
	class##_original = *c;						\
	c->select_task_rq = class##_select;				\
	c->wakeup_preempt = class##_preempt;				\
	c->enqueue_task = class##_enqueue;				\
	c->dequeue_task = class##_dequeue;				\
}

OBSERVE(fair)
OBSERVE(rt)
OBSERVE(dl)

void sim_queue_wakelist(int cpu, struct llist_node *node)
{
	struct task_struct *p = container_of(node, struct task_struct,
					     wake_entry.llist);

	sim_results.wakelist++;
	before(raw_smp_processor_id(), cpu);
	decide(SIM_WAKELIST, p, cpu, 0);
	__smp_call_single_queue(cpu, node);
}

void sim_tp_switch(struct task_struct *prev, struct task_struct *next)
{
	before(raw_smp_processor_id(), raw_smp_processor_id());
	decide(SIM_SWITCH, prev, next->pid, 0);
	sim_metrics_switch(prev, next);
}

void sim_tp_migrate(struct task_struct *p, int cpu)
{
	before(task_cpu(p), cpu);
	decide(SIM_MIGRATE, p, task_cpu(p), cpu);
	sim_metrics_migrate(p, cpu);
}

void sim_tp_waking(struct task_struct *p)
{
	sim_metrics_waking(p);
}

void sim_tp_wakeup(struct task_struct *p)
{
	sim_metrics_wakeup(p);
}

void sim_observe_init(void)
{
	fair_observe();
	rt_observe();
	dl_observe();
}
