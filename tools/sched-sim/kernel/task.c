// SPDX-License-Identifier: GPL-2.0
/*
 * Tasks: coroutines that the real scheduler switches between.
 *
 * A task's kernel code runs without taking time; sim_consume() is its use of
 * the CPU, and the only place where it is preempted (return to user space).
 */
#include "machine.h"
#include <linux/sched/debug.h>
#include <linux/sched/signal.h>
#include <linux/sched/autogroup.h>
#include <linux/cgroup.h>
#include <linux/init_task.h>
#include <linux/kthread.h>
#include <linux/slab.h>
#include <linux/cpu.h>
#include "kernel/sched/sched.h"

#define STACK_SIZE	32768

LIST_HEAD(sim_tasks);
static struct css_set root_css_set;
static struct kmem_cache *task_cache, *stack_cache;
static int last_pid;
static unsigned long loop_sp;
static bool in_loop = true;

void sim_swap(unsigned long *save_sp, unsigned long load_sp);
void sim_task_entry(void);
void sim_idle_entry(void);

/* From a coroutine to the event loop ... */
void sim_yield(void)
{
	sim_swap(&current->thread.sp, loop_sp);
}

/* ... and back, to whatever runs on this CPU. */
void sim_resume(void)
{
	in_loop = false;
	sim_swap(&loop_sp, sim_current()->thread.sp);
	in_loop = true;
}

/* A spin loop: 100 ns pass, then it looks again. */
void sim_cpu_relax(void)
{
	if (in_loop)
		sim_die("an interrupt handler on CPU %d spins for what only another CPU can give (%pS)",
			raw_smp_processor_id(), __builtin_return_address(0));
	sim_event_set(raw_smp_processor_id(), SLOT_USER, sim_now + 100);
	sim_yield();
}

/**
 * sim_consume - use the CPU
 * @ns: CPU time, not counting what interrupts and switches take from it
 *
 * Returns when the task has had that much, on whatever CPU it is then.
 */
void sim_consume(u64 ns)
{
	struct sim_task *t = sim_task(current);

	for (;;) {
		struct sim_cpu *c;
		u64 start, end, ran;
		int cpu;

		if (need_resched()) {
			schedule();
			continue;
		}
		ns += t->refill_ns;
		t->refill_ns = 0;
		if (!ns)
			return;
		cpu = raw_smp_processor_id();
		c = &sim_cpus[cpu];
		start = max(sim_now, c->busy_until);
		end = start + ns;
		if (end < sim_event_first()) {	/* nobody can interfere */
			sim_now = end;
			return;
		}
		c->stolen = 0;
		c->user = true;
		sim_event_set(cpu, SLOT_USER, end);
		sim_yield();
		c->user = false;
		if (sim_event_pending(cpu, SLOT_USER))
			sim_event_clear(cpu, SLOT_USER);
		else
			return;
		ran = start + c->stolen;
		ran = sim_now > ran ? sim_now - ran : 0;
		ns = ran < ns ? ns - ran : 0;
	}
}

/* Sleep on a high resolution timer, as nanosleep() does. */
void sim_sleep(u64 ns)
{
	ktime_t t = ns;

	set_current_state(TASK_INTERRUPTIBLE);
	schedule_hrtimeout(&t, HRTIMER_MODE_REL);
}

void *sim_stack_new(void (*entry)(void), unsigned long *sp)
{
	void *stack = kmem_cache_alloc(stack_cache, GFP_KERNEL);
	unsigned long *top = stack + STACK_SIZE - 64;

	*--top = 0;
	*--top = (unsigned long)entry;
	top -= 6;		/* the registers of a suspended coroutine */
	memset(top, 0, 6 * sizeof(*top));
	*sp = (unsigned long)top;
	return stack;
}

void sim_task_main(struct task_struct *prev)
{
	struct sim_task *t;

	schedule_tail(prev);
	t = sim_task(current);
	t->fn(t->arg);
	/* What do_exit() does for the scheduler. */
	preempt_disable();
	do_task_dead();
}

