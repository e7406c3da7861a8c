// SPDX-License-Identifier: GPL-2.0
/*
 * What zone->lock costs those who take it, and those who read zone->flags without it.
 *
 *     insmod zone_lock_bench.ko [alloc_cpus=LIST] [read_cpus=LIST] [node=N] [seconds=N]
 *
 * A thread per CPU of alloc_cpus allocates order-0 pages and frees them, so many at a
 * time that the pcp lists cannot hold them. A thread per CPU of read_cpus reads
 * zone->flags in a loop, as the allocator's fast paths do. Three phases: readers alone,
 * allocators alone, both. Figures are in the kernel log as KTAP, higher is better:
 * compare the same lines of two kernels that differ in the order of struct zone
 * (CONFIG_ZONE_ORDER_*). Without lists the online CPUs take turns. Results mean
 * something on real CPUs only; loading fails if nothing was measured.
 */
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/gfp.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/module.h>

static char *alloc_cpus, *read_cpus;
static int node = NUMA_NO_NODE;
static unsigned int seconds = 5;
module_param(alloc_cpus, charp, 0444);
MODULE_PARM_DESC(alloc_cpus, "CPUs that allocate and free, e.g. 0-15 (default: every other one)");
module_param(read_cpus, charp, 0444);
MODULE_PARM_DESC(read_cpus, "CPUs that read zone->flags (default: the others)");
module_param(node, int, 0444);
MODULE_PARM_DESC(node, "node whose memory is used (default: that of the loading CPU)");
module_param(seconds, uint, 0444);
MODULE_PARM_DESC(seconds, "length of a phase");

struct worker {
	struct task_struct *task;
	struct list_head pages;
	u64 count;
	unsigned int failed;
} ____cacheline_aligned_in_smp;

static struct zone *zone;
static unsigned long batch;	/* pages that a thread holds at most */
static bool stop;

