// SPDX-License-Identifier: GPL-2.0
/*
 * Invariants of the scheduler, looked at between events about every
 * millisecond. tests/mutants.tbl has a broken scheduler for each of them.
 *
 *   conserve  no task waits while a CPU that it may use stays idle
 *   starve    no task waits longer than its weight explains
 *   lag       an entity's lag stays within bounds (EEVDF only)
 *   vtime     virtual runtime grows by executed time over weight
 *   account   the sums a run queue keeps are those of its entities
 *   wakelist  a woken task gets onto a run queue
 *
 * and at each wakeup
 *
 *   clock     the run queue's clock shows the time, to the nanosecond
 */
#include "machine.h"
#include "kernel/sched/sched.h"

#define CONSERVE_NS	(60 * NSEC_PER_MSEC)	/* several balance intervals */
#define STARVE_NS	(40 * NSEC_PER_MSEC)
#define WAKELIST_NS	(5 * NSEC_PER_MSEC)	/* above any idle exit */
#define MAX_REPORTS	3	/* of each invariant */

enum invariant { CONSERVE, STARVE, LAG, VTIME, ACCOUNT, WAKELIST, CLOCK, INVARIANTS };

static const char * const names[INVARIANTS] = {
	[CONSERVE] = "conserve", [STARVE] = "starve", [LAG] = "lag",
	[VTIME] = "vtime", [ACCOUNT] = "account", [WAKELIST] = "wakelist",
	[CLOCK] = "clock",
};

static __printf(3, 4) void violated(enum invariant i, int cpu, const char *fmt, ...)
{
	static int reports[INVARIANTS];
	char text[256];
	va_list args;

	sim_results.violations++;
	if (reports[i]++ >= MAX_REPORTS)
		return;
	va_start(args, fmt);
	vscnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	sim_print("violation of %s on CPU %d at %llu ns: %s\n", names[i], cpu,
		  sim_now, text);
	if (reports[i] == 1)
		sim_dump_cpu(cpu);
}

/*
 * The waker has just updated the clock. It began before the first wakeup, so
 * what counts is that it keeps its distance from simulated time.
 */
void sim_check_clock(struct rq *rq)
{
	static s64 distance;
	static bool known;
	s64 now = rq->clock - sim_now;

	if (!known) {
		distance = now;
		known = true;
	}
	if (now != distance)
		violated(CLOCK, cpu_of(rq), "the clock is %lld ns off", now - distance);
}

static bool cpu_is_idle(int cpu)
{
	struct rq *rq = cpu_rq(cpu);

	return is_idle_task(rq->curr) && !rq->nr_running && !rq->ttwu_pending &&
	       cpu_active(cpu);
}

/* Sums over the entities of a run queue, taken from the queue itself. */
struct sums {
	s64 key_weight;			/* without curr, as the kernel has it */
	unsigned long weight, load;
	unsigned int queued, tasks, delayed;
	u64 shortest, longest;
};

static void add_entity(struct cfs_rq *cfs_rq, struct sched_entity *se,
		       struct sums *s, bool in_tree)
{
	unsigned long weight = scale_load_down(se->load.weight);

	if (in_tree) {
		s->key_weight += (s64)(se->vruntime - SIM_V0(cfs_rq)) * weight;
		s->weight += weight;
	}
	s->load += se->load.weight;
	s->queued++;
	if (entity_is_task(se)) {
		s->tasks++;
		s->delayed += SIM_DELAYED(se);
	} else {
		s->tasks += SIM_H_NR(group_cfs_rq(se));
		s->delayed += SIM_H_DELAYED(group_cfs_rq(se));
	}
}

static void sum_up(struct cfs_rq *cfs_rq, struct sums *s)
{
	struct rb_node *node;

	memset(s, 0, sizeof(*s));
	for (node = rb_first_cached(&cfs_rq->tasks_timeline); node;
	     node = rb_next(node))
		add_entity(cfs_rq, rb_entry(node, struct sched_entity, run_node),
			   s, true);
	if (cfs_rq->curr && cfs_rq->curr->on_rq)
		add_entity(cfs_rq, cfs_rq->curr, s, false);
}

