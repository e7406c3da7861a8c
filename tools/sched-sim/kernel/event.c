// SPDX-License-Identifier: GPL-2.0
/*
 * The event queue and the loop that takes events from it.
 *
 * A CPU has at most one pending event of each kind, so its events are a cache
 * line of times, and a tree of minima over the CPUs has the earliest at its root:
 * setting an event costs log2(CPUs) comparisons and leaves nothing stale behind.
 * Device interrupts are few; they wait in a heap that is one more leaf of the
 * tree. Of equal times the lower CPU goes first, device interrupts last, among
 * themselves by order of insertion.
 */
#include "machine.h"
#include <linux/irq_work.h>
#include <linux/clockchips.h>
#include <asm/irq_regs.h>

#define NEVER	~0ULL
#define LEAF_BITS	10
#define TREE	(1 << LEAF_BITS)
static_assert(TREE > SIM_MAX_CPUS);	/* and a leaf for devices */

static struct {
	u64 when[NR_SLOTS];
} __aligned(64) queue[SIM_MAX_CPUS];
/*
 * [leaves + i] of CPU i, [1] the least of all. Each is a time with the leaf it is of in
 * the low bits, so that nobody has to go down the tree. 54 bits of ns are half a year; what
 * is later is never.
 */
static u64 first[2 * TREE];
static unsigned int leaves, devices;	/* number of leaves; the one of the heap */

static struct sim_irq *heap;
static int heap_len, heap_size;
static u64 next_seq;

u64 sim_now = NSEC_PER_MSEC;	/* a run begins */
static u64 run_until;

static void set_leaf(unsigned int leaf, u64 when)
{
	unsigned int i = leaves + leaf;
	u64 key = when >> (64 - LEAF_BITS) ? NEVER : when << LEAF_BITS | leaf;

	for (first[i] = key; i > 1; i /= 2) {
		key = min(key, first[i ^ 1]);
		first[i / 2] = key;
	}
}

static u64 earliest(void)
{
	return first[1] >> LEAF_BITS;
}

static void rank(int cpu)
{
	u64 *s = queue[cpu].when, when = s[0];
	int i;

	for (i = 1; i < NR_SLOTS; i++)
		when = min(when, s[i]);
	set_leaf(cpu, when);
}

void sim_events_init(int cpus)
{
	unsigned int i, j;

	for (leaves = 2; leaves < cpus + 1; leaves *= 2)
		;
	devices = cpus;
	for (i = 0; i < 2 * leaves; i++)
		first[i] = NEVER;
	for (i = 0; i < cpus; i++)
		for (j = 0; j < NR_SLOTS; j++)
			queue[i].when[j] = NEVER;
}

void sim_event_set(int cpu, enum sim_slot slot, u64 when)
{
	queue[cpu].when[slot] = max(when, sim_now);
	rank(cpu);
}

void sim_event_clear(int cpu, enum sim_slot slot)
{
	queue[cpu].when[slot] = NEVER;
	rank(cpu);
}

void sim_event_delay(int cpu, enum sim_slot slot, u64 by)
{
	queue[cpu].when[slot] += by;
	rank(cpu);
}

bool sim_event_pending(int cpu, enum sim_slot slot)
{
	return queue[cpu].when[slot] != NEVER;
}

/* When anything happens next, or the run ends. */
u64 sim_event_first(void)
{
	return min(earliest(), run_until);
}

static bool irq_before(const struct sim_irq *a, const struct sim_irq *b)
{
	return a->when < b->when || (a->when == b->when && a->seq < b->seq);
}

static void heap_push(struct sim_irq irq)
{
	int i, up;

	if (heap_len == heap_size) {
		int size = heap_size ? 2 * heap_size : 256;
		struct sim_irq *more = host_alloc(size * sizeof(*more));

		if (heap_len)
			memcpy(more, heap, heap_len * sizeof(*more));
		heap = more;
		heap_size = size;
	}
	for (i = heap_len++; i; i = up) {
		up = (i - 1) / 2;
		if (!irq_before(&irq, &heap[up]))
			break;
		heap[i] = heap[up];
	}
	heap[i] = irq;
	set_leaf(devices, heap[0].when);
}

static struct sim_irq heap_pop(void)
{
	struct sim_irq popped = heap[0], last = heap[--heap_len];
	int i = 0, child;

