// SPDX-License-Identifier: GPL-2.0
/*
 * Everything that changes at run time: cgroup weights and quota, FIFO and
 * deadline tasks beside fair ones, nice values, and a CPU that goes and comes.
 *
 * "Goes" is the scheduler's part of hotplug: the CPU is deactivated, its tasks
 * are pushed away, domains are rebuilt. It keeps its idle loop.
 */
#include "workload.h"
#include <linux/cgroup.h>
#include <linux/cpuset.h>
#include <linux/sched/hotplug.h>
#include <uapi/linux/sched/types.h>
#include "kernel/sched/sched.h"

static void hog(void *unused)
{
	for (;;) {
		sim_consume(sim_vary(2 * NSEC_PER_MSEC));
		sim_op(0);
	}
}

static void periodic(void *unused)
{
	for (;;) {
		sim_consume(sim_vary(2 * NSEC_PER_MSEC));
		sim_op(0);
		sim_sleep(8 * NSEC_PER_MSEC);
	}
}

static void start_group(const char *name, u64 tasks, u64 weight, u64 quota_us)
{
	struct task_group *tg = sim_group_new();
	struct cftype *file;
	u64 i;

	sched_group_set_shares(tg, scale_load(weight));
	for (file = cpu_cgrp_subsys.legacy_cftypes; file && file->name[0]; file++)
		if (quota_us && !strcmp(file->name, "cfs_quota_us") &&
		    file->write_s64(&tg->css, file, quota_us))
			sim_die("cannot set a quota of %llu us", quota_us);
	for (i = 0; i < tasks; i++)
		sim_task_start(sim_spawn_stopped(name, hog, NULL, tg), NULL);
}

static void start_rt(u64 tasks)
{
	struct sched_param param = { .sched_priority = 50 };

	while (tasks--) {
		struct sim_task *t = sim_spawn_stopped("fifo", periodic, NULL, NULL);

		sched_setscheduler_nocheck(&t->task, SCHED_FIFO, &param);
		sim_task_start(t, NULL);
	}
}

static void start_deadline(u64 tasks)
{
	struct sched_attr attr = {
		.size = sizeof(attr),
		.sched_policy = SCHED_DEADLINE,
		.sched_runtime = 3 * NSEC_PER_MSEC,
		.sched_deadline = 10 * NSEC_PER_MSEC,
		.sched_period = 10 * NSEC_PER_MSEC,
	};

	while (tasks--) {
		struct sim_task *t = sim_spawn("deadline", hog, NULL, NULL);

		if (sched_setattr_nocheck(&t->task, &attr))
			sim_die("no bandwidth for a deadline task");
	}
}

/* Runs on the CPU that goes, as the hotplug thread does. */
static void hotplug(void *arg)
{
	int cpu = sim_nr_cpus - 1;

	current->flags |= PF_KTHREAD | PF_NO_SETAFFINITY;
	for (;;) {
		sim_sleep(50 * NSEC_PER_MSEC);
		cpumask_set_cpu(cpu, &__cpu_dying_mask);
		if (sched_cpu_deactivate(cpu))
			sim_die("CPU %d cannot be deactivated", cpu);
		sched_cpu_wait_empty(cpu);
		sim_sleep(50 * NSEC_PER_MSEC);
		cpumask_clear_cpu(cpu, &__cpu_dying_mask);
		sched_cpu_activate(cpu);
	}
}

static void renice(void *arg)
{
	struct task_struct *p = arg;

	for (;;) {
		sim_sleep(20 * NSEC_PER_MSEC);
		set_user_nice(p, 5);
		sim_sleep(20 * NSEC_PER_MSEC);
		set_user_nice(p, 0);
	}
}

static void start(void)
{
	u64 tasks = sim_param("tasks");
	struct sim_task *t;

	start_group("weight-1", tasks, 1024, 0);
	start_group("weight-3", tasks, 3072, 0);
	if (sim_param("quota_us"))
		start_group("quota", tasks, 1024, sim_param("quota_us"));
	start_rt(sim_param("fifo"));
	start_deadline(sim_param("deadline"));
	if (sim_param("renice")) {
		t = sim_spawn("reniced", hog, NULL, NULL);
		sim_spawn("renice", renice, &t->task, NULL);
	}
	if (sim_param("hotplug")) {
		t = sim_task_new("hotplug", hotplug, NULL, NULL);
		t->task.flags |= PF_KTHREAD;
		sim_task_start(t, cpumask_of(sim_nr_cpus - 1));
	}
}

SIM_WORKLOAD(mixed, "cgroup weights 1:3 and quota, FIFO and deadline tasks, nice changes, hotplug",
	     "tasks=16 hogs per group; quota_us=0 per 100 ms for a third group; fifo=0 tasks that run 2 of 10 ms; deadline=0 tasks of 3 ms in 10; renice=0 1: nice value of a hog changes; hotplug=0 1: the last CPU goes and comes",
	     start);
