// SPDX-License-Identifier: GPL-2.0
/*
 * The helpers that workloads are written with; see workload.h.
 */
#include "workload.h"
#include <linux/math64.h>
#include <linux/string.h>
#include "kernel/sched/sched.h"

extern const struct sim_workload *sim_workloads_start[], *sim_workloads_end[];

static const struct sim_workload *chosen;
static u64 spread_percent;
u64 sim_created_at = ~0ULL;	/* when start() ran; before that, never */

static const char *given(const char *name)
{
	int i;

	for (i = 0; i < sim_config.nr_params; i++)
		if (!strcmp(sim_config.params[i].name, name))
			return sim_config.params[i].value;
	return NULL;
}

/* The text behind "name=" in .params, or NULL if there is no such parameter. */
static const char *declared(const char *name)
{
	static const char common[] =
		"spread=20 random part of each piece of work, per cent";
	const char *lists[] = { chosen->params, common };
	size_t n = strlen(name), i;

	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		const char *s = lists[i];

		for (; s && *s; s = strchr(s, ';')) {
			s += strspn(s, "; ");
			if (!strncmp(s, name, n) && s[n] == '=')
				return s + n + 1;
		}
	}
	return NULL;
}

u64 sim_param(const char *name)
{
	const char *text = given(name);
	char number[24] = "";
	u64 value;

	if (!text) {
		text = declared(name);
		if (!text)
			sim_die("workload %s does not declare its parameter %s",
				chosen->name, name);
		strscpy(number, text, sizeof(number));
		number[strcspn(number, " ;")] = 0;
		text = number;
	}
	if (kstrtou64(text, 0, &value))
		sim_refuse("%s=%s is not a number", name, text);
	return value;
}

const struct cpumask *sim_param_cpus(const char *name)
{
	const char *text = given(name);
	struct cpumask *mask;

	if (!text || !*text)
		return NULL;
	mask = kzalloc(sizeof(*mask), GFP_KERNEL);
	if (cpulist_parse(text, mask) || cpumask_empty(mask) ||
	    !cpumask_subset(mask, cpu_online_mask))
		sim_refuse("%s=%s is not a list of CPUs of this machine", name, text);
	return mask;
}

static void check_params(void)
{
	int i;

	for (i = 0; i < sim_config.nr_params; i++)
		if (!declared(sim_config.params[i].name))
			sim_refuse("workload %s has no parameter %s; see --list",
				chosen->name, sim_config.params[i].name);
}

u64 sim_rand(void)
{
	return sim_random(&sim_task(current)->rng);
}

u64 sim_rand_below(u64 n)
{
	return mul_u64_u64_shr(sim_rand(), n, 64);
}

u64 sim_vary(u64 ns)
{
	u64 part = ns * spread_percent / 100;

	return part ? ns - part + sim_rand_below(2 * part + 1) : ns;
}

void sim_op(u64 latency)
{
	sim_task(current)->ops++;
	sim_results.ops++;
	if (latency)
		sim_hist_add(&sim_results.latency, latency);
}

struct spawned {
	void (*fn)(void *arg);
	void *arg;
};

static void spawned_main(void *data)
{
	struct spawned s = *(struct spawned *)data;

	kfree(data);
	if (sim_config.jitter_ns)
		sim_sleep(1 + sim_rand_below(sim_config.jitter_ns));
	s.fn(s.arg);
}

struct sim_task *sim_spawn_stopped(const char *name, void (*fn)(void *),
				   void *arg, struct task_group *tg)
{
	struct spawned *s = kmalloc(sizeof(*s), GFP_KERNEL);
	struct sim_task *t;

	*s = (struct spawned){ fn, arg };
	t = sim_task_new(name, spawned_main, s, tg);
	t->measured = true;
	return t;
}

struct sim_task *sim_spawn(const char *name, void (*fn)(void *), void *arg,
			   const struct cpumask *cpus)
{
	struct sim_task *t = sim_spawn_stopped(name, fn, arg, NULL);

	sim_task_start(t, cpus);
	return t;
}

const char *sim_workload_at(int index, const char **about)
{
	static char text[1024];

	if (index >= sim_workloads_end - sim_workloads_start)
		return NULL;
	scnprintf(text, sizeof(text), "%s\n      %s",
		  sim_workloads_start[index]->about,
		  sim_workloads_start[index]->params);
	*about = text;
	return sim_workloads_start[index]->name;
}

void sim_workload_start(void)
{
	const struct sim_workload **w;

	for (w = sim_workloads_start; w < sim_workloads_end; w++)
		if (!strcmp((*w)->name, sim_config.workload))
			chosen = *w;
	if (!chosen)
		sim_refuse("no workload %s; see --list", sim_config.workload);
	check_params();
	spread_percent = sim_param("spread");
	sim_created_at = sim_now;
	chosen->start();
}
