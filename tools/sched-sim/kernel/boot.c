// SPDX-License-Identifier: GPL-2.0
/*
 * Boot, in the order of init/main.c and smp_init(), and the end of a run.
 */
#include "machine.h"
#include "workload.h"
#include <linux/init.h>
#include <linux/sched/init.h>
#include <linux/sched/clock.h>
#include <linux/sched/hotplug.h>
#include <linux/sched/topology.h>
#include <linux/tick.h>
#include <linux/timer.h>
#include <linux/stop_machine.h>
#include <linux/smp.h>
#include "kernel/sched/sched.h"

struct sim_config sim_config;

extern initcall_entry_t sim_early_start[], sim_early_end[];
extern initcall_entry_t sim_late_start[], sim_late_end[];
extern struct obs_kernel_param sim_setup_start[], sim_setup_end[];
void stop_machine_unpark(int cpu);

/* What is passed with --append reaches the kernel's own option parsers. */
static void parse_option(char *option)
{
	struct obs_kernel_param *o;
	bool known = false;

	for (o = sim_setup_start; o < sim_setup_end; o++) {
		size_t n = strlen(o->str);
		char *value = NULL;

		if (o->str[n - 1] == '=') {
			if (!strncmp(option, o->str, n))
				value = option + n;
		} else if (!strncmp(option, o->str, n) &&
			   (option[n] == '=' || !option[n])) {
			value = option + n + (option[n] == '=');
		}
		if (!value)
			continue;
		o->setup_func(value);
		known = true;
	}
	if (!known)
		sim_refuse("no kernel option \"%s\" in the simulated part of the kernel", option);
}

static void parse_options(char *line)
{
	char *option;

	while ((option = strsep(&line, " ")))
		if (*option)
			parse_option(option);
}

static const char * const feature_names[] = {
#define SCHED_FEAT(name, enabled)	#name,
#include "kernel/sched/features.h"
#undef SCHED_FEAT
};

static void set_feature(const char *word)
{
	bool on = true;
	const char *name = word;
	int i;

	if (!strncmp(word, "NO_", 3)) {
		on = false;
		name = word + 3;
	}
	for (i = 0; i < __SCHED_FEAT_NR; i++) {
		if (strcmp(name, feature_names[i]))
			continue;
		if (on)
			sysctl_sched_features |= 1UL << i;
		else
			sysctl_sched_features &= ~(1UL << i);
		return;
	}
	sim_refuse("this kernel has no feature bit %s; see --list", name);
}

static void set_features(char *list)
{
	char *word;

	while ((word = strsep(&list, ",")))
		if (*word)
			set_feature(word);
}

int sim_list_features(int index, const char **name, int *on)
{
	if (index >= __SCHED_FEAT_NR)
		return 0;
	*name = feature_names[index];
	*on = !!(sysctl_sched_features & (1UL << index));
	return 1;
}

static void call_initcalls(initcall_entry_t *from, initcall_entry_t *to)
{
	for (; from < to; from++)
		initcall_from_entry(from)();
}

static void init_thread(void *unused)
{
	int cpu;

	system_state = SYSTEM_SCHEDULING;
	sched_init_smp();
	system_state = SYSTEM_RUNNING;
	call_initcalls(sim_early_start, sim_early_end);
	/* The boot CPU's stopper was unparked by its initcall. */
	for_each_online_cpu(cpu)
		if (cpu)
			stop_machine_unpark(cpu);
	call_initcalls(sim_late_start, sim_late_end);
	/*
	 * Setting up timer migration (6.9) has waited for every CPU. Without
	 * it none has run yet, so to a fork none would look idle.
	 */
	if (LINUX_VERSION_CODE < KERNEL_VERSION(6, 9, 0))
		sim_sleep(NSEC_PER_MSEC);
	sim_workload_start();
}

static void online(int cpu)
{
	sim_set_cpu(cpu);
	if (cpu) {
		hrtimers_prepare_cpu(cpu);
		smpcfd_prepare_cpu(cpu);
		timers_prepare_cpu(cpu);
		hrtimers_cpu_starting(cpu);
	}
	cpumask_set_cpu(cpu, &__cpu_online_mask);
	sched_cpu_starting(cpu);
	sched_cpu_activate(cpu);
	sim_clock_init_cpu(cpu);
	atomic_inc(&__num_online_cpus);
}

void sim_boot(void)
{
	struct sim_task *init;
	int cpu;

	sim_random_init();
	sim_events_init(sim_config.topo.cpus);
	sim_cpus_init();
	sim_irq_init();
	sim_set_cpu(0);
	parse_options(sim_config.append);
	set_features(sim_config.features);
	sim_task_init();
	this_cpu_write(sim_hot(current_task), &init_task);
	cpumask_set_cpu(0, &__cpu_online_mask);
	cpumask_set_cpu(0, &__cpu_active_mask);

	sched_init();
	softirq_init();
	init_timers();
	hrtimers_init();
	call_function_init();
	sched_clock_init();
	for (cpu = 0; cpu < sim_nr_cpus; cpu++) {
		sim_set_cpu(0);
		per_cpu(sim_hot(current_task), cpu) = sim_idle_new(cpu);
	}
	for (cpu = 0; cpu < sim_nr_cpus; cpu++)
		online(cpu);
	sim_set_cpu(0);
	sim_observe_init();

	init = sim_task_new("init", init_thread, NULL, NULL);
	sim_task_start(init, NULL);
	for (cpu = 0; cpu < sim_nr_cpus; cpu++)
		sim_event_set(cpu, SLOT_USER, sim_now);
}
