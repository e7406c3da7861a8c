// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests for the arithmetic of DELAY_LAG (delay_lag.h).
 */
#include <kunit/test.h>

#include <linux/limits.h>
#include <linux/module.h>
#include <linux/time64.h>

#include "delay_lag.h"

#define MS	NSEC_PER_MSEC

struct bound_case {
	const char *name;
	s64 lag, floor;
	bool zero;
	s64 want;
};

static const struct bound_case bound_cases[] = {
	{ "untouched",			-2 * MS, -3 * MS, true,  -2 * MS },
	{ "untouched, no zero",		-2 * MS, -3 * MS, false, -2 * MS },
	{ "at the floor",		-3 * MS, -3 * MS, true,  -3 * MS },
	{ "1 ns above the floor",	-3 * MS + 1, -3 * MS, true, -3 * MS + 1 },
	{ "1 ns below the floor",	-3 * MS - 1, -3 * MS, true, -3 * MS },
	{ "far below the floor",	-30 * MS, -3 * MS, true, -3 * MS },
	{ "below, no zero",		-4 * MS, -3 * MS, false, -3 * MS },
	{ "just eligible",		0, -3 * MS, true, 0 },
	{ "1 ns of credit",		1, -3 * MS, true, 0 },
	{ "1 ns of credit, no zero",	1, -3 * MS, false, 1 },
	{ "credit, no zero",		5 * MS, -3 * MS, false, 5 * MS },
	{ "smallest debt",		-2, -1, true, -1 },
	{ "no floor known",		-30 * MS, S64_MIN, true, -30 * MS },
	{ "no floor known, credit",	30 * MS, S64_MIN, true, 0 },
};

static void bound_desc(const struct bound_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(bound, bound_cases, bound_desc);

static void delay_lag_bound_test(struct kunit *test)
{
	const struct bound_case *c = test->param_value;
	s64 once = delay_lag_bound(c->lag, c->floor, c->zero);

	KUNIT_EXPECT_EQ(test, once, c->want);
	/* an entity that is requeued twice is not moved twice */
	KUNIT_EXPECT_EQ(test, delay_lag_bound(once, c->floor, c->zero), once);
}

/* As scaled on 64 bit. SCHED_IDLE has 3, nice 19, 0 and -20 have 15, 1024 and 88761. */
#define W(w)	((unsigned long)(w) << 10)

struct reweight_case {
	const char *name;
	s64 floor;
	unsigned long old, new;
	s64 want;
};

static const struct reweight_case reweight_cases[] = {
	{ "same weight",	-3 * MS, W(1024), W(1024), -3 * MS },
	{ "twice the weight",	-3 * MS, W(1024), W(2048), -3 * MS / 2 },
	{ "half the weight",	-3 * MS, W(1024), W(512), -6 * MS },
	{ "nice 0 to 19",	-15 * MS, W(1024), W(15), -1024 * MS },
	{ "nice 19 to 0",	-1024 * MS, W(15), W(1024), -15 * MS },
	{ "nice 0 to -20",	-88761, W(1024), W(88761), -1024 },
	{ "towards zero",	-1, W(1024), W(2048), 0 },
	/* a second of debt, at the least and the largest weight of a task */
	{ "idle to nice -20",	-1024000 * MS / 3, W(3), W(88761), -11536598 },
};

static void reweight_desc(const struct reweight_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(reweight, reweight_cases, reweight_desc);

static void delay_lag_reweight_test(struct kunit *test)
{
	const struct reweight_case *c = test->param_value;

	KUNIT_EXPECT_EQ(test, delay_lag_reweight(c->floor, c->old, c->new), c->want);
}

static struct kunit_case delay_lag_cases[] = {
	KUNIT_CASE_PARAM(delay_lag_bound_test, bound_gen_params),
	KUNIT_CASE_PARAM(delay_lag_reweight_test, reweight_gen_params),
	{}
};

static struct kunit_suite delay_lag_suite = {
	.name = "sched_delay_lag",
	.test_cases = delay_lag_cases,
};

kunit_test_suite(delay_lag_suite);

MODULE_DESCRIPTION("KUnit tests for the lag of delayed entities");
MODULE_LICENSE("GPL");
