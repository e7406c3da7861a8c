// SPDX-License-Identifier: GPL-2.0
/*
 * Figures of a run: waits, placements, migrations, utilisation, timeline.
 */
#include "machine.h"
#include <linux/sched/cputime.h>
#include "kernel/sched/sched.h"

struct sim_results sim_results;

/* Buckets of 1/32 of a power of two: at most 3 % wide. */
void sim_hist_add(struct sim_histogram *h, u64 v)
{
	int shift = v < SIM_HIST_SUB ? 0 : fls64(v) - 6;
	int i = shift * SIM_HIST_SUB + (v >> shift);

	h->bucket[min(i, SIM_HIST_BUCKETS - 1)]++;
	h->count++;
	h->sum += v;
	h->max = max(h->max, v);
}

static void timeline_run(int cpu, struct task_struct *p, u64 from, u64 to)
{
	char line[192];
	int n;

	n = scnprintf(line, sizeof(line),
		      "{\"name\":\"%s %d\",\"ph\":\"X\",\"pid\":0,\"tid\":%d,\"ts\":%llu.%03llu,\"dur\":%llu.%03llu},\n",
		      p->comm, p->pid, cpu, from / 1000, from % 1000,
		      (to - from) / 1000, (to - from) % 1000);
	host_timeline(line, n);
}

static void timeline_mark(int cpu, const char *what, int pid)
{
	char line[192];
	int n;

	n = scnprintf(line, sizeof(line),
		      "{\"name\":\"%s %d\",\"ph\":\"i\",\"s\":\"t\",\"pid\":0,\"tid\":%d,\"ts\":%llu.%03llu},\n",
		      what, pid, cpu, sim_now / 1000, sim_now % 1000);
	host_timeline(line, n);
}

static u64 switched_at[NR_CPUS];

/* @p had the CPU until now. */
static void timeline_stop(int cpu, struct task_struct *p)
{
	if (!is_idle_task(p) && sim_now > switched_at[cpu])
		timeline_run(cpu, p, switched_at[cpu], sim_now);
	switched_at[cpu] = sim_now;
}

void sim_metrics_switch(struct task_struct *prev, struct task_struct *next)
{
	int cpu = raw_smp_processor_id();
	struct sim_cpu *c = &sim_cpus[cpu];
	struct sim_task *t;
	u64 runs_at;

	sim_results.switches++;
	if (!is_idle_task(prev) && READ_ONCE(prev->__state) == TASK_RUNNING)
		sim_results.preemptions++;
	sim_charge(cpu, sim_config.costs.switch_ns);
	if (unlikely(sim_config.timeline))
		timeline_stop(cpu, prev);
	if (is_idle_task(next))
		return;
	t = sim_task(next);
	if (t->wake_time) {
		runs_at = max(sim_now, c->busy_until);
		if (t->measured)
			sim_hist_add(&sim_results.wakeup, runs_at - t->wake_time);
		t->wake_time = 0;
	}
}

void sim_metrics_waking(struct task_struct *p)
{
	struct sim_task *t = sim_task(p);

	sim_results.wakeups++;
	if (task_on_cpu(task_rq(p), p))
		return;		/* it had not gone to sleep yet */
	t->wake_time = sim_now;
	t->wake_prev = task_cpu(p);
	t->wake_from = raw_smp_processor_id();
	if (unlikely(sim_config.timeline))
		timeline_mark(t->wake_from, "wakes", p->pid);
}

/* The wakee is on a run queue now: by its waker, or by its own CPU's wakelist. */
void sim_metrics_wakeup(struct task_struct *p)
{
	struct sim_task *t = sim_task(p);
	int cpu = task_cpu(p), this_cpu = raw_smp_processor_id();

	if (cpu != this_cpu) {
		sim_results.remote_locks++;
		sim_charge(this_cpu, sim_config.costs.lock_ns[
				sim_distance(this_cpu, cpu)]);
	}
	if (!t->measured || !t->wake_time)
		return;
	sim_results.place_prev[sim_distance(t->wake_prev, cpu)]++;
	sim_results.place_waker[sim_distance(t->wake_from, cpu)]++;
}

