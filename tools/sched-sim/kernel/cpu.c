// SPDX-License-Identifier: GPL-2.0
/*
 * CPUs: masks, per-CPU areas, topology as the scheduler asks for it, and the
 * price of kernel work.
 */
#include "machine.h"
#include <linux/nodemask.h>
#include <linux/cpu.h>
#include <linux/slab.h>
#include <asm/smp.h>
#include <asm/irq_stack.h>

/* The section as linked is a template; behind it lie alloc_percpu() addresses. */
extern char __per_cpu_start[], __per_cpu_end[], sim_percpu_limit[];

#define IRQ_STACK	16384

struct cpumask __cpu_possible_mask, __cpu_online_mask, __cpu_present_mask;
struct cpumask __cpu_active_mask, __cpu_dying_mask;
atomic_t __num_online_cpus;
unsigned long __per_cpu_offset[NR_CPUS];
DEFINE_PER_CPU_READ_MOSTLY(unsigned long, this_cpu_off);
DEFINE_PER_CPU_READ_MOSTLY(cpumask_var_t, cpu_sibling_map);
DEFINE_PER_CPU(int, numa_node);
DEFINE_PER_CPU(unsigned long, arch_freq_scale) = SCHED_CAPACITY_SCALE;
DEFINE_PER_CPU(unsigned long, cpufreq_pressure);
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
DEFINE_PER_CPU_ALIGNED(struct pcpu_hot, pcpu_hot);
#else
DEFINE_PER_CPU(struct task_struct *, current_task);
DEFINE_PER_CPU_READ_MOSTLY(int, cpu_number);
DEFINE_PER_CPU(int, __preempt_count);
DEFINE_PER_CPU(void *, hardirq_stack_ptr);
DEFINE_PER_CPU(bool, hardirq_stack_inuse);
DEFINE_PER_CPU_SHARED_ALIGNED(irq_cpustat_t, irq_stat);
DEFINE_PER_CPU(unsigned long, thermal_pressure);
#endif

cpumask_var_t node_to_cpumask_map[MAX_NUMNODES];
nodemask_t node_states[NR_NODE_STATES];
unsigned int nr_node_ids = 1;
int node_reclaim_distance = RECLAIM_DISTANCE;

const DECLARE_BITMAP(cpu_all_bits, NR_CPUS) = {
	[0 ... BITS_TO_LONGS(NR_CPUS) - 1] = ~0UL
};

/* cpumask_of(): row 1 + n has bit n of its first word */
#define ROW(n)	[(n) + 1][0] = 1UL << (n)
#define ROWS(n)	ROW(n), ROW((n) + 1), ROW((n) + 2), ROW((n) + 3), \
		ROW((n) + 4), ROW((n) + 5), ROW((n) + 6), ROW((n) + 7)
const unsigned long cpu_bit_bitmap[BITS_PER_LONG + 1][BITS_TO_LONGS(NR_CPUS)] = {
	ROWS(0), ROWS(8), ROWS(16), ROWS(24),
	ROWS(32), ROWS(40), ROWS(48), ROWS(56)
};

struct sim_cpu sim_cpus[NR_CPUS];
int sim_nr_cpus;
static struct cpumask llc_mask[NR_CPUS];
static u8 distance[SIM_MAX_CPUS][SIM_MAX_CPUS];
static size_t static_percpu, dynamic_percpu;

const struct cpumask *cpu_coregroup_mask(int cpu)
{
	return &llc_mask[cpu];
}

/* No machine of ours has clusters: a cluster is a core. */
const struct cpumask *cpu_clustergroup_mask(int cpu)
{
	return per_cpu(cpu_sibling_map, cpu);
}

#ifdef arch_scale_cpu_capacity
unsigned long arch_scale_cpu_capacity(int cpu)
{
	return SCHED_CAPACITY_SCALE;
}
#endif

int __node_distance(int a, int b)
{
	return sim_config.topo.distance[a][b];
}

int sim_distance(int a, int b)
{
	return distance[a][b];
}

static int find_distance(int a, int b)
{
	struct sim_topology *t = &sim_config.topo;

	if (a == b)
		return SIM_SELF;
	if (t->core[a] == t->core[b])
		return SIM_SMT;
	if (t->llc[a] == t->llc[b])
		return SIM_LLC;
	return t->node[a] == t->node[b] ? SIM_NODE : SIM_REMOTE;
}

unsigned long sim_gs_base;

