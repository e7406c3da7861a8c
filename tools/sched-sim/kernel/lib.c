// SPDX-License-Identifier: GPL-2.0
/*
 * What the scheduler calls outside kernel/sched and gets a small version of
 * here: memory, printk, time, RCU, random numbers, warnings.
 */
#include "machine.h"
#include <linux/slab.h>
#include <linux/rcupdate.h>
#include <linux/workqueue.h>
#include <linux/timekeeping.h>
#include <linux/jiffies.h>
#include <linux/bug.h>
#include <linux/sched/clock.h>
#include <linux/sched/loadavg.h>
#include <linux/rcuwait.h>
#include <linux/clockchips.h>

/*
 * Memory: freed blocks are kept by size class and given out again, so a fork
 * storm runs in constant memory. All of it lies at fixed addresses, so nothing
 * that hashes or compares pointers depends on the run.
 */
struct block {
	u32 class;
	struct block *next;
} __aligned(64);

#define BIG	12		/* from 4 KiB on, blocks are not used again */
static struct block *free_blocks[64];

static void *get_block(size_t size)
{
	u32 class = fls64((size + sizeof(struct block)) - 1);
	struct block *b = free_blocks[class];

	if (b) {
		free_blocks[class] = b->next;
		memset(b + 1, 0, size);
	} else {
		b = host_alloc(class < BIG ? 1UL << class : size + sizeof(*b));
	}
	b->class = class;
	return b + 1;
}

static void put_block(const void *p)
{
	struct block *b = (struct block *)p - 1;

	if (ZERO_OR_NULL_PTR(p) || b->class >= BIG)
		return;
	b->next = free_blocks[b->class];
	free_blocks[b->class] = b;
}

void *__kmalloc_noprof(size_t size, gfp_t flags)
{
	return get_block(size);
}

void *__kmalloc_node_noprof(DECL_BUCKET_PARAMS(size, b), gfp_t flags, int node)
{
	return get_block(size);
}

void *__kmalloc_cache_noprof(struct kmem_cache *s, gfp_t flags, size_t size)
{
	return get_block(size);
}

void *__kmalloc_cache_node_noprof(struct kmem_cache *s, gfp_t flags, int node,
				  size_t size)
{
	return get_block(size);
}

void *__kmalloc_large_noprof(size_t size, gfp_t flags)
{
	return get_block(size);
}

void kfree(const void *p)
{
	put_block(p);
}

void kvfree(const void *p)
{
	put_block(p);
}

struct kmem_cache {
	size_t size;
	void **free;		/* the first word of each free object */
};

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
struct kmem_cache *kmem_cache_create(const char *name, unsigned int size,
				     unsigned int align, slab_flags_t flags,
				     void (*ctor)(void *))
#else
struct kmem_cache *__kmem_cache_create_args(const char *name,
					    unsigned int size,
					    struct kmem_cache_args *args,
					    slab_flags_t flags)
#endif
{
	struct kmem_cache *s = get_block(sizeof(*s));

	s->size = ALIGN(size, 64);
	return s;
}

void *kmem_cache_alloc_noprof(struct kmem_cache *s, gfp_t flags)
{
	void **object = s->free;

	if (!object)
		return host_alloc(s->size);
	s->free = *object;
	if (flags & __GFP_ZERO)
		memset(object, 0, s->size);
	return object;
}

void kmem_cache_free(struct kmem_cache *s, void *p)
{
	*(void **)p = s->free;
	s->free = p;
}

/* printk and ends of a run */
static int print(const char *fmt, va_list args, bool always)
{
	char text[512], *s = text;
	int n = vscnprintf(text, sizeof(text), fmt, args);

	if (s[0] == '\001') {		/* a level: debug and info are quiet */
		if (!sim_config.verbose && s[1] >= '5' && s[1] <= '7')
			return n;
		s += 2;
		n -= 2;
	} else if (!always && !sim_config.verbose) {
		return n;
	}
	host_write(s, n);
	return n;
}

int _printk(const char *fmt, ...)
{
	va_list args;
	int n;

	va_start(args, fmt);
	n = print(fmt, args, false);
	va_end(args);
	return n;
}

int _printk_deferred(const char *fmt, ...)
{
	va_list args;
	int n;

	va_start(args, fmt);
	n = print(fmt, args, false);
	va_end(args);
	return n;
}

void __warn_printk(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	print(fmt, args, true);
	va_end(args);
}

void sim_print(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	print(fmt, args, true);
	va_end(args);
}

void sim_die(const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	vscnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	host_fatal(text);
}

/* The user asked for something that cannot be. */
void sim_refuse(const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	vscnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	host_refuse(text);
}

void sim_must_not(const char *name)
{
	sim_die("%s was called, which symbols.tbl says must not be reached", name);
}

extern struct bug_entry __bug_start[], __bug_stop[];

/*
 * WARN() and BUG() are an undefined instruction. Says where it is, and in
 * *@warning whether execution goes on behind it; 0 if it is none of them.
 */