void sim_metrics_migrate(struct task_struct *p, int to)
{
	struct sim_task *t = sim_task(p);
	int d = sim_distance(task_cpu(p), to);

	sim_results.migrations++;
	sim_results.moves[d]++;
	t->migrations++;
	t->refill_ns = sim_config.costs.refill_ns[d];
}

bool sim_task_waiting(struct task_struct *p)
{
	return task_on_rq_queued(p) && !task_on_cpu(task_rq(p), p) &&
	       !SIM_DELAYED(&p->se);
}

/* Begin to measure: what came before was start-up. */
void sim_reset_results(void)
{
	struct sim_results *r = &sim_results;
	u64 decisions = r->decisions, hash = r->hash, warnings = r->warnings;
	u64 violations = r->violations, events = r->events;
	struct sim_task *t;
	int cpu;

	memset(r, 0, sizeof(*r));
	r->decisions = decisions;
	r->hash = hash;
	r->warnings = warnings;
	r->violations = violations;
	r->events = events;
	for (cpu = 0; cpu < sim_nr_cpus; cpu++) {
		sim_cpus[cpu].idle_total = 0;
		sim_cpus[cpu].idle_mark = sim_now;
	}
	list_for_each_entry(t, &sim_tasks, all) {
		t->ops = 0;
		t->migrations = 0;
		t->runtime_base = t->task.se.sum_exec_runtime;
		t->task.nvcsw = 0;
		t->task.nivcsw = 0;
		t->task.sched_info.run_delay = 0;
	}
}

static void add_fairness(struct sim_task *t, u64 *least, u64 *most)
{
	u64 weight = scale_load_down(t->task.se.load.weight);
	u64 share = (t->task.se.sum_exec_runtime - t->runtime_base) * 1024;

	share = div64_u64(share, max(weight, 1ULL));
	*least = min(*least, share);
	*most = max(*most, share);
}

/* Sum up what is kept per task and per CPU. */
void sim_finish(void)
{
	struct sim_results *r = &sim_results;
	u64 least = ~0ULL, most = 0;
	struct sim_task *t;
	int cpu;

	for (cpu = 0; cpu < sim_nr_cpus; cpu++) {
		struct sim_cpu *c = &sim_cpus[cpu];

		r->idle_ns += c->idle_total;
		if (is_idle_task(cpu_rq(cpu)->curr) && c->halted)
			r->idle_ns += sim_now - c->idle_mark;
		if (sim_config.timeline)
			timeline_stop(cpu, cpu_rq(cpu)->curr);
	}
	list_for_each_entry(t, &sim_tasks, all) {
		if (!t->measured)
			continue;
		r->run_delay_ns += t->task.sched_info.run_delay;
		add_fairness(t, &least, &most);
	}
	if (least && least != ~0ULL)
		r->fairness_ppm = div64_u64(most * 1000, max(least / 1000, 1ULL));
}

int sim_task_info(int index, struct sim_task_info *info)
{
	struct sim_task *t;

	list_for_each_entry(t, &sim_tasks, all) {
		struct task_struct *p = &t->task;

		if (!t->measured || index--)
			continue;
		strscpy(info->comm, p->comm, sizeof(info->comm));
		info->pid = p->pid;
		info->cpu = task_cpu(p);
		info->nice = task_nice(p);
		info->runtime_ns = p->se.sum_exec_runtime - t->runtime_base;
		info->run_delay_ns = p->sched_info.run_delay;
		info->ops = t->ops;
		info->migrations = t->migrations;
		info->voluntary = p->nvcsw;
		info->involuntary = p->nivcsw;
		return 1;
	}
	return 0;
}
