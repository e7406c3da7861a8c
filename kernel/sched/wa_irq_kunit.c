// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests for the rule of WA_IRQ (wa_irq.h).
 */
#include <kunit/test.h>

#include <linux/module.h>

#include "wa_irq.h"

/* @times wakeups in a row, all alike. */
struct wakeups {
	int times, cpu;
	bool idle, same;
};

#define IRQ(times, cpu)	{ times, cpu, true, true }	/* by an idle CPU that wakes nobody else */
#define NEW(times, cpu)	{ times, cpu, true, false }	/* ... that has woken another in between */
#define TASK(times, cpu) { times, cpu, false, true }	/* by a running task */

struct rule_case {
	const char *name;
	int pulls;			/* earlier ones */
	struct wakeups w[8];
	int rounds;			/* of all these; 0 is 1 */
	bool bound;			/* after the last one */
	int streak, pulls_after;
};

static const struct rule_case rule_cases[] = {
	{ "never woken", },
	{ "first wakeup", 0, { NEW(1, 3) } },
	{ "one short", 0, { NEW(1, 3), IRQ(15, 3) }, 1, false, 15 },
	{ "just enough", 0, { NEW(1, 3), IRQ(16, 3) }, 1, true, 16 },
	{ "CPU 0, which a new task's state names", 0, { IRQ(16, 0) }, 1, true, 16 },
	{ "a large CPU number", 0, { NEW(1, 8191), IRQ(16, 8191) }, 1, true, 16 },
	{ "another task in between", 0, { NEW(1, 3), IRQ(15, 3), NEW(1, 3) } },
	{ "... starts anew", 0, { NEW(1, 3), IRQ(15, 3), NEW(1, 3), IRQ(15, 3) }, 1, false, 15 },
	{ "another CPU in between", 0, { NEW(1, 3), IRQ(15, 3), IRQ(1, 5), IRQ(1, 3), IRQ(14, 3) },
	  1, false, 14 },
	{ "a running task in between", 0, { NEW(1, 3), IRQ(15, 3), TASK(1, 3), IRQ(15, 3) },
	  1, false, 15 },
	{ "a running task at last", 0, { NEW(1, 3), IRQ(100, 3), TASK(1, 3) } },
	{ "running tasks only", 0, { TASK(200, 3) } },
	{ "rotates over two CPUs, nobody else's", 0, { IRQ(1, 3), IRQ(1, 7) }, 100 },
	{ "fan-out behind one CPU", 0, { NEW(1, 3) }, 200 },
	{ "bursts of a fan-out", 0, { NEW(1, 3), IRQ(9, 3) }, 20, false, 9 },
	{ "moved: one short", 0, { NEW(1, 3), IRQ(99, 3), NEW(1, 7), IRQ(15, 7) }, 1, false, 15 },
	{ "moved: follows", 0, { NEW(1, 3), IRQ(99, 3), NEW(1, 7), IRQ(16, 7) }, 1, true, 16 },
	{ "pulled once: one short", 1, { NEW(1, 3), IRQ(31, 3) }, 1, false, 31, 1 },
	{ "pulled once: enough", 1, { NEW(1, 3), IRQ(32, 3) }, 1, true, 32, 1 },
	{ "pulled twice: one short", 2, { NEW(1, 3), IRQ(63, 3) }, 1, false, 63, 2 },
	{ "pulled twice: enough", 2, { NEW(1, 3), IRQ(64, 3) }, 1, true, 64, 2 },
	{ "pulled often: one short", 3, { NEW(1, 3), IRQ(127, 3) }, 1, false, 127, 3 },
	{ "pulled often: enough", 3, { NEW(1, 3), IRQ(128, 3) }, 1, true, 128, 3 },
	{ "long streak, not over", 3, { NEW(1, 3), IRQ(255, 3) }, 1, true, 255, 3 },
	{ "long streak, pulls forgotten", 3, { NEW(1, 3), IRQ(256, 3) }, 1, true, 255, 0 },
	{ "streak does not wrap", 0, { NEW(1, 3), IRQ(1000, 3) }, 1, true, 255, 0 },
};

static void rule_desc(const struct rule_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(rule, rule_cases, rule_desc);

static void wa_irq_rule_test(struct kunit *test)
{
	const struct rule_case *c = test->param_value;
	struct irq_binding b = { .pulls = c->pulls };
	int round, i, n;

	for (round = 0; round < max(c->rounds, 1); round++)
		for (i = 0; i < ARRAY_SIZE(c->w); i++)
			for (n = 0; n < c->w[i].times; n++)
				irq_binding_record(&b, c->w[i].cpu, c->w[i].idle, c->w[i].same);
	KUNIT_EXPECT_EQ(test, irq_bound(&b), c->bound);
	KUNIT_EXPECT_EQ(test, b.streak, c->streak);
	KUNIT_EXPECT_EQ(test, b.pulls, c->pulls_after);
}

static void wa_irq_pulled_test(struct kunit *test)
{
	struct irq_binding b = { .streak = 200 };
	int n;

	for (n = 1; n < 10; n++) {
		irq_binding_pulled(&b);
		KUNIT_EXPECT_EQ(test, b.streak, 0);
		KUNIT_EXPECT_EQ(test, b.pulls, min(n, 3));
		KUNIT_EXPECT_FALSE(test, irq_bound(&b));
	}
}

static void wa_irq_node_test(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, irq_pull_node(NUMA_NO_NODE, 0));
	KUNIT_EXPECT_TRUE(test, irq_pull_node(0, 0));
	KUNIT_EXPECT_TRUE(test, irq_pull_node(1, 1));
	KUNIT_EXPECT_FALSE(test, irq_pull_node(0, 1));
	KUNIT_EXPECT_FALSE(test, irq_pull_node(1, 0));
}

/* Pulls of a wakee whose interrupt moves every @period wakeups, of @wakeups. */
static int pulls_of(int period, int wakeups)
{
	struct irq_binding b = { };
	int n, at = 0, pulls = 0;

	for (n = 0; n < wakeups; n++) {
		int cpu = n / period % 2;

		irq_binding_record(&b, cpu, true, n % period > 0);
		if (at != cpu && irq_bound(&b)) {
			irq_binding_pulled(&b);
			at = cpu;
			pulls++;
		}
	}
	return pulls;
}

/* Whatever the period: 10 per 1000 wakeups and four to begin with, at most. */
static void wa_irq_backoff_test(struct kunit *test)
{
	int period;

	for (period = 1; period < 1000; period++)
		KUNIT_EXPECT_LE(test, pulls_of(period, 20000), 20000 * 10 / 1000 + 4);
	KUNIT_EXPECT_EQ(test, pulls_of(16, 20000), 0);
	KUNIT_EXPECT_EQ(test, pulls_of(17, 20000), 1);
	KUNIT_EXPECT_EQ(test, pulls_of(100, 20000), 3);
	/* one that moves seldom is followed each time */
	KUNIT_EXPECT_EQ(test, pulls_of(1000, 20000), 19);
}

static struct kunit_case wa_irq_cases[] = {
	KUNIT_CASE_PARAM(wa_irq_rule_test, rule_gen_params),
	KUNIT_CASE(wa_irq_pulled_test),
	KUNIT_CASE(wa_irq_node_test),
	KUNIT_CASE(wa_irq_backoff_test),
	{}
};

static struct kunit_suite wa_irq_suite = {
	.name = "sched_wa_irq",
	.test_cases = wa_irq_cases,
};

kunit_test_suite(wa_irq_suite);

MODULE_DESCRIPTION("KUnit tests for wakeups from interrupts across caches");
MODULE_LICENSE("GPL");
