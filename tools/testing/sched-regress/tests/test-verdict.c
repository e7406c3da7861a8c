// SPDX-License-Identifier: GPL-2.0
/* The rule of verdicts, on intervals and on whole runs. */
#include "unit.h"

#include <math.h>

#include "verdict.h"

static struct interval ci(double lo, double hi)
{
	return (struct interval){ lo, hi, "given" };
}

static void test_effect_rule(void **state)
{
	const struct interval unknown = { NAN, NAN, NULL };

	(void)state;
	assert_int_equal(judge_effect(ci(6, 9), 5), PASS);
	assert_int_equal(judge_effect(ci(5, 9), 5), INCONCLUSIVE);	/* touches: not excluded */
	assert_int_equal(judge_effect(ci(1, 9), 5), INCONCLUSIVE);
	assert_int_equal(judge_effect(ci(1, 4), 5), FAIL);	/* real, but too small */
	assert_int_equal(judge_effect(ci(-9, -6), 5), FAIL);
	assert_int_equal(judge_effect(unknown, 5), INCONCLUSIVE);
}

static void test_control_rule(void **state)
{
	const struct interval unknown = { NAN, NAN, NULL };

	(void)state;
	assert_int_equal(judge_control(ci(-3, 1), 2), PASS);
	assert_int_equal(judge_control(ci(0.5, 2), 2), PASS);	/* a small sure loss is allowed */
	/* No significant difference, but a loss above the margin is not excluded. */
	assert_int_equal(judge_control(ci(-9, 9), 2), INCONCLUSIVE);
	assert_int_equal(judge_control(ci(1, 9), 2), INCONCLUSIVE);	/* a loss, perhaps within it */
	assert_int_equal(judge_control(ci(3, 9), 2), FAIL);
	assert_int_equal(judge_control(unknown, 2), INCONCLUSIVE);
}

static struct claim claim(void)
{
	return (struct claim){
		.name = "c", .proves = "p", .workload = "w", .topology = "2l4c", .fixed = "",
		.off = "F=0", .on = "F=1", .metric = "m", .smallest = 1, .exact_on = 0,
		.required = true, .nr_controls = 1,
		.control = { { .metric = "bw", .higher_better = true, .margin = 5 } },
	};
}

/* Three ABBA blocks; values of the bit on are @on, of the bit off about @off. */
struct world {
	double off, on, bw_on, lost;
	const char *kind, *accel;
	int blocks;
};

static int judge(const struct world *w, struct item *items)
{
	static const int abba[] = { 0, 1, 1, 0 };
	char text[32768] = "", status[64], *t = text;
	static struct samples all;
	struct claim c = claim();
	int b, i;

	samples_free(&all);
	for (b = 1; b <= w->blocks; b++)
		for (i = 0; i < 4; i++) {
			const char *form = "{\"workload\":\"w\",\"topo\":\"2l4c\",\"arm\":\"F=%d\",\"block\":%d,\"metric\":\"%s\",\"unit\":\"x\",\"kind\":\"%s\",\"value\":%g,\"lost\":%g}\n";

			t += sprintf(t, form, abba[i], b, "m", "count",
				     abba[i] ? w->on : w->off + 0.1 * b, w->lost);
			t += sprintf(t, form, abba[i], b, "bw", w->kind,
				     abba[i] ? w->bw_on : 100.0, 0.0);
		}
	snprintf(status, sizeof(status), "{\"status\":\"ok\",\"accel\":\"%s\"}", w->accel);
	write_file("status.json", status);
	write_file("results.jsonl", text);
	assert_int_equal(samples_load(&all, scratch()), 0);
	return judge_claim(&c, &all, items);
}

