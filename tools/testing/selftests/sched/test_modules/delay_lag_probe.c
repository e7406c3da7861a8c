// SPDX-License-Identifier: GPL-2.0
/*
 * Watch the lag of scheduling entities from the moment their dequeue is delayed
 * to the moment the delay ends, in a running kernel.
 *
 * The probe computes lag by itself, from the entity's vruntime and the kernel's
 * avg_vruntime(), so that it judges a kernel with and without DELAY_LAG alike
 * and does not believe what the kernel has recorded. V counts what the current
 * entity has run until then: the probe has the kernel update that.
 *
 * A delay is seen when dequeue_entity() returns false. It ends, or is carried
 * elsewhere, in one of three ways:
 *	requeue		requeue_delayed_entity(): woken while still queued
 *	dequeue		dequeue_entity(): picked, throttled or forced off, for good
 *	move		dequeue_entity() and still delayed: off for a moment, to
 *			change CPU or a parameter; the delay goes on
 *
 * Counters per kind and way are in debugfs, sched_delay_lag/stats, one line each:
 *	KIND WAY count N below N worst NS above N
 * below: lag under that at the delay, worst: by how much; above: positive lag
 * (which DELAY_ZERO forbids); both beyond TOLERANCE_NS. A last line, "missed N",
 * counts events that a probe could not see: with N > 0 nothing is proven.
 * A write to sched_delay_lag/reset clears all of it; while sched_delay_lag/judge
 * is N, delays are followed but what they come to is not counted.
 */
#include <linux/debugfs.h>
#include <linux/hash.h>
#include <linux/kprobes.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/seq_file.h>

#ifndef CONFIG_FAIR_GROUP_SCHED
#error "sched_entity::cfs_rq and ::my_q need CONFIG_FAIR_GROUP_SCHED"
#endif

/*
 * Three divisions that round to a nanosecond lie between the floor and the lag
 * seen here (inflation of lag, V before and V after placement).
 */
#define TOLERANCE_NS	4

#define TABLE_BITS	12
#define PROBE_MAX	32	/* slots looked at before an entity is given up */

struct delay {
	struct sched_entity *se;
	s64 lag;		/* at the delay, virtual ns */
	unsigned long weight;	/* at the delay */
};

enum way { REQUEUE, DEQUEUE, MOVE, NR_WAYS };

static const char * const way_name[NR_WAYS] = { "requeue", "dequeue", "move" };

struct way_counters {
	u64 count, below, above;
	s64 worst;
};

struct counters {
	u64 delays;
	struct way_counters way[NR_WAYS];
};

/* All below is written under the lock; probes run with interrupts off. */
static DEFINE_RAW_SPINLOCK(lock);
static struct delay table[1 << TABLE_BITS];
static struct counters counters[2];	/* tasks, groups */
static u64 lost;
static unsigned long missed_before;
static bool judge = true;

static u64 (*avg_vruntime_fn)(struct cfs_rq *cfs_rq);
static void (*update_curr_fn)(struct cfs_rq *cfs_rq);

/* The slot of @se or, if it has none and @free, an unused one; else NULL. */
static struct delay *find_slot(struct sched_entity *se, bool free)
{
	u32 i, at = hash_ptr(se, TABLE_BITS);
	struct delay *unused = NULL;

	for (i = 0; i < PROBE_MAX; i++) {
		struct delay *d = &table[(at + i) & ((1 << TABLE_BITS) - 1)];

		if (d->se == se)
			return d;
		if (!d->se && !unused)
			unused = d;
	}
	return free ? unused : NULL;
}

/* Both callees are found at run time: no type hash to check. */
static s64 __nocfi lag_of(struct sched_entity *se)
{
	update_curr_fn(se->cfs_rq);
	return avg_vruntime_fn(se->cfs_rq) - se->vruntime;
}

static void delay_begins(struct sched_entity *se)
{
	s64 lag = lag_of(se);
	struct delay *d;

	raw_spin_lock(&lock);
	d = find_slot(se, true);
	if (d) {
		*d = (struct delay){ se, lag, se->load.weight };
		counters[!!se->my_q].delays++;
	} else {
		lost++;
	}
	raw_spin_unlock(&lock);
}

static void delay_seen(struct sched_entity *se, enum way way, s64 lag)
{
	struct delay *d;
	s64 floor;

	raw_spin_lock(&lock);
	d = find_slot(se, false);
	if (d) {	/* else its delay is older than the probe */
		struct way_counters *c = &counters[!!se->my_q].way[way];

		/* lag proper is weight times virtual lag */
		floor = div64_s64(d->lag * (s64)d->weight, (s64)se->load.weight);
		if (READ_ONCE(judge)) {
			c->count++;
			if (lag < floor - TOLERANCE_NS) {
				c->below++;
				c->worst = max(c->worst, floor - lag);
			}
			if (lag > TOLERANCE_NS)
				c->above++;
		}
		if (way != MOVE)
			d->se = NULL;
	}
	raw_spin_unlock(&lock);
}

struct call {
	struct sched_entity *se;
	bool was_delayed;
};