static void check_account(int cpu, struct cfs_rq *cfs_rq, struct sums *s)
{
	if (s->load != cfs_rq->load.weight)
		violated(ACCOUNT, cpu, "load %lu, its entities have %lu",
			 cfs_rq->load.weight, s->load);
	if (s->queued != SIM_NR_QUEUED(cfs_rq))
		violated(ACCOUNT, cpu, "nr_queued %u, entities %u",
			 SIM_NR_QUEUED(cfs_rq), s->queued);
	if (s->tasks != SIM_H_NR(cfs_rq))
		violated(ACCOUNT, cpu, "h_nr_queued %u, tasks %u",
			 SIM_H_NR(cfs_rq), s->tasks);
	if (s->delayed != SIM_H_DELAYED(cfs_rq))
		violated(ACCOUNT, cpu, "h_nr_delayed %u, delayed tasks %u",
			 SIM_H_DELAYED(cfs_rq), s->delayed);
#if SIM_EEVDF
	if (s->key_weight != SIM_AVG_KEY(cfs_rq) || s->weight != SIM_AVG_LOAD(cfs_rq))
		violated(ACCOUNT, cpu, "weighted sum %lld / %lu, entities %lld / %lu",
			 SIM_AVG_KEY(cfs_rq), (unsigned long)SIM_AVG_LOAD(cfs_rq),
			 s->key_weight, s->weight);
#endif
}

/*
 * The kernel clamps lag when an entity leaves; while it is queued, lag grows
 * by what others do in between. Twice the clamp and a tick bounds it.
 */
static void check_lag(int cpu, struct cfs_rq *cfs_rq, struct sums *s)
{
	struct sched_entity *curr = cfs_rq->curr;
	s64 sum = s->key_weight;
	unsigned long weight = s->weight;
	struct rb_node *node;
	s64 v;

	if (!weight)
		return;
	if (curr && curr->on_rq) {
		sum += (s64)(curr->vruntime - SIM_V0(cfs_rq)) *
			scale_load_down(curr->load.weight);
		weight += scale_load_down(curr->load.weight);
	}
	v = div64_s64(sum, weight);
	for (node = rb_first_cached(&cfs_rq->tasks_timeline); node;
	     node = rb_next(node)) {
		struct sched_entity *se = rb_entry(node, struct sched_entity, run_node);
		s64 lag = v - (s64)(se->vruntime - SIM_V0(cfs_rq));
		u64 limit = 2 * max_t(u64, 2 * SIM_SLICE(se), TICK_NSEC) + 2 * TICK_NSEC;

		limit = div64_u64(limit * NICE_0_LOAD, max(se->load.weight, 1UL));
		if (abs(lag) > limit)
			violated(LAG, cpu, "lag %lld ns, bound %llu, of %s", lag,
				 limit, entity_is_task(se) ? task_of(se)->comm : "a group");
	}
}

static void check_queues(int cpu)
{
	struct rq *rq = cpu_rq(cpu);
	struct cfs_rq *cfs_rq, *pos;
	struct sums s;

	list_for_each_entry_safe(cfs_rq, pos, &rq->leaf_cfs_rq_list,
				 leaf_cfs_rq_list) {
		if (cfs_rq->throttled)
			continue;
		sum_up(cfs_rq, &s);
		check_account(cpu, cfs_rq, &s);
		if (SIM_EEVDF && cfs_rq == &rq->cfs)
			check_lag(cpu, cfs_rq, &s);
	}
}

/* What was seen of a task at the last sample; see struct sim_task. */
static bool same_stint(struct sim_task *t)
{
	struct task_struct *p = &t->task;

	return t->seen.enqueues == t->enqueues && t->seen.cpu == task_cpu(p) &&
	       t->seen.weight == p->se.load.weight && p->se.on_rq;
}

static void check_vtime(struct sim_task *t)
{
	struct sched_entity *se = &t->task.se;
	u64 ran = se->sum_exec_runtime - t->seen.exec;
	u64 moved = se->vruntime - t->seen.vruntime;
	u64 want = div64_u64(ran * NICE_0_LOAD, max(se->load.weight, 1UL));
	u64 slack = 10000 + want / 500;		/* rounding of each update */

	if ((s64)moved < 0 || abs((s64)(moved - want)) > slack)
		violated(VTIME, task_cpu(&t->task),
			 "%s/%d ran %llu ns, vruntime grew by %lld instead of %llu",
			 t->task.comm, t->task.pid, ran, (s64)moved, want);
}