static void test_claim_holds(void **state)
{
	struct world w = { 10, 0, 101, 0, "count", "tcg", 3 };
	struct item it[MAX_CONTROLS + 2];

	(void)state;
	assert_int_equal(judge(&w, it), 3);
	assert_int_equal(it[0].verdict, PASS);
	assert_true(it[0].gain.lo > 9 && it[0].gain.hi < 11);
	assert_int_equal(it[1].verdict, PASS);
	assert_int_equal(it[2].verdict, PASS);
	assert_int_equal(judge_exit(it, 3, false), 0);
}

static void test_not_exact(void **state)
{
	struct world w = { 10, 0.01, 100, 0, "count", "tcg", 3 };
	struct item it[MAX_CONTROLS + 2];

	(void)state;
	judge(&w, it);
	assert_int_equal(it[0].verdict, PASS);
	assert_int_equal(it[1].verdict, FAIL);
	assert_int_equal(judge_exit(it, 3, false), 1);
}

static void test_control_loses(void **state)
{
	struct world w = { 10, 0, 90, 0, "count", "tcg", 3 };
	struct item it[MAX_CONTROLS + 2];

	(void)state;
	judge(&w, it);
	assert_int_equal(it[2].verdict, FAIL);
	assert_int_equal(judge_exit(it, 3, false), 1);
}

static void test_time_gates_only_off_tcg(void **state)
{
	struct world w = { 10, 0, 90, 0, "time", "tcg", 3 };
	struct item it[MAX_CONTROLS + 2];

	(void)state;
	judge(&w, it);
	assert_int_equal(it[2].verdict, SKIP);
	assert_int_equal(judge_exit(it, 3, false), 0);
	w.accel = "";	/* not known: as TCG */
	judge(&w, it);
	assert_int_equal(it[2].verdict, SKIP);
	w.accel = "kvm";
	judge(&w, it);
	assert_int_equal(it[2].verdict, FAIL);
}

static void test_lost_events(void **state)
{
	struct world w = { 10, 0, 101, 1, "count", "tcg", 3 };
	struct item it[MAX_CONTROLS + 2];

	(void)state;
	judge(&w, it);
	assert_int_equal(it[0].verdict, INCONCLUSIVE);
	assert_int_equal(it[1].verdict, INCONCLUSIVE);
	assert_int_equal(it[2].verdict, PASS);	/* its own samples are whole */
	assert_int_equal(judge_exit(it, 3, false), 2);
}

static void test_too_few_blocks(void **state)
{
	struct world w = { 10, 0, 101, 0, "count", "tcg", 2 };
	struct item it[MAX_CONTROLS + 2];

	(void)state;
	judge(&w, it);
	assert_int_equal(it[0].verdict, INCONCLUSIVE);
	assert_int_equal(judge_exit(it, 3, false), 2);
	assert_int_equal(judge_exit(it, 3, true), 0);
}

static void test_missing_arm(void **state)
{
	struct samples all = {};
	struct item it[MAX_CONTROLS + 2];
	struct claim c = claim();

	(void)state;
	write_file("results.jsonl", "{\"workload\":\"w\",\"topo\":\"2l4c\",\"arm\":\"F=0\",\"metric\":\"m\",\"value\":1.0}\n");
	assert_int_equal(samples_load(&all, scratch()), 0);
	judge_claim(&c, &all, it);
	assert_int_equal(it[0].verdict, SKIP);
	assert_string_equal(it[0].reason, "no samples of m with F=1");
	assert_int_equal(judge_exit(it, 3, false), 2);	/* required, and it could not run */
	assert_int_equal(judge_exit(it, 3, true), 2);
	samples_free(&all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_effect_rule),
		cmocka_unit_test(test_control_rule),
		cmocka_unit_test(test_claim_holds),
		cmocka_unit_test(test_not_exact),
		cmocka_unit_test(test_control_loses),
		cmocka_unit_test(test_time_gates_only_off_tcg),
		cmocka_unit_test(test_lost_events),
		cmocka_unit_test(test_too_few_blocks),
		cmocka_unit_test(test_missing_arm),
	};

	return cmocka_run_group_tests(tests, NULL, remove_scratch);
}
