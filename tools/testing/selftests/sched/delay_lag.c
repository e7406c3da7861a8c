// SPDX-License-Identifier: GPL-2.0
/*
 * DELAY_LAG: while its dequeue is delayed, the lag of an entity stays between
 * what it was at the delay and, with DELAY_ZERO, zero.
 *
 * test_modules/delay_lag_probe.ko reads the lag at the delay and at its end in
 * the running kernel. Each test loads one CPU with sleepers of different weights,
 * disturbs them in one way (see the variants), and asks two things: with the bit
 * on no delay may end below or above its bounds, and with the bit off some must
 * end below, or the test has not exercised what the bit is for.
 *
 * On a kernel without the bit the first half fails: that is the defect.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "../kselftest_harness.h"
#include "sched_util.h"

#define FEATURE		"DELAY_LAG"
#define PROBE		"delay_lag_probe"
#define PROBE_DIR	"/sys/kernel/debug/sched_delay_lag/"
#define GROUP		"delay_lag_selftest"
#define AUTOGROUP	"/proc/sys/kernel/sched_autogroup_enabled"

#define ENOUGH		200	/* ended delays wanted before we judge */
#define FEWEST		50	/* fewer on a slow host decide nothing */
#define MAX_SECONDS	60	/* to see so many, and the defect with the bit off */

/* Ways in which a delay ends or is carried on, as the probe names them. */
enum { REQUEUE, DEQUEUE, MOVE, NR_WAYS };
static const char * const way_name[] = { "requeue", "dequeue", "move" };

struct seen {
	unsigned long long count, below, above;
	long long worst;
};

struct stats {
	struct seen way[NR_WAYS], all;
	unsigned long long missed;
};

static int read_stats(const char *kind, struct stats *st)
{
	char text[2048], format[96], *line, *save;
	int w, found = 0;

	memset(st, 0, sizeof(*st));
	if (read_file(PROBE_DIR "stats", text, sizeof(text)) < 0)
		return -1;
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		found += sscanf(line, "missed %llu", &st->missed) == 1;
		for (w = 0; w < NR_WAYS; w++) {
			struct seen *s = &st->way[w];

			snprintf(format, sizeof(format),
				 "%s %s count %%llu below %%llu worst %%lld above %%llu",
				 kind, way_name[w]);
			if (sscanf(line, format, &s->count, &s->below, &s->worst, &s->above) != 4)
				continue;
			found++;
			st->all.count += s->count;
			st->all.below += s->below;
			st->all.above += s->above;
			if (s->worst > st->all.worst)
				st->all.worst = s->worst;
		}
	}
	return found == NR_WAYS + 1 ? 0 : -1;
}

/* What is done to the sleepers while they run, sleep and are delayed. */
static void disturb_nothing(struct load *l, unsigned int *seed)
{
	usleep(1000);
}

static void disturb_weight(struct load *l, unsigned int *seed)
{
	setpriority(PRIO_PROCESS, l->tid[below(seed, l->nr)], (int)below(seed, 40) - 20);
	usleep(200);
}

static void disturb_cpu(struct load *l, unsigned int *seed)
{
	int other = cpu_nth_allowed(2);

	pin_thread(l->tid[below(seed, l->nr)], below(seed, 2) ? l->cpu : other);
	usleep(200);
}

static void disturb_class(struct load *l, unsigned int *seed)
{
	struct sched_param rt = { .sched_priority = 1 }, none = { 0 };
	pid_t tid = l->tid[below(seed, l->nr)];

	sched_setscheduler(tid, SCHED_FIFO, &rt);
	usleep(100);
	sched_setscheduler(tid, below(seed, 2) ? SCHED_OTHER : SCHED_BATCH, &none);
}

static void disturb_group_weight(struct load *l, unsigned int *seed)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", 1 + below(seed, 10000));
	cgroup_write(GROUP, "cpu.weight", text);
	usleep(500);
}

/* The bit itself: delays that began with it off are judged with it on. */
static void disturb_bit(struct load *l, unsigned int *seed)
{
	write_file(PROBE_DIR "judge", "0");
	sched_feature_set(FEATURE, false);
	usleep(2000);
	sched_feature_set(FEATURE, true);
	usleep(100);	/* whoever was at it with the bit still off */
	write_file(PROBE_DIR "judge", "1");
	usleep(5000);
}

/* What a test does to the sleepers and what it must see of it. */
struct scenario {
	const char *kind;		/* of entity to judge: "task" or "group" */
	void (*disturb)(struct load *sleepers, unsigned int *seed);
	int must_see;			/* the way that must occur */
};

FIXTURE(delay_lag) {
	struct load hogs, sleepers, heavy;
	bool was_on, unload;
	char autogroup[8];
};

FIXTURE_VARIANT(delay_lag) {
	struct scenario s;
	bool group;			/* sleepers in a group of their own */
	const char *quota;		/* cpu.max of that group */
	bool always_on;			/* makes no sense with the bit off */
};

FIXTURE_VARIANT_ADD(delay_lag, tasks) {
	.s = { "task", disturb_nothing, REQUEUE },
};

FIXTURE_VARIANT_ADD(delay_lag, reweight) {
	.s = { "task", disturb_weight, MOVE },
};

FIXTURE_VARIANT_ADD(delay_lag, migration) {
	.s = { "task", disturb_cpu, MOVE },
};

FIXTURE_VARIANT_ADD(delay_lag, class_change) {
	.s = { "task", disturb_class, DEQUEUE },
};

FIXTURE_VARIANT_ADD(delay_lag, bit_flips) {
	.s = { "task", disturb_bit, REQUEUE },
	.always_on = true,
};