	while ((child = 2 * i + 1) < heap_len) {
		if (child + 1 < heap_len &&
		    irq_before(&heap[child + 1], &heap[child]))
			child++;
		if (irq_before(&last, &heap[child]))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = last;
	set_leaf(devices, heap_len ? heap[0].when : NEVER);
	return popped;
}

/**
 * sim_raise_irq - let a device interrupt a CPU
 * @cpu: the CPU whose interrupt it is
 * @delay: nanoseconds from now
 * @fn: called in hard interrupt context, after the CPU has left its idle state
 * @arg: for @fn
 */
void sim_raise_irq(int cpu, u64 delay, void (*fn)(void *), void *arg)
{
	heap_push((struct sim_irq){ .when = sim_now + delay, .seq = next_seq++,
				    .cpu = cpu, .fn = fn, .arg = arg });
}

/*
 * An interrupt for a CPU in an idle state is handled only after the exit from
 * that state; one for a CPU that has interrupts off, when it turns them on.
 * Returns the time until which the event has to wait, or 0.
 */
static u64 must_wait(int cpu)
{
	struct sim_cpu *c = &sim_cpus[cpu];
	int i;

	if (c->halted) {
		u64 idle, exit = 0;

		c->halted = false;
		idle = sim_now > c->idle_since ? sim_now - c->idle_since : 0;
		for (i = 0; i < sim_config.topo.idle_states; i++)
			if (idle >= sim_config.topo.idle[i].residency_ns)
				exit = sim_config.topo.idle[i].exit_ns *
					sim_config.costs.exit_percent / 100;
		c->ready_at = max(sim_now, c->busy_until) + exit;
	}
	if (sim_now < c->ready_at)
		return c->ready_at;
	if (!(per_cpu(sim_irq_flag, cpu) & X86_EFLAGS_IF))
		return sim_now + 100;
	return 0;
}

static struct pt_regs user_regs = { .cs = 0x33 }, kernel_regs = { .cs = 0x10 };

static void interrupt(int cpu, int slot, struct sim_irq *irq)
{
	struct pt_regs *old;
	struct task_struct *p = sim_current();

	raw_local_irq_disable();
	old = set_irq_regs(is_idle_task(p) ? &kernel_regs : &user_regs);
	irq_enter();
	switch (slot) {
	case SLOT_TIMER: {
		struct clock_event_device *dev = sim_clock_device(cpu);

		sim_results.ticks++;
		sim_charge(cpu, sim_config.costs.tick_ns);
		dev->event_handler(dev);
		break;
	}
	case SLOT_RESCHED:
		sim_charge(cpu, sim_config.costs.ipi_handle_ns);
		break;
	case SLOT_CALL:
		sim_charge(cpu, sim_config.costs.ipi_handle_ns);
		irq_work_run();
		generic_smp_call_function_single_interrupt();
		break;
	default:
		sim_results.irqs++;
		sim_charge(cpu, sim_config.costs.irq_ns);
		irq->fn(irq->arg);
	}
	irq_exit();
	set_irq_regs(old);
	sim_irq_tail();
	raw_local_irq_enable();

	p = sim_current();
	if (is_idle_task(p) || test_tsk_need_resched(p))
		sim_resume();
}

static void take_device(void)
{
	struct sim_irq irq = heap_pop();
	u64 wait;

	sim_now = irq.when;
	sim_set_cpu(irq.cpu);
	wait = must_wait(irq.cpu);
	if (wait) {
		irq.when = wait;
		irq.seq = next_seq++;
		heap_push(irq);
		return;
	}
	interrupt(irq.cpu, NR_SLOTS, &irq);
}

static void take_cpu(int cpu)
{
	u64 *s = queue[cpu].when, wait;
	int slot = 0;

	sim_now = earliest();
	while (s[slot] != sim_now)
		slot++;
	sim_set_cpu(cpu);
	if (slot == SLOT_USER) {
		sim_event_clear(cpu, slot);
		sim_resume();
		return;
	}
	wait = must_wait(cpu);
	if (wait) {
		sim_event_set(cpu, slot, wait);
		return;
	}
	sim_event_clear(cpu, slot);
	if (slot == SLOT_POLL)
		sim_resume();
	else
		interrupt(cpu, slot, NULL);
}

void sim_run(u64 until)
{
	run_until = until;
	while (earliest() < until) {
		unsigned int leaf = first[1] % TREE;

		sim_results.events++;
		if (leaf == devices)
			take_device();
		else
			take_cpu(leaf);
		if (unlikely(sim_deferred_pending))
			sim_deferred_run();
	}
	sim_now = until;
}