static int dequeue_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct call *call = (void *)ri->data;

	call->se = (void *)regs_get_kernel_argument(regs, 1);
	call->was_delayed = call->se->sched_delayed;
	return 0;
}

static int dequeue_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct call *call = (void *)ri->data;
	struct sched_entity *se = call->se;

	if (!call->was_delayed && se->sched_delayed)
		delay_begins(se);
	else if (call->was_delayed)
		delay_seen(se, se->sched_delayed ? MOVE : DEQUEUE, se->vlag);
	return 0;
}

static int requeue_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct call *call = (void *)ri->data;

	call->se = (void *)regs_get_kernel_argument(regs, 0);
	return 0;
}

static int requeue_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct call *call = (void *)ri->data;

	delay_seen(call->se, REQUEUE, lag_of(call->se));
	return 0;
}

static struct kretprobe dequeue_probe = {
	.kp.symbol_name	= "dequeue_entity",
	.entry_handler	= dequeue_entry,
	.handler	= dequeue_return,
	.data_size	= sizeof(struct call),
	.maxactive	= 4 * NR_CPUS,
};

static struct kretprobe requeue_probe = {
	.kp.symbol_name	= "requeue_delayed_entity",
	.entry_handler	= requeue_entry,
	.handler	= requeue_return,
	.data_size	= sizeof(struct call),
	.maxactive	= 4 * NR_CPUS,
};

static struct kretprobe *probes[] = { &dequeue_probe, &requeue_probe };

static unsigned long probes_missed(void)
{
	return dequeue_probe.nmissed + dequeue_probe.kp.nmissed +
	       requeue_probe.nmissed + requeue_probe.kp.nmissed;
}

static int stats_show(struct seq_file *m, void *unused)
{
	static const char * const kind[] = { "task", "group" };
	struct counters copy[2];
	u64 missed;
	int k, w;

	raw_spin_lock_irq(&lock);
	memcpy(copy, counters, sizeof(copy));
	missed = lost + probes_missed() - missed_before;
	raw_spin_unlock_irq(&lock);

	for (k = 0; k < ARRAY_SIZE(kind); k++) {
		seq_printf(m, "%s delay count %llu\n", kind[k], copy[k].delays);
		for (w = 0; w < NR_WAYS; w++)
			seq_printf(m, "%s %s count %llu below %llu worst %lld above %llu\n",
				   kind[k], way_name[w], copy[k].way[w].count,
				   copy[k].way[w].below, copy[k].way[w].worst,
				   copy[k].way[w].above);
	}
	seq_printf(m, "missed %llu\n", missed);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(stats);

static ssize_t reset_write(struct file *file, const char __user *buf,
			   size_t len, loff_t *pos)
{
	/* Delays under way stay in the table: they are judged when they end. */
	raw_spin_lock_irq(&lock);
	memset(counters, 0, sizeof(counters));
	lost = 0;
	missed_before = probes_missed();
	raw_spin_unlock_irq(&lock);
	return len;
}

static const struct file_operations reset_fops = {
	.owner	= THIS_MODULE,
	.write	= reset_write,
};

/*
 * Neither avg_vruntime() nor update_curr() is exported: kprobes know where they are.
 * Not armed, as that would patch functions that every CPU is about to call.
 */
static void *find_function(const char *name)
{
	struct kprobe kp = { .symbol_name = name, .flags = KPROBE_FLAG_DISABLED };

	if (register_kprobe(&kp))
		return NULL;
	unregister_kprobe(&kp);
	return kp.addr;
}

static struct dentry *dir;

static int __init delay_lag_probe_init(void)
{
	int err = -ENOENT;

#ifdef CONFIG_X86_KERNEL_IBT
	/* Nobody calls them indirectly, so their ENDBR may be gone. */
	if (cpu_feature_enabled(X86_FEATURE_IBT)) {
		pr_err("delay_lag_probe: cannot call avg_vruntime() under IBT; boot with ibt=off\n");
		return -EOPNOTSUPP;
	}
#endif
	avg_vruntime_fn = find_function("avg_vruntime");
	update_curr_fn = find_function("update_curr");
	if (avg_vruntime_fn && update_curr_fn)
		err = register_kretprobes(probes, ARRAY_SIZE(probes));
	if (err) {
		pr_err("delay_lag_probe: cannot find avg_vruntime and update_curr or probe %s and %s: %d (inlined, or no kprobes?)\n",
		       dequeue_probe.kp.symbol_name, requeue_probe.kp.symbol_name, err);
		return err;
	}

	dir = debugfs_create_dir("sched_delay_lag", NULL);
	debugfs_create_file("stats", 0444, dir, NULL, &stats_fops);
	debugfs_create_file("reset", 0200, dir, NULL, &reset_fops);
	debugfs_create_bool("judge", 0600, dir, &judge);
	return 0;
}

static void __exit delay_lag_probe_exit(void)
{
	debugfs_remove(dir);
	unregister_kretprobes(probes, ARRAY_SIZE(probes));
}

module_init(delay_lag_probe_init);
module_exit(delay_lag_probe_exit);

MODULE_DESCRIPTION("Watch the lag of entities whose dequeue is delayed");
MODULE_LICENSE("GPL");
