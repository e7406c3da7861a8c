// SPDX-License-Identifier: GPL-2.0
/* Reading claims, descriptions and samples, good and bad. */
#include "unit.h"

#include <math.h>

#include "claim.h"
#include "sample.h"

#define GOOD	"name = n\nproves = p\n  q\nreport = r\nworkload = w\ntopology = t\nengines = vm\n" \
		"off = F=0\non = F=1\nmetric = m\ndirection = lower\nsmallest = 5%\n"

static void test_good_claim(void **state)
{
	char arm[64];
	struct claim c;

	(void)state;
	assert_int_equal(claim_load(&c, write_file("a.claim", "# comment\n" GOOD
		"fixed = D=1\nexact_on = 0\ncontrol = bw higher 3%\ncontrol = other:lat lower 2.5%\n")), 0);
	assert_string_equal(c.proves, "p q");
	assert_true(c.relative && c.smallest == 5 && !c.higher_better && c.exact_on == 0);
	assert_int_equal(c.nr_controls, 2);
	assert_null(c.control[0].workload);
	assert_string_equal(c.control[1].workload, "other");
	assert_string_equal(c.control[1].metric, "lat");
	assert_float_equal(c.control[1].margin, 2.5, 0);
	claim_arm(&c, true, arm, sizeof(arm));
	assert_string_equal(arm, "D=1,F=1");
	claim_shorten(&c);
	assert_string_equal(c.workload, "w");
	assert_int_equal(c.blocks, 3);
	claim_free(&c);

	assert_int_equal(claim_load(&c, write_file("b.claim", GOOD
		"workload_short = s\nblocks = 9\nblocks_short = 4\n")), 0);
	assert_string_equal(c.workload, "w");
	assert_int_equal(c.blocks, 9);
	claim_shorten(&c);
	assert_string_equal(c.workload, "s");
	assert_int_equal(c.blocks, 4);
	claim_free(&c);
}

static void test_bad_claims(void **state)
{
	static const char * const bad[] = {
		"", "name\n", "nonsense = 1\n", "name = n\n", GOOD "smallest = big\n",
		GOOD "smallest = -1\n", GOOD "direction = up\n", GOOD "blocks = 0\n",
		GOOD "control = bw higher\n", GOOD "control = bw sideways 3%\n",
		GOOD "control = bw higher 0%\n", GOOD "exact_on = nan\n",
	};
	struct claim c;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		hear_errors();
		assert_int_equal(claim_load(&c, write_file("b.claim", bad[i])), -1);
		assert_int_equal(errors_heard(), 1);
		claim_free(&c);
	}
	hear_errors();
	assert_int_equal(claim_load(&c, "/nonexistent.claim"), -1);
	assert_int_equal(errors_heard(), 1);
	claim_free(&c);
}

#define HEAD	"{\"workload\":\"w\",\"topo\":\"t\",\"arm\":\"a\",\"metric\":\"m\",\"value\":"

static void test_samples(void **state)
{
	static const char * const bad[] = {
		"", "\n\n", HEAD "1.0", HEAD "NaN}", HEAD "null}", HEAD "\"1\"}", "[]\n", "{}\n",
		HEAD "1e999}", HEAD "1.0}\n{\"work",
	};
	struct samples all = {};
	size_t i;

	(void)state;
	write_file("results.jsonl", HEAD "1.5}\n\n" HEAD "2,\"warmup\":true}\n" HEAD "3,\"lost\":4}\n");
	assert_int_equal(samples_load(&all, scratch()), 0);
	assert_int_equal(all.n, 2);
	assert_int_equal(all.warmup, 1);
	assert_float_equal(all.s[0].value, 1.5, 0);
	assert_float_equal(all.s[1].lost, 4, 0);
	samples_free(&all);
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		write_file("results.jsonl", bad[i]);
		hear_errors();
		assert_int_equal(samples_load(&all, scratch()), -1);
		assert_int_equal(errors_heard(), 1);
		samples_free(&all);
	}
	hear_errors();
	assert_int_equal(samples_load(&all, "/nonexistent"), -1);
	assert_int_equal(errors_heard(), 1);
	samples_free(&all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good_claim),
		cmocka_unit_test(test_bad_claims),
		cmocka_unit_test(test_samples),
	};

	return cmocka_run_group_tests(tests, NULL, remove_scratch);
}
