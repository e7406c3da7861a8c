// SPDX-License-Identifier: GPL-2.0
/*
 * Per-CPU kernel threads (stoppers, ksoftirqd) and CPU hotplug callbacks.
 */
#include "machine.h"
#include <linux/smpboot.h>
#include <linux/kthread.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/sched/hotplug.h>
#include "kernel/sched/sched.h"

struct percpu_thread {
	struct smp_hotplug_thread *ht;
	int cpu;
};

static void percpu_thread(void *arg)
{
	struct percpu_thread *t = arg;

	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (!t->ht->thread_should_run(t->cpu)) {
			schedule();
			continue;
		}
		__set_current_state(TASK_RUNNING);
		t->ht->thread_fn(t->cpu);
	}
}

int smpboot_register_percpu_thread(struct smp_hotplug_thread *ht)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct percpu_thread *arg = kmalloc(sizeof(*arg), GFP_KERNEL);
		char name[TASK_COMM_LEN];
		struct sim_task *t;

		*arg = (struct percpu_thread){ ht, cpu };
		snprintf(name, sizeof(name), ht->thread_comm, cpu);
		t = sim_task_new(name, percpu_thread, arg, NULL);
		t->task.flags |= PF_KTHREAD | PF_NO_SETAFFINITY;
		*per_cpu_ptr(ht->store, cpu) = &t->task;
		if (ht->create)
			ht->create(cpu);
		sim_task_start(t, cpumask_of(cpu));
		if (ht->unpark)
			ht->unpark(cpu);
	}
	return 0;
}

bool kthread_is_per_cpu(struct task_struct *p)
{
	return (p->flags & PF_KTHREAD) && p->nr_cpus_allowed == 1;
}

bool set_kthread_struct(struct task_struct *p)
{
	return true;
}

/* Callbacks of the states that our objects register; all CPUs are online. */
static void call_startup(void *fn)
{
	((int (*)(unsigned int))fn)(raw_smp_processor_id());
}

int __cpuhp_setup_state(enum cpuhp_state state, const char *name, bool invoke,
			int (*startup)(unsigned int cpu),
			int (*teardown)(unsigned int cpu), bool multi)
{
	int cpu;

	if (!invoke || !startup)
		return 0;
	for_each_online_cpu(cpu) {
		if (state < CPUHP_AP_ONLINE)
			startup(cpu);
		else
			smp_call_function_single(cpu, call_startup, startup, 1);
	}
	return 0;
}

void cpuset_update_active_cpus(void)
{
	partition_sched_domains(1, NULL, NULL);
}
