// SPDX-License-Identifier: GPL-2.0
/*
 * Idle states whose exits take time, on machines (guests) that have none: see
 * Documentation/admin-guide/pm/cpuidle-sim.rst.
 *
 * A halted CPU handles its first interrupt before enter() returns, so that enter()
 * cannot make an interrupt wait. Instead it notes the state, and the exit is paid
 * by spinning where the first interrupt's entry is traced, ahead of its own work.
 */
#include <linux/cpu.h>
#include <linux/cpuidle.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/sched/clock.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

/*
 * C1, C1E and C6 of Skylake, Cascade Lake and Cooper Lake servers, skx_cstates of
 * drivers/idle/intel_idle.c: Xeon Gold 6132 and Xeon Bronze 3204 among them.
 */
static unsigned int exit_us[CPUIDLE_STATE_MAX] = { 2, 10, 133 };
static unsigned int residency_us[CPUIDLE_STATE_MAX] = { 2, 20, 600 };
static unsigned int nr_exit = 3, nr_residency = 3;
module_param_array(exit_us, uint, &nr_exit, 0444);
MODULE_PARM_DESC(exit_us, "Exit latency of each state in us (default: 2,10,133)");
module_param_array(residency_us, uint, &nr_residency, 0444);
MODULE_PARM_DESC(residency_us, "Target residency of each state in us (default: 2,20,600)");

static unsigned int percent = 100;
module_param(percent, uint, 0644);
MODULE_PARM_DESC(percent, "What an exit really takes, per cent of exit_us (default: 100)");

static const char * const names[] = { "C1", "C1E", "C6" };

/* One more than the index of the state that this CPU is in and has yet to leave. */
static DEFINE_PER_CPU(unsigned int, entered);

static __cpuidle int cpuidle_sim_enter(struct cpuidle_device *dev, struct cpuidle_driver *drv,
				       int index)
{
	/*
	 * Interrupts are off until arch_cpu_idle() turns them on and halts at once, so
	 * the first one to be handled finds this. The core has ended polling before: a
	 * remote wakeup sends an IPI, and does not merely set need_resched.
	 */
	raw_cpu_write(entered, index + 1);
	arch_cpu_idle();
	raw_cpu_write(entered, 0);
	return index;
}

static struct cpuidle_driver cpuidle_sim_driver = {
	.name = "cpuidle_sim",
	.owner = THIS_MODULE,
};

static void pay_exit(void)
{
	unsigned int state = this_cpu_read(entered);
	u64 until;

	if (!state)
		return;
	this_cpu_write(entered, 0);
	until = local_clock() + div_u64((u64)cpuidle_sim_driver.states[state - 1].exit_latency_ns *
					READ_ONCE(percent), 100);
	while (local_clock() < until)
		cpu_relax();
}

static void vector_entry(void *unused, int vector)
{
	pay_exit();
}

static void handler_entry(void *unused, int irq, void *action)
{
	pay_exit();
}

/* Where interrupts begin: x86's own vectors, and handlers of devices. */
static const struct {
	const char *name;
	void *probe;
} entries[] = {
	{ "local_timer_entry", vector_entry },
	{ "reschedule_entry", vector_entry },
	{ "call_function_entry", vector_entry },
	{ "call_function_single_entry", vector_entry },
	{ "irq_work_entry", vector_entry },
	{ "x86_platform_ipi_entry", vector_entry },
	{ "irq_handler_entry", handler_entry },
};

static struct tracepoint *tracepoints[ARRAY_SIZE(entries)];

static void find_entry(struct tracepoint *tp, void *unused)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(entries); i++)
		if (!strcmp(tp->name, entries[i].name))
			tracepoints[i] = tp;
}

static void unhook(int n)
{
	while (n--)
		if (tracepoints[n])
			tracepoint_probe_unregister(tracepoints[n], entries[n].probe, NULL);
	tracepoint_synchronize_unregister();
}

static int hook(void)
{
	int i, err;

	for_each_kernel_tracepoint(find_entry, NULL);
	for (i = 0; i < ARRAY_SIZE(entries); i++) {
		/* The platform IPI is not in every configuration. */
		if (!tracepoints[i])
			continue;
		err = tracepoint_probe_register(tracepoints[i], entries[i].probe, NULL);
		if (err) {
			unhook(i);
			return err;
		}
	}
	return 0;
}

static int describe_states(struct cpuidle_driver *drv)
{
	int i;

	if (nr_exit != nr_residency) {
		pr_err("cpuidle-sim: exit_us has %u values and residency_us %u\n",
		       nr_exit, nr_residency);
		return -EINVAL;
	}
	for (i = 0; i < nr_exit; i++) {
		struct cpuidle_state *s = &drv->states[i];

		if (i && (exit_us[i] < exit_us[i - 1] || residency_us[i] < residency_us[i - 1])) {
			pr_err("cpuidle-sim: state %d is not deeper than the one before\n", i);
			return -EINVAL;
		}
		if (i < ARRAY_SIZE(names))
			strscpy(s->name, names[i], sizeof(s->name));
		else
			snprintf(s->name, sizeof(s->name), "S%d", i);
		snprintf(s->desc, sizeof(s->desc), "simulated, exit %u us", exit_us[i]);
		s->exit_latency = exit_us[i];
		s->target_residency = residency_us[i];
		s->enter = cpuidle_sim_enter;
	}
	drv->state_count = nr_exit;
	return 0;
}

static int __init cpuidle_sim_init(void)
{
	int err = describe_states(&cpuidle_sim_driver);

	if (err)
		return err;
	err = hook();
	if (err)
		return err;
	err = cpuidle_register(&cpuidle_sim_driver, NULL);
	if (err)
		unhook(ARRAY_SIZE(entries));
	return err;
}
module_init(cpuidle_sim_init);

static void __exit cpuidle_sim_exit(void)
{
	cpuidle_unregister(&cpuidle_sim_driver);
	unhook(ARRAY_SIZE(entries));
}
module_exit(cpuidle_sim_exit);

MODULE_DESCRIPTION("Idle states with an exit latency, in software");
MODULE_LICENSE("GPL");
