// SPDX-License-Identifier: GPL-2.0
/*
 * Where the fields lie that the kprobes of guest/counters.sh read, and what
 * shares the cacheline of zone->lock. Never run: compiled to assembler, from which
 * offsets.sh takes the numbers, as the kernel does for asm-offsets.h.
 */
#include <linux/kbuild.h>
#include <linux/mmu_context.h>
#include <linux/mmzone.h>
#include <linux/sched.h>
#include "sched.h"

#define TASK(name, field)	DEFINE(task_ ## name, offsetof(struct task_struct, field))
#define ZONE(field)							\
	DEFINE(zone_ ## field, offsetof(struct zone, field));		\
	DEFINE(zone_size_ ## field, sizeof_field(struct zone, field))

int main(void)
{
	DEFINE(hz, HZ);

	DEFINE(rq_nr_running, offsetof(struct rq, nr_running));
	DEFINE(rq_cpu, offsetof(struct rq, cpu));
	DEFINE(rq_h_nr_runnable, offsetof(struct rq, cfs.h_nr_runnable));

	TASK(pid, pid);
	TASK(cpus_ptr, cpus_ptr);
	TASK(vruntime, se.vruntime);
	TASK(vlag, se.vlag);
	TASK(weight, se.load.weight);
	TASK(slice, se.slice);
	TASK(cfs_rq, se.cfs_rq);

	DEFINE(se_vruntime, offsetof(struct sched_entity, vruntime));
	DEFINE(se_weight, offsetof(struct sched_entity, load.weight));
	DEFINE(se_on_rq, offsetof(struct sched_entity, on_rq));

	DEFINE(cfs_avg_vruntime, offsetof(struct cfs_rq, avg_vruntime));
	DEFINE(cfs_avg_load, offsetof(struct cfs_rq, avg_load));
	DEFINE(cfs_zero_vruntime, offsetof(struct cfs_rq, zero_vruntime));
	DEFINE(cfs_curr, offsetof(struct cfs_rq, curr));

	DEFINE(cacheline, SMP_CACHE_BYTES);
	DEFINE(migrate_types, MIGRATE_TYPES);
	DEFINE(zone_orders, NR_PAGE_ORDERS);
	DEFINE(zone_size, sizeof(struct zone));
	ZONE(free_area);
#ifdef CONFIG_UNACCEPTED_MEMORY
	ZONE(unaccepted_pages);
#endif
	ZONE(flags);
	ZONE(lock);
	ZONE(percpu_drift_mark);
	return 0;
}
