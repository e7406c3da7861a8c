/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the two halves of sched-sim know of each other.
 *
 * The kernel half (kernel/, workloads/) is compiled with the kernel's own
 * flags and headers, the host half (host/) with the C library. At the link
 * every symbol of the kernel half gets the prefix "k_"; the host half writes
 * K(name). Plain C types only: neither side's headers are visible here.
 */
#ifndef SCHED_SIM_H
#define SCHED_SIM_H

#ifdef __KERNEL__
#define K(name)	name
#define H(name)	name
#else
#define K(name)	k_ ## name
#define H(name)	k_ ## name
#endif

#define SIM_MAX_CPUS	512
#define SIM_MAX_NODES	16
#define SIM_MAX_IDLE	8
#define SIM_MAX_PARAMS	32
#define SIM_NAME	64

/* How far apart two CPUs are; costs and placements are counted by it. */
enum sim_distance {
	SIM_SELF,		/* the same CPU */
	SIM_SMT,		/* a thread of the same core */
	SIM_LLC,		/* another core behind the same last level cache */
	SIM_NODE,		/* another cache on the same NUMA node */
	SIM_REMOTE,		/* another NUMA node */
	SIM_DISTANCES
};

struct sim_idle_state {
	char name[SIM_NAME];
	unsigned long long exit_ns;	/* paid before an interrupt is handled */
	unsigned long long residency_ns; /* entered after that long idle */
};

struct sim_topology {
	char name[SIM_NAME];
	int cpus, sockets, llcs, cores, nodes, threads;
	int core[SIM_MAX_CPUS], llc[SIM_MAX_CPUS], node[SIM_MAX_CPUS];
	int distance[SIM_MAX_NODES][SIM_MAX_NODES];
	int idle_states;
	struct sim_idle_state idle[SIM_MAX_IDLE];
};

/* Nanoseconds; all zero is valid. Files and sources: costs/. */
struct sim_costs {
	unsigned long long switch_ns;	/* context switch, paid by the next task */
	unsigned long long irq_ns;	/* entry, handler and exit of a device interrupt */
	unsigned long long tick_ns;	/* a timer interrupt */
	unsigned long long ipi_send_ns;	/* the sender's share */
	unsigned long long ipi_ns[SIM_DISTANCES]; /* until the target sees it */
	unsigned long long ipi_handle_ns; /* the target's share */
	unsigned long long poll_ns;	/* until a polling idle loop sees its flag */
	unsigned long long lock_ns[SIM_DISTANCES]; /* taking another CPU's rq lock */
	unsigned long long balance_ns[SIM_DISTANCES]; /* a run queue that balancing looks at */
	unsigned long long refill_ns[SIM_DISTANCES]; /* caches after a migration */
	unsigned long long exit_percent; /* typical idle exit, of the topology's worst case */
	unsigned long long fork_ns;	/* fork and exit, paid by the parent */
};

struct sim_param {
	char name[SIM_NAME];
	char value[SIM_NAME];
};

struct sim_config {
	struct sim_topology topo;
	struct sim_costs costs;
	char workload[SIM_NAME];
	struct sim_param params[SIM_MAX_PARAMS];
	int nr_params;
	char append[256];		/* kernel command line */
	char features[256];		/* scheduler feature bits, comma separated */
	unsigned long long seed;
	unsigned long long warmup_ns, run_ns;
	unsigned long long jitter_ns;	/* spread of the start of each task */
	int poll_idle;			/* 1: idle CPUs poll need_resched (MWAIT) */
	int check;			/* invariants: 0 off, 1 on */
	unsigned long long trace_from, trace_to; /* decisions to write out */
	unsigned long long state_at;	/* decision before which to print run queues */
	int timeline;			/* write it */
	int verbose;
};

#define SIM_HIST_SUB	32		/* sub-buckets per power of two: 3 % */
#define SIM_HIST_BUCKETS (SIM_HIST_SUB * 60)

struct sim_histogram {
	unsigned long long count, sum, max;
	unsigned int bucket[SIM_HIST_BUCKETS];
};

struct sim_results {
	unsigned long long switches, preemptions, wakeups, migrations;
	unsigned long long ipi_resched, ipi_call, ipi_avoided, wakelist;
	unsigned long long remote_locks;	/* of another CPU's rq, to wake or requeue */
	unsigned long long ticks, irqs, delayed, requeued, events;
	unsigned long long idle_ns, run_delay_ns;
	unsigned long long samples, samples_waiting;
	unsigned long long place_prev[SIM_DISTANCES], place_waker[SIM_DISTANCES];
	unsigned long long moves[SIM_DISTANCES];
	unsigned long long decisions, hash, warnings, violations;
	unsigned long long ops;		/* what the workload calls one operation */
	struct sim_histogram wakeup;	/* wakeup until it runs */
	struct sim_histogram latency;	/* the workload's own, e.g. a request */
	unsigned long long fairness_ppm; /* largest CPU time per weight over smallest, 1e6 = equal */
};

struct sim_task_info {
	char comm[16];
	int pid, cpu, nice;
	unsigned long long runtime_ns, run_delay_ns, ops, migrations;
	unsigned long long voluntary, involuntary;
};

/* The kernel half, called by the host half. */
extern struct sim_config K(sim_config);
extern struct sim_results K(sim_results);
extern unsigned long long K(sim_now);
void K(sim_boot)(void);
void K(sim_run)(unsigned long long until);
void K(sim_reset_results)(void);
void K(sim_finish)(void);
void K(sim_invariants_sample)(void);
int K(sim_task_info)(int index, struct sim_task_info *info);
int K(sim_describe_ud2)(unsigned long ip, int *warning);
int K(sim_list_features)(int index, const char **name, int *on);
const char *K(sim_workload_at)(int index, const char **about);

/* The host half, called by the kernel half. */
extern unsigned long K(sim_gs_base);
void *H(host_alloc)(unsigned long bytes);
void H(host_guard_percpu)(void *start, unsigned long len);
void H(host_write)(const char *text, int len);
void H(host_trace)(const char *text, int len);
void H(host_timeline)(const char *text, int len);
void H(host_refuse)(const char *why) __attribute__((noreturn));
void H(host_fatal)(const char *why) __attribute__((noreturn));

#endif