FIXTURE_VARIANT_ADD(delay_lag, groups) {
	.s = { "group", disturb_nothing, REQUEUE },
	.group = true,
};

FIXTURE_VARIANT_ADD(delay_lag, group_reweight) {
	.s = { "group", disturb_group_weight, DEQUEUE },
	.group = true,
};

FIXTURE_VARIANT_ADD(delay_lag, throttling) {
	.s = { "group", disturb_nothing, DEQUEUE },
	.group = true,
	.quota = "6000 20000",
};

FIXTURE_SETUP(delay_lag)
{
	int cpu = cpu_nth_allowed(1), err;

	if (geteuid())
		SKIP(return, "needs root");
	if (cpu_nth_allowed(2) < 0)
		SKIP(return, "needs 3 CPUs");
	if (!sched_feature_is_on("DELAY_DEQUEUE") || !sched_feature_is_on("DELAY_ZERO"))
		SKIP(return, "needs DELAY_DEQUEUE and DELAY_ZERO");
	err = load_test_module(PROBE);
	if (err < 0)
		SKIP(return, "cannot load test_modules/" PROBE ".ko: %s", strerror(errno));
	self->unload = !err;
	self->was_on = sched_feature_is_on(FEATURE);
	/*
	 * In a session of its own all but the group would be one entity beside it,
	 * and hardly anybody would join or leave at that level.
	 */
	if (read_file(AUTOGROUP, self->autogroup, sizeof(self->autogroup)) > 0)
		ASSERT_EQ(0, write_file(AUTOGROUP, "0"));

	if (variant->group) {
		ASSERT_EQ(0, cgroup_create(GROUP));
		ASSERT_EQ(0, cgroup_write(GROUP, "cpu.max", variant->quota ?: "max 20000"));
	}
	/*
	 * V moves when entities join and leave with lag of either sign and when
	 * heavy ones do; the hogs keep the CPU busy, so delays last.
	 */
	self->hogs = (struct load){ .nr = 2, .cpu = cpu, .run_us = 5000 };
	self->heavy = (struct load){
		.nr = 2, .cpu = cpu, .run_us = 1500, .sleep_us = 3000, .nice = -10,
	};
	/* A group is dequeued when its last task is: alone in it, that is each sleep. */
	self->sleepers = (struct load){
		.nr = variant->group ? 1 : 6, .cpu = cpu, .run_us = 3000, .sleep_us = 4000,
		.cgroup = variant->group ? GROUP : NULL,
	};
	ASSERT_EQ(0, load_start(&self->hogs));
	ASSERT_EQ(0, load_start(&self->heavy));
	ASSERT_EQ(0, load_start(&self->sleepers));
}

FIXTURE_TEARDOWN(delay_lag)
{
	load_stop(&self->sleepers);
	load_stop(&self->heavy);
	load_stop(&self->hogs);
	if (variant->group)
		cgroup_remove(GROUP);
	sched_feature_set(FEATURE, self->was_on);
	if (self->autogroup[0])
		write_file(AUTOGROUP, self->autogroup);
	/* Its probes would slow down who comes next. */
	if (self->unload)
		unload_test_module(PROBE);
}

/* Disturb until enough was seen, of every sort that is asked for; -1 on error. */
static int watch(struct __test_metadata *_metadata, const struct scenario *s,
		 struct load *sleepers, bool want_below, struct stats *st)
{
	time_t end = time(NULL) + MAX_SECONDS;
	unsigned int seed = 1;
	int w;

	if (write_file(PROBE_DIR "reset", "1"))
		return -1;
	do {
		int i;

		for (i = 0; i < 20; i++)
			s->disturb(sleepers, &seed);
		if (read_stats(s->kind, st))
			return -1;
		if (st->all.count >= ENOUGH && st->way[s->must_see].count &&
		    (!want_below || st->all.below))
			break;
	} while (time(NULL) < end);

	for (w = 0; w < NR_WAYS; w++)
		TH_LOG("%s %s: %llu, below the lag at the delay %llu (worst %lld ns), above 0 %llu",
		       s->kind, way_name[w], st->way[w].count, st->way[w].below,
		       st->way[w].worst, st->way[w].above);
	return 0;
}

TEST_F_TIMEOUT(delay_lag, bounded, 3 * MAX_SECONDS)
{
	struct stats st;

	/* The rule may be there under another name, or not at all: judge what is. */
	if (!sched_feature_exists(FEATURE))
		TH_LOG("no " FEATURE ": the kernel is judged as it is");
	else
		ASSERT_EQ(0, sched_feature_set(FEATURE, true));

	ASSERT_EQ(0, watch(_metadata, &variant->s, &self->sleepers, false, &st));
	EXPECT_EQ(0, st.missed);
	EXPECT_LE(FEWEST, st.all.count);
	EXPECT_LT(0, st.way[variant->s.must_see].count);
	EXPECT_EQ(0, st.all.below);
	EXPECT_EQ(0, st.all.above);
}

TEST_F_TIMEOUT(delay_lag, grows_with_the_bit_off, 3 * MAX_SECONDS)
{
	struct stats st;

	if (variant->always_on)
		SKIP(return, "the bit is what is flipped");
	if (!sched_feature_exists(FEATURE))
		SKIP(return, "no " FEATURE " to switch off");
	ASSERT_EQ(0, sched_feature_set(FEATURE, false));

	ASSERT_EQ(0, watch(_metadata, &variant->s, &self->sleepers, true, &st));
	EXPECT_EQ(0, st.missed);
	EXPECT_LT(0, st.all.below);
}

TEST_HARNESS_MAIN