static void check_starve(struct sim_task *t)
{
	struct task_struct *p = &t->task;
	struct rq *rq = task_rq(p);
	struct sched_entity *se;
	u64 bound, round = 1024;

	if (rq->rt.rt_nr_running || rq->dl.dl_nr_running || p->se.cfs_rq->throttle_count)
		return;
	/* A round: everyone else's slices, as often as weights say, by level. */
	for (se = &p->se; se; se = se->parent)
		round = div64_u64(round * se->cfs_rq->load.weight,
				  max(se->load.weight, 1UL));
	bound = STARVE_NS + 4 * (SIM_SLICE(&p->se) + TICK_NSEC) * round / 1024;
	if (sim_now - t->seen.waits_since > bound)
		violated(STARVE, task_cpu(p), "%s/%d waits for %llu us, bound %llu",
			 p->comm, p->pid, (sim_now - t->seen.waits_since) / 1000,
			 bound / 1000);
}

/*
 * Work conservation: per CPU, the idle CPUs that could have taken one of its
 * waiting tasks at every sample since @since. None may be left for long after
 * all of them have had their turn to balance, as planned when the wait began.
 */
static struct {
	u64 since, planned;
	struct cpumask now, always;
} could_go[NR_CPUS];

static void note_waiting(struct task_struct *p, const struct cpumask *idle)
{
	struct cpumask mask;

	if (p->migration_disabled || p->se.cfs_rq->throttle_count)
		return;
	cpumask_and(&mask, p->cpus_ptr, idle);
	cpumask_or(&could_go[task_cpu(p)].now, &could_go[task_cpu(p)].now, &mask);
}

/*
 * Balancing that finds only pinned tasks backs off, up to half a second
 * (MAX_PINNED_INTERVAL). So how long is long depends on the intervals of the
 * domains; and tasks that were set free a moment ago ("bound") still wait for
 * the time that was planned when they were pinned.
 */
static u64 planned_balance(int from, const struct cpumask *cpus)
{
	struct sched_domain *sd;
	long last = 0, go;
	int cpu;

	for_each_cpu(cpu, cpus)
		for (sd = rcu_dereference_raw(cpu_rq(cpu)->sd); sd; sd = sd->parent) {
			if (!cpumask_test_cpu(from, sched_domain_span(sd)))
				continue;
			go = sd->last_balance + msecs_to_jiffies(sd->balance_interval) -
			     jiffies;
			last = max(last, go);
			break;
		}
	return sim_now + last * TICK_NSEC;
}

static u64 conserve_limit(void)
{
	struct sched_domain *sd;
	unsigned long ms = 0;
	int cpu;

	for_each_online_cpu(cpu)
		for (sd = rcu_dereference_raw(cpu_rq(cpu)->sd); sd; sd = sd->parent)
			ms = max(ms, sd->balance_interval);
	return CONSERVE_NS + 4 * ms * NSEC_PER_MSEC;
}

static void check_conserve(void)
{
	bool someone = false;
	int cpu;

	for (cpu = 0; cpu < sim_nr_cpus; cpu++) {
		someone |= !cpumask_empty(&could_go[cpu].now);
		if (!cpumask_and(&could_go[cpu].always, &could_go[cpu].always,
				 &could_go[cpu].now)) {
			could_go[cpu].since = sim_now;
			could_go[cpu].planned =
				planned_balance(cpu, &could_go[cpu].now);
			cpumask_copy(&could_go[cpu].always, &could_go[cpu].now);
		} else if (sim_now > could_go[cpu].planned + CONSERVE_NS &&
			   sim_now > could_go[cpu].planned + conserve_limit()) {
			violated(CONSERVE, cpu, "tasks wait here for %llu us while CPU %u stays idle",
				 (sim_now - could_go[cpu].since) / 1000,
				 cpumask_first(&could_go[cpu].always));
			could_go[cpu].since = could_go[cpu].planned = sim_now;
		}
		cpumask_clear(&could_go[cpu].now);
	}
	sim_results.samples_waiting += someone;
}