static void init_task_fields(struct task_struct *p, const char *name)
{
	memcpy(p, &init_task, sizeof(*p));
	p->flags = 0;
	p->thread_info.flags = 0;
	p->thread_info.cpu = 0;
	p->plug = NULL;
	p->mm = NULL;
	p->active_mm = NULL;
	p->real_parent = p;
	p->parent = p;
	p->group_leader = p;
	INIT_LIST_HEAD(&p->tasks);
	INIT_LIST_HEAD(&p->thread_node);
	INIT_LIST_HEAD(&p->children);
	INIT_LIST_HEAD(&p->sibling);
	INIT_LIST_HEAD(&p->cg_list);
	raw_spin_lock_init(&p->pi_lock);
	p->pi_waiters = RB_ROOT_CACHED;
	p->pi_blocked_on = NULL;
	p->utime = p->stime = p->gtime = 0;
	p->nvcsw = p->nivcsw = 0;
	p->task_works = NULL;
	p->worker_private = NULL;
	p->cpus_ptr = &p->cpus_mask;
	cpumask_copy(&p->cpus_mask, cpu_possible_mask);
	p->nr_cpus_allowed = sim_nr_cpus;
	refcount_set(&p->usage, 1);
	refcount_set(&p->rcu_users, 1);
	strscpy(p->comm, name, sizeof(p->comm));
}

/**
 * sim_task_new - fork a task, not yet runnable
 * @name: its comm
 * @fn: what it does; it exits when this returns
 * @arg: for @fn
 * @tg: task group, or NULL for the root group
 *
 * Context: a task, whose nice value and policy it inherits as in fork().
 */
struct sim_task *sim_task_new(const char *name, void (*fn)(void *), void *arg,
			      struct task_group *tg)
{
	struct sim_task *t = kmem_cache_zalloc(task_cache, GFP_KERNEL);
	struct task_struct *p = &t->task;
	struct kernel_clone_args args = {};

	init_task_fields(p, name);
	t->fn = fn;
	t->arg = arg;
	t->stack = sim_stack_new(sim_task_entry, &p->thread.sp);
	t->rng = sim_config.seed * 0x9e3779b97f4a7c15ULL + last_pid * 2654435761u + 1;
	p->stack = t->stack;
	p->pid = p->tgid = ++last_pid;
	list_add_tail(&t->all, &sim_tasks);

	args.cset = &root_css_set;
	if (tg) {
		args.cset = kmalloc(sizeof(root_css_set), GFP_KERNEL);
		*args.cset = root_css_set;
		args.cset->subsys[cpu_cgrp_id] = &tg->css;
	}
	p->cgroups = args.cset;
	if (sched_fork(0, p) || sim_cgroup_fork(p, &args))
		sim_die("cannot fork %s", name);
	sched_post_fork(p);
	return t;
}

/**
 * sim_task_start - let a new task run
 * @t: from sim_task_new()
 * @mask: the CPUs it may use, or NULL
 */
void sim_task_start(struct sim_task *t, const struct cpumask *mask)
{
	if (mask) {
		cpumask_copy(&t->task.cpus_mask, mask);
		t->task.nr_cpus_allowed = cpumask_weight(mask);
	}
	wake_up_new_task(&t->task);
}

/* The last reference is dropped in the switch away from a dead task. */
void put_task_struct_rcu_user(struct task_struct *p)
{
	struct sim_task *t = sim_task(p);

	list_del(&t->all);
	if (p->cgroups != &root_css_set)
		kfree(p->cgroups);
	kmem_cache_free(stack_cache, t->stack);
	kmem_cache_free(task_cache, t);
}

struct task_struct *sim_idle_new(int cpu)
{
	struct task_struct *p = cpu ? host_alloc(sizeof(*p)) : &init_task;

	if (cpu) {
		init_task_fields(p, "swapper");
		p->flags = PF_KTHREAD;
		p->cgroups = &root_css_set;
		sched_fork(0, p);
		p->__state = TASK_RUNNING;
		init_idle(p, cpu);
	}
	p->active_mm = &init_mm;
	p->stack = sim_stack_new(sim_idle_entry, &p->thread.sp);
	return p;
}

void sim_idle_main(void)
{
	cpu_startup_entry(CPUHP_AP_ONLINE_IDLE);
}

struct task_group *sim_group_new(void)
{
	struct task_group *tg = sched_create_group(&root_task_group);

	if (IS_ERR(tg))
		sim_die("no memory for a task group");
	tg->css.cgroup = root_css_set.dfl_cgrp;
	sched_online_group(tg, &root_task_group);
	return tg;
}

void sim_task_init(void)
{
	task_cache = kmem_cache_create("task", sizeof(struct sim_task), 64, 0, NULL);
	stack_cache = kmem_cache_create("stack", STACK_SIZE, 64, 0, NULL);
	root_css_set.dfl_cgrp = host_alloc(sizeof(struct cgroup));
	root_css_set.subsys[cpu_cgrp_id] = &root_task_group.css;
	root_css_set.subsys[cpuacct_cgrp_id] =
		cpuacct_cgrp_subsys.css_alloc(NULL);
	root_task_group.css.cgroup = root_css_set.dfl_cgrp;
	init_task.cgroups = &root_css_set;
}