/* Handle events of @cpu from here on. glibc uses %fs, so %gs is ours. */
void sim_set_cpu(int cpu)
{
	sim_gs_base = __per_cpu_offset[cpu];
	asm volatile("wrgsbase %0" : : "r" (sim_gs_base) : "memory");
}

/* `current`, read anew: the loop sees many CPUs, the compiler one constant. */
noinline struct task_struct *sim_current(void)
{
	struct task_struct *p;

	asm volatile("mov %%gs:%a1, %0"
		     : "=r" (p) : "i" (&sim_hot(current_task)) : "memory");
	return p;
}

void sim_set_current(struct task_struct *p)
{
	this_cpu_write(sim_hot(current_task), p);
}

void __percpu *pcpu_alloc_noprof(size_t size, size_t align, bool reserved,
				 gfp_t gfp)
{
	size_t at = ALIGN(dynamic_percpu, max_t(size_t, align, 16));

	if (at + size > sim_percpu_limit - __per_cpu_end)
		sim_die("per-CPU memory used up; see link.lds");
	dynamic_percpu = at + size;
	return (void __percpu *)(__per_cpu_start + static_percpu + at);
}

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 10, 0)
void __percpu *__alloc_percpu(size_t size, size_t align)
{
	return pcpu_alloc_noprof(size, align, false, GFP_KERNEL);
}
#endif

void free_percpu(void __percpu *p)
{
}

static void init_area(int cpu, char *area)
{
	struct sim_topology *t = &sim_config.topo;

	memcpy(area, __per_cpu_start, __per_cpu_end - __per_cpu_start);
	__per_cpu_offset[cpu] = area - __per_cpu_start;
	per_cpu(this_cpu_off, cpu) = __per_cpu_offset[cpu];
	per_cpu(sim_hot(cpu_number), cpu) = cpu;
	per_cpu(sim_hot(hardirq_stack_ptr), cpu) =
		host_alloc(IRQ_STACK) + IRQ_STACK - 64;
	per_cpu(numa_node, cpu) = t->node[cpu];
	cpumask_set_cpu(cpu, &__cpu_possible_mask);
	cpumask_set_cpu(cpu, &__cpu_present_mask);
}

void sim_cpus_init(void)
{
	struct sim_topology *t = &sim_config.topo;
	size_t stride;
	char *areas;
	int a, b, n;

	sim_nr_cpus = t->cpus;
	static_percpu = ALIGN(__per_cpu_end - __per_cpu_start, 64);
	stride = ALIGN(sim_percpu_limit - __per_cpu_start, PAGE_SIZE);
	areas = PTR_ALIGN((char *)host_alloc(stride * t->cpus + PAGE_SIZE),
			  PAGE_SIZE);
	host_guard_percpu(__per_cpu_start, sim_percpu_limit - __per_cpu_start);
	memset(__per_cpu_offset, 0, sizeof(__per_cpu_offset));
	for (a = 0; a < t->cpus; a++)
		init_area(a, areas + stride * a);

	nr_cpu_ids = t->cpus;
	nr_node_ids = t->nodes;
	for (n = 0; n < t->nodes; n++) {
		node_set(n, node_states[N_POSSIBLE]);
		node_set(n, node_states[N_ONLINE]);
		node_set(n, node_states[N_CPU]);
		node_set(n, node_states[N_MEMORY]);
	}
	for (a = 0; a < t->cpus; a++) {
		cpumask_set_cpu(a, node_to_cpumask_map[t->node[a]]);
		for (b = 0; b < t->cpus; b++) {
			distance[a][b] = find_distance(a, b);
			if (t->llc[a] == t->llc[b])
				cpumask_set_cpu(b, &llc_mask[a]);
			if (t->core[a] == t->core[b])
				cpumask_set_cpu(b, per_cpu(cpu_sibling_map, a));
		}
	}
}

/**
 * sim_charge - make a CPU pay for kernel work
 * @cpu: the CPU that does the work
 * @ns: how long it takes
 *
 * Kernel code itself takes no simulated time. What it would cost delays
 * whatever the CPU does next, and is accounted to the task that runs then.
 */
void sim_charge(int cpu, u64 ns)
{
	struct sim_cpu *c = &sim_cpus[cpu];

	if (!ns)
		return;
	c->busy_until = max(c->busy_until, sim_now) + ns;
	if (c->user) {
		c->stolen += ns;
		sim_event_delay(cpu, SLOT_USER, ns);
	}
}