static void check_task(struct sim_task *t, const struct cpumask *idle)
{
	struct task_struct *p = &t->task;
	bool fair = p->sched_class == &fair_sched_class;
	u64 runs = p->nvcsw + p->nivcsw;

	if (t->wake_time && !p->on_rq && sim_now - t->wake_time > WAKELIST_NS)
		violated(WAKELIST, task_cpu(p), "%s/%d was woken %llu us ago and is on no run queue",
			 p->comm, p->pid, (sim_now - t->wake_time) / 1000);
	if (fair && same_stint(t))
		check_vtime(t);
	if (!sim_task_waiting(p) || runs != t->seen.runs)
		t->seen.waits_since = 0;
	if (sim_task_waiting(p)) {
		if (!t->seen.waits_since)
			t->seen.waits_since = sim_now;
		if (fair) {
			check_starve(t);
			note_waiting(p, idle);
		}
	}
	t->seen.runs = runs;
	t->seen.enqueues = t->enqueues;
	t->seen.cpu = task_cpu(p);
	t->seen.weight = p->se.load.weight;
	t->seen.exec = p->se.sum_exec_runtime;
	t->seen.vruntime = p->se.vruntime;
}

void sim_invariants_sample(void)
{
	static struct cpumask idle;
	struct sim_task *t;
	int cpu;

	cpumask_clear(&idle);
	for (cpu = 0; cpu < sim_nr_cpus; cpu++) {
		if (cpu_is_idle(cpu))
			cpumask_set_cpu(cpu, &idle);
		else if (sim_config.check)
			check_queues(cpu);
	}
	sim_results.samples++;
	if (!sim_config.check)
		return;
	list_for_each_entry(t, &sim_tasks, all)
		check_task(t, &idle);
	check_conserve();
}

static void dump_entity(struct cfs_rq *cfs_rq, struct sched_entity *se, s64 v,
			const char *mark)
{
	sim_print("  %s%-16s pid %-5d weight %-7lu vruntime %+lld lag %+lld",
		  mark, entity_is_task(se) ? task_of(se)->comm : "group",
		  entity_is_task(se) ? task_of(se)->pid : -1,
		  scale_load_down(se->load.weight),
		  (s64)(se->vruntime - SIM_V0(cfs_rq)),
		  v - (s64)(se->vruntime - SIM_V0(cfs_rq)));
#if SIM_EEVDF
	sim_print(" deadline %+lld slice %llu vlag %lld%s",
		  (s64)(se->deadline - se->vruntime), se->slice, se->vlag,
		  se->sched_delayed ? " delayed" : "");
#endif
	sim_print("\n");
}

/* The run queue as text; virtual times are relative to its zero. */
void sim_dump_cpu(int cpu)
{
	struct rq *rq = cpu_rq(cpu);
	struct cfs_rq *cfs_rq = &rq->cfs;
	struct sched_entity *curr = cfs_rq->curr;
	struct rb_node *node;
	struct sums s;
	s64 v = 0;

	sum_up(cfs_rq, &s);
	if (curr && curr->on_rq) {
		s.key_weight += (s64)(curr->vruntime - SIM_V0(cfs_rq)) *
			scale_load_down(curr->load.weight);
		s.weight += scale_load_down(curr->load.weight);
	}
	if (s.weight)
		v = div64_s64(s.key_weight, s.weight);
	sim_print("CPU %d at %llu ns: %u runnable, %u queued, %u delayed, running %s/%d, average vruntime %+lld\n",
		  cpu, sim_now, rq->nr_running, s.queued, s.delayed,
		  rq->curr->comm, rq->curr->pid, v);
	if (curr)
		dump_entity(cfs_rq, curr, v, "> ");
	for (node = rb_first_cached(&cfs_rq->tasks_timeline); node;
	     node = rb_next(node))
		dump_entity(cfs_rq, rb_entry(node, struct sched_entity, run_node),
			    v, "  ");
}
