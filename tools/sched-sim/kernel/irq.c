// SPDX-License-Identifier: GPL-2.0
/*
 * Clock event devices, interprocessor interrupts, halting and polling.
 *
 * The kernel's own tick, NOHZ, hrtimer and smp_call_function code drives these
 * as it would drive an APIC; nothing about ticks is decided here.
 */
#include "machine.h"
#include <linux/clockchips.h>
#include <linux/irq_work.h>
#include <asm/smp.h>
#include <asm/paravirt.h>

struct smp_ops smp_ops;
struct paravirt_patch_template pv_ops;
DEFINE_PER_CPU(unsigned long, sim_irq_flag) = X86_EFLAGS_IF;
DEFINE_PER_CPU(struct pt_regs *, __irq_regs);
static DEFINE_PER_CPU(struct clock_event_device, sim_clock);

struct clock_event_device *sim_clock_device(int cpu)
{
	return per_cpu_ptr(&sim_clock, cpu);
}

static int clock_set_ktime(ktime_t when, struct clock_event_device *dev)
{
	sim_event_set(raw_smp_processor_id(), SLOT_TIMER, max_t(s64, when, 0));
	return 0;
}

static int clock_set_delta(unsigned long delta, struct clock_event_device *dev)
{
	sim_event_set(raw_smp_processor_id(), SLOT_TIMER, sim_now + delta);
	return 0;
}

static int clock_stop(struct clock_event_device *dev)
{
	sim_event_clear(raw_smp_processor_id(), SLOT_TIMER);
	return 0;
}

static int clock_oneshot(struct clock_event_device *dev)
{
	return 0;
}

/* Called with %gs on @cpu. One tick of the device is one nanosecond. */
void sim_clock_init_cpu(int cpu)
{
	struct clock_event_device *dev = sim_clock_device(cpu);

	*dev = (struct clock_event_device){
		.name = "sched-sim",
		.features = CLOCK_EVT_FEAT_ONESHOT | SIM_CLOCK_KTIME,
		.rating = 400,
		.cpumask = cpumask_of(cpu),
		.mult = 1,
		.shift = 0,
		.min_delta_ns = 1,
		.max_delta_ns = 1ULL << 62,
		.min_delta_ticks = 1,
		.max_delta_ticks = 1UL << 60,
		.set_next_event = clock_set_delta,
		.set_next_ktime = clock_set_ktime,
		.set_state_oneshot = clock_oneshot,
		.set_state_shutdown = clock_stop,
		.set_state_oneshot_stopped = clock_stop,
	};
	raw_local_irq_disable();
	clockevents_register_device(dev);
	raw_local_irq_enable();
}

static void send_ipi(int cpu, enum sim_slot slot)
{
	int from = raw_smp_processor_id();

	if (slot == SLOT_RESCHED)
		sim_results.ipi_resched++;
	else
		sim_results.ipi_call++;
	sim_charge(from, sim_config.costs.ipi_send_ns);
	if (!sim_event_pending(cpu, slot))
		sim_event_set(cpu, slot, sim_now +
			      sim_config.costs.ipi_ns[sim_distance(from, cpu)]);
}

static void send_resched(int cpu)
{
	send_ipi(cpu, SLOT_RESCHED);
}

static void send_call_one(int cpu)
{
	send_ipi(cpu, SLOT_CALL);
}

static void send_call_mask(const struct cpumask *mask)
{
	int cpu;

	for_each_cpu(cpu, mask)
		send_ipi(cpu, SLOT_CALL);
}

/* irq_work to oneself is an interrupt of one's own */
void arch_irq_work_raise(void)
{
	sim_event_set(raw_smp_processor_id(), SLOT_CALL, sim_now);
}

void sim_pv_save_fl(void);
void sim_pv_irq_disable(void);
void sim_pv_irq_enable(void);
void sim_pv_nothing(void);
void sim_pv_unused(void);

void sim_irq_init(void)
{
	void **op = (void **)&pv_ops;
	size_t i;

	for (i = 0; i < sizeof(pv_ops) / sizeof(*op); i++)
		op[i] = sim_pv_unused;
	pv_ops.cpu.start_context_switch = (void *)sim_pv_nothing;
	pv_ops.cpu.end_context_switch = (void *)sim_pv_nothing;
	pv_ops.irq.save_fl.func = (void *)sim_pv_save_fl;
	pv_ops.irq.irq_disable.func = (void *)sim_pv_irq_disable;
	pv_ops.irq.irq_enable.func = (void *)sim_pv_irq_enable;
	smp_ops.smp_send_reschedule = send_resched;
	smp_ops.send_call_func_single_ipi = send_call_one;
	smp_ops.send_call_func_ipi = send_call_mask;
}

/*
 * Wait for an interrupt, with interrupts enabled. A halting CPU is woken by
 * one; a polling CPU (MWAIT) also by a remote CPU that sets its need_resched
 * flag, for which the scheduler then sends no interrupt: see
 * sim_tp_wake_polling().
 */
void arch_cpu_idle(void)
{
	int cpu = raw_smp_processor_id();
	struct sim_cpu *c = &sim_cpus[cpu];

	c->idle_mark = sim_now;
	c->halted = true;
	c->idle_since = max(sim_now, c->busy_until);
	if (sim_config.poll_idle && current_set_polling_and_test()) {
		c->halted = false;
		current_clr_polling();
		raw_local_irq_disable();
		return;
	}
	raw_local_irq_enable();
	sim_yield();
	raw_local_irq_disable();
	if (sim_config.poll_idle)
		current_clr_polling();
	c->halted = false;
	c->idle_total += sim_now - c->idle_mark;
}

/* The scheduler set need_resched of a polling idle CPU and sends nothing. */
void sim_tp_wake_polling(int cpu)
{
	sim_results.ipi_avoided++;
	if (!sim_event_pending(cpu, SLOT_POLL))
		sim_event_set(cpu, SLOT_POLL, sim_now + sim_config.costs.poll_ns);
}

u64 sched_clock_noinstr(void)
{
	return sim_now;
}

/* Without this the kernel's weak one counts jiffies. */
u64 sched_clock(void)
{
	return sim_now;
}
