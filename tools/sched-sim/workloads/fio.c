// SPDX-License-Identifier: GPL-2.0
/*
 * fio with libaio on a device whose completions run in per-CPU kworkers, as
 * with iomap direct writes: iomap_dio_complete_work().
 *
 * A job keeps "depth" requests in flight. The device interrupts the CPU that
 * submitted, the handler queues the completion on that CPU's kworker, the
 * kworker runs it and wakes the job.
 */
#include "workload.h"
#include <linux/kthread.h>

struct request {
	struct list_head list;
	struct job *job;
	u64 submitted;
	int cpu;
};

struct job {
	wait_queue_head_t wait;
	struct list_head done, unused;
	u64 submit_ns, service_ns, reap_ns;
};

static struct pool {
	struct task_struct *worker;
	struct list_head work;
	u64 work_ns;
} pools[SIM_MAX_CPUS];

static void kworker(void *arg)
{
	struct pool *pool = arg;

	for (;;) {
		struct request *r;

		set_current_state(TASK_IDLE);
		if (list_empty(&pool->work)) {
			schedule();
			continue;
		}
		__set_current_state(TASK_RUNNING);
		r = list_first_entry(&pool->work, struct request, list);
		sim_consume(sim_vary(pool->work_ns));
		list_move_tail(&r->list, &r->job->done);
		wake_up(&r->job->wait);
	}
}

/* The device's interrupt: queue_work_on() the CPU it arrives on */
static void complete_irq(void *arg)
{
	struct request *r = arg;
	struct pool *pool = &pools[r->cpu];

	list_add_tail(&r->list, &pool->work);
	wake_up_process(pool->worker);
}

static void job_main(void *arg)
{
	struct job *j = arg;

	for (;;) {
		while (!list_empty(&j->unused)) {
			struct request *r = list_first_entry(&j->unused,
						struct request, list);

			sim_consume(sim_vary(j->submit_ns));
			list_del(&r->list);
			r->submitted = sim_now;
			r->cpu = raw_smp_processor_id();
			sim_raise_irq(r->cpu, sim_vary(j->service_ns),
				      complete_irq, r);
		}
		wait_event_interruptible(j->wait, !list_empty(&j->done));
		while (!list_empty(&j->done)) {
			struct request *r = list_first_entry(&j->done,
						struct request, list);

			sim_consume(sim_vary(j->reap_ns));
			sim_op(sim_now - r->submitted);
			list_move_tail(&r->list, &j->unused);
		}
	}
}

static void start_pools(void)
{
	int cpu;

	for_each_online_cpu(cpu) {
		struct pool *pool = &pools[cpu];
		char name[TASK_COMM_LEN];
		struct sim_task *t;

		INIT_LIST_HEAD(&pool->work);
		pool->work_ns = sim_param("work_ns");
		snprintf(name, sizeof(name), "kworker/%d", cpu);
		t = sim_task_new(name, kworker, pool, NULL);
		t->task.flags |= PF_KTHREAD | PF_NO_SETAFFINITY;
		t->measured = true;
		pool->worker = &t->task;
		sim_task_start(t, cpumask_of(cpu));
	}
}

static void start(void)
{
	const struct cpumask *cpus = sim_param_cpus("cpus");
	u64 i, k, n = sim_param("jobs"), depth = sim_param("depth");
	int split = sim_param("split"), cpu = -1;

	start_pools();
	for (i = 0; i < n; i++) {
		struct job *j = kzalloc(sizeof(*j), GFP_KERNEL);

		init_waitqueue_head(&j->wait);
		INIT_LIST_HEAD(&j->done);
		INIT_LIST_HEAD(&j->unused);
		j->submit_ns = sim_param("submit_ns");
		j->service_ns = sim_param("service_ns");
		j->reap_ns = sim_param("reap_ns");
		for (k = 0; k < depth; k++) {
			struct request *r = kzalloc(sizeof(*r), GFP_KERNEL);

			r->job = j;
			list_add(&r->list, &j->unused);
		}
		if (split) {
			cpu = cpumask_next_wrap(cpu, cpus ?: cpu_online_mask,
						-1, false);
			if (cpu >= nr_cpu_ids)
				cpu = cpumask_first(cpus ?: cpu_online_mask);
		}
		sim_spawn("fio", job_main, j, split ? cpumask_of(cpu) : cpus);
	}
}

SIM_WORKLOAD(fio, "jobs with I/O in flight, completed by per-CPU kworkers; latency is submit to reap",
	     "jobs=8; depth=32; submit_ns=4000 work per request; work_ns=3000 of the kworker; reap_ns=1000; service_ns=80000 of the device; cpus= CPUs allowed; split=0 1: a CPU per job (cpus_allowed_policy=split)",
	     start);