static int reader(void *arg)
{
	struct worker *w = arg;
	u64 count = 0;

	while (!READ_ONCE(stop)) {
		int i;

		for (i = 0; i < 1000; i++) {
			if (READ_ONCE(zone->flags) & BIT(BITS_PER_LONG - 1))
				w->failed++;	/* no such flag */
			cpu_relax();
		}
		count += i;
		cond_resched();
	}
	w->count = count;
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

static void free_all(struct worker *w)
{
	struct page *page, *next;

	list_for_each_entry_safe(page, next, &w->pages, lru) {
		list_del(&page->lru);
		__free_page(page);
	}
	cond_resched();
}

static int allocator(void *arg)
{
	struct worker *w = arg;
	u64 count = 0;

	while (!READ_ONCE(stop)) {
		unsigned long i;

		for (i = 0; i < batch && !READ_ONCE(stop); i++) {
			struct page *page = alloc_pages_node(node, GFP_KERNEL |
						__GFP_THISNODE | __GFP_NOWARN, 0);

			if (!page) {
				w->failed++;
				break;
			}
			list_add(&page->lru, &w->pages);
		}
		count += i;
		free_all(w);
	}
	w->count = count;
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

static int start(struct worker *workers, const struct cpumask *cpus, int (*fn)(void *))
{
	int cpu;

	for_each_cpu(cpu, cpus) {
		struct worker *w = &workers[cpu];
		struct task_struct *task;

		w->count = 0;
		w->failed = 0;
		INIT_LIST_HEAD(&w->pages);
		task = kthread_create_on_node(fn, w, cpu_to_node(cpu), "zone_lock/%d", cpu);
		if (IS_ERR(task))
			return PTR_ERR(task);
		kthread_bind(task, cpu);
		w->task = task;
		wake_up_process(task);
	}
	return 0;
}

/* Sum, and least and most per thread, of what the workers counted. */
static void finish(struct worker *workers, const struct cpumask *cpus, u64 *sum,
		   u64 *least, u64 *most, unsigned int *failed)
{
	int cpu;

	*sum = *most = 0;
	*least = U64_MAX;
	for_each_cpu(cpu, cpus) {
		struct worker *w = &workers[cpu];

		if (!w->task)
			continue;
		kthread_stop(w->task);
		w->task = NULL;
		*sum += w->count;
		*least = min(*least, w->count);
		*most = max(*most, w->count);
		*failed += w->failed;
	}
}

static int phase(int number, const char *name, struct worker *workers,
		 const struct cpumask *readers, const struct cpumask *allocators)
{
	u64 sum, least, most;
	unsigned int failed = 0;
	int err;

	WRITE_ONCE(stop, false);
	err = start(workers, allocators, allocator);
	if (!err)
		err = start(workers, readers, reader);
	if (!err)
		ssleep(seconds);
	WRITE_ONCE(stop, true);

	finish(workers, allocators, &sum, &least, &most, &failed);
	if (!err && !cpumask_empty(allocators))
		pr_info("# %s: allocated and freed, 1000 pages/s: %llu, per thread %llu to %llu\n",
			name, sum / seconds / 1000, least / seconds / 1000, most / seconds / 1000);
	if (!err && !cpumask_empty(allocators) && !sum)
		err = -ENOMEM;
	finish(workers, readers, &sum, &least, &most, &failed);
	if (!err && !cpumask_empty(readers))
		pr_info("# %s: reads of zone->flags, 1000/s: %llu, per thread %llu to %llu\n",
			name, sum / seconds / 1000, least / seconds / 1000, most / seconds / 1000);
	if (failed)
		pr_info("# %s: %u failed allocations\n", name, failed);
	pr_info("%sok %d zone_lock_bench.%s\n", err ? "not " : "", number, name);
	return err;
}

/* The zone that allocations come from, and how many pages exceed its pcp lists. */
static int find_zone(unsigned int threads)
{
	struct page *page;

	if (node == NUMA_NO_NODE)
		node = numa_mem_id();
	if (node < 0 || node >= MAX_NUMNODES || !node_online(node)) {
		pr_err("zone_lock_bench: node=%d is not online\n", node);
		return -EINVAL;
	}
	page = alloc_pages_node(node, GFP_KERNEL | __GFP_THISNODE, 0);
	if (!page)
		return -ENOMEM;
	zone = page_zone(page);
	__free_page(page);
	/* The lists grow up to pageset_high_max; no more than half of the zone in all. */
	batch = min(2ul * zone->pageset_high_max, zone_managed_pages(zone) / 2 / threads);
	return 0;
}

static int __init zone_lock_bench_init(void)
{
	cpumask_var_t readers, allocators;
	struct worker *workers = NULL;
	int err = -ENOMEM, cpu, n = 0;

	if (!zalloc_cpumask_var(&readers, GFP_KERNEL))
		return -ENOMEM;
	if (!zalloc_cpumask_var(&allocators, GFP_KERNEL))
		goto out_readers;
	workers = kvcalloc(nr_cpu_ids, sizeof(*workers), GFP_KERNEL);
	if (!workers)
		goto out_allocators;

	cpus_read_lock();
	for_each_online_cpu(cpu)
		cpumask_set_cpu(cpu, n++ % 2 ? readers : allocators);
	err = alloc_cpus ? cpulist_parse(alloc_cpus, allocators) : 0;
	if (!err && read_cpus)
		err = cpulist_parse(read_cpus, readers);
	/* Who is given one list gets the rest as the other. */
	if (alloc_cpus && !read_cpus)
		cpumask_andnot(readers, cpu_online_mask, allocators);
	if (read_cpus && !alloc_cpus)
		cpumask_andnot(allocators, cpu_online_mask, readers);
	if (!err && (cpumask_empty(allocators) || cpumask_intersects(readers, allocators) ||
		     !cpumask_subset(readers, cpu_online_mask) ||
		     !cpumask_subset(allocators, cpu_online_mask)))
		err = -EINVAL;
	if (err) {
		pr_err("zone_lock_bench: CPU lists want online CPUs like 0-3,8, none of them in both\n");
		goto out_unlock;
	}
	if (!seconds) {
		pr_err("zone_lock_bench: seconds=0 measures nothing\n");
		err = -EINVAL;
		goto out_unlock;
	}
	err = find_zone(cpumask_weight(allocators));
	if (err)
		goto out_unlock;

	pr_info("KTAP version 1\n");
	pr_info("1..3\n");
	pr_info("# node %d zone %s, %u allocators with %lu pages each, %u readers, %u s\n",
		node, zone->name, cpumask_weight(allocators), batch,
		cpumask_weight(readers), seconds);
	pr_info("# flags at %zu, lock at %zu\n", offsetof(struct zone, flags),
		offsetof(struct zone, lock));
	err = phase(1, "read", workers, readers, cpu_none_mask);
	if (!err)
		err = phase(2, "alloc", workers, cpu_none_mask, allocators);
	if (!err)
		err = phase(3, "both", workers, readers, allocators);
out_unlock:
	cpus_read_unlock();
	kvfree(workers);
out_allocators:
	free_cpumask_var(allocators);
out_readers:
	free_cpumask_var(readers);
	return err;
}

static void __exit zone_lock_bench_exit(void)
{
}

module_init(zone_lock_bench_init);
module_exit(zone_lock_bench_exit);

MODULE_DESCRIPTION("Benchmark of zone->lock and of readers of zone->flags");
MODULE_LICENSE("GPL");