int sim_describe_ud2(unsigned long ip, int *warning)
{
	struct bug_entry *b;

	for (b = __bug_start; b < __bug_stop; b++) {
		if ((unsigned long)&b->bug_addr_disp + b->bug_addr_disp != ip)
			continue;
		*warning = !!(b->flags & BUGFLAG_WARNING);
		if (b->flags & BUGFLAG_ONCE) {
			if (b->flags & BUGFLAG_DONE)
				return 1;
			b->flags |= BUGFLAG_DONE;
		}
		sim_results.warnings++;
		sim_print("%s at %s:%d, %llu ns, CPU %d\n",
			  *warning ? "WARNING" : "BUG",
			  (char *)&b->file_disp + b->file_disp, b->line,
			  sim_now, raw_smp_processor_id());
		return 1;
	}
	return 0;
}

/* Time: every clock shows simulated nanoseconds since boot. */
raw_spinlock_t jiffies_lock = __RAW_SPIN_LOCK_UNLOCKED(jiffies_lock);
seqcount_raw_spinlock_t jiffies_seq =
	SEQCNT_RAW_SPINLOCK_ZERO(jiffies_seq, &jiffies_lock);

ktime_t ktime_get(void)
{
	return sim_now;
}

ktime_t ktime_get_with_offset(enum tk_offsets offs)
{
	return sim_now;
}

ktime_t ktime_get_update_offsets_now(unsigned int *cwsseq, ktime_t *offs_real,
				     ktime_t *offs_boot, ktime_t *offs_tai)
{
	return sim_now;
}

int timekeeping_valid_for_hres(void)
{
	return 1;
}

u64 timekeeping_max_deferment(void)
{
	return KTIME_MAX;
}

void do_timer(unsigned long ticks)
{
	jiffies_64 += ticks;
	calc_global_load();
}

void clocks_calc_mult_shift(u32 *mult, u32 *shift, u32 from, u32 to, u32 maxsec)
{
	*mult = 1;
	*shift = 0;
}

void tick_handle_periodic(struct clock_event_device *dev);
void tick_set_periodic_handler(struct clock_event_device *dev, int broadcast)
{
	dev->event_handler = tick_handle_periodic;
}

unsigned long __msecs_to_jiffies(const unsigned int ms)
{
	return ms * HZ / MSEC_PER_SEC;
}

unsigned int jiffies_to_msecs(const unsigned long j)
{
	return j * MSEC_PER_SEC / HZ;
}

unsigned long nsecs_to_jiffies(u64 ns)
{
	return div_u64(ns, TICK_NSEC);
}

u64 nsec_to_clock_t(u64 ns)
{
	return div_u64(ns, NSEC_PER_SEC / USER_HZ);
}

/*
 * RCU and work: a grace period ends, and work is done, when the event loop gets
 * control. The kernel's work items here set flags (timer_update_work) and do
 * not sleep.
 */
static struct rcu_head *rcu_first, **rcu_last = &rcu_first;
static LIST_HEAD(works);
bool sim_deferred_pending;

bool queue_work_on(int cpu, struct workqueue_struct *wq, struct work_struct *work)
{
	if (test_and_set_bit(WORK_STRUCT_PENDING_BIT, work_data_bits(work)))
		return false;
	list_add_tail(&work->entry, &works);
	sim_deferred_pending = true;
	return true;
}

void call_rcu(struct rcu_head *head, rcu_callback_t fn)
{
	head->func = fn;
	head->next = NULL;
	*rcu_last = head;
	rcu_last = &head->next;
	sim_deferred_pending = true;
}

void sim_deferred_run(void)
{
	sim_deferred_pending = false;
	while (!list_empty(&works)) {
		struct work_struct *work = list_first_entry(&works,
						struct work_struct, entry);

		list_del_init(&work->entry);
		clear_bit(WORK_STRUCT_PENDING_BIT, work_data_bits(work));
		work->func(work);
	}
	while (rcu_first) {
		struct rcu_head *head = rcu_first;

		rcu_first = head->next;
		if (!rcu_first)
			rcu_last = &rcu_first;
		head->func(head);
	}
}

void kvfree_call_rcu(struct rcu_head *head, sim_kvfree_rcu_t p)
{
}

int rcuwait_wake_up(struct rcuwait *w)
{
	struct task_struct *p = rcu_dereference_raw(w->task);

	return p ? wake_up_process(p) : 0;
}

void finish_rcuwait(struct rcuwait *w)
{
	rcu_assign_pointer(w->task, NULL);
	__set_current_state(TASK_RUNNING);
}

/* Random numbers: seeded, so a run can be repeated. */
u64 sim_random(u64 *state)
{
	u64 z = *state += 0x9e3779b97f4a7c15ULL;	/* splitmix64 */

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

static u64 kernel_random;

void sim_random_init(void)
{
	kernel_random = sim_config.seed;
}

void get_random_bytes(void *buf, size_t len)
{
	u8 *p = buf;

	while (len--)
		*p++ = sim_random(&kernel_random);
}

u32 __get_random_u32_below(u32 ceil)
{
	return ceil ? (u32)(sim_random(&kernel_random) >> 32) % ceil : 0;
}

/* Values that code only reads */
enum system_states system_state;
int oops_in_progress;
int timekeeping_suspended;
unsigned int cpu_khz = 2000000;
bool static_key_initialized = true;
DEFINE_STATIC_KEY_FALSE(perf_sched_events);
struct static_key paravirt_steal_enabled;
DEFINE_STATIC_KEY_TRUE(cpu_cgrp_subsys_on_dfl_key);
