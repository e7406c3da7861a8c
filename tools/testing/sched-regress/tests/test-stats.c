// SPDX-License-Identifier: GPL-2.0
/* Statistics against values from printed tables and by hand. */
#include "unit.h"

#include <math.h>

#include "stats.h"

static const double ten[] = { 9, 3, 1, 7, 5, 10, 2, 8, 4, 6 };

static void test_median(void **state)
{
	const double even[] = { 4, 1, 3, 2 }, odd[] = { 5, 1, 3 };

	(void)state;
	assert_float_equal(median(even, 4), 2.5, 0);
	assert_float_equal(median(odd, 3), 3, 0);
	assert_true(isnan(median(odd, 0)));
	assert_float_equal(mad(ten, 10), 2.5, 0);
}

/*
 * Ranks of the 95 % interval of the median as printed tables have them:
 * n 6: 1 and 6, n 9: 2 and 8, n 10: 2 and 9, n 20: 6 and 15; n 5 has none.
 */
static void test_order_statistics(void **state)
{
	static const struct {
		size_t n;
		double lo, hi;
	} table[] = { { 6, 1, 6 }, { 9, 2, 8 }, { 10, 2, 9 }, { 20, 6, 15 } };
	double x[20];
	size_t i, t;

	(void)state;
	for (t = 0; t < sizeof(table) / sizeof(*table); t++) {
		struct interval ci;

		for (i = 0; i < table[t].n; i++)
			x[i] = table[t].n - i;
		ci = ci_median(x, table[t].n, 0.95);
		assert_non_null(ci.method);
		assert_float_equal(ci.lo, table[t].lo, 0);
		assert_float_equal(ci.hi, table[t].hi, 0);
	}
	assert_null(ci_median(x, 5, 0.95).method);
	assert_null(ci_median(x, 0, 0.95).method);
}

/* t(0.975, 4) = 2.7764; sd of 1..5 is sqrt(2.5). */
static void test_student(void **state)
{
	const double x[] = { 1, 2, 3, 4, 5 }, same[] = { 7, 7, 7 };
	struct interval ci = ci_mean_t(x, 5, 0.95);

	(void)state;
	assert_float_equal(ci.lo, 3 - 2.7764 * sqrt(2.5 / 5), 1e-3);
	assert_float_equal(ci.hi, 3 + 2.7764 * sqrt(2.5 / 5), 1e-3);
	/* The one-sided 95 % bound: t(0.95, 4) = 2.1318. */
	ci = ci_mean_t(x, 5, two_sided(0.95));
	assert_float_equal(ci.hi, 3 + 2.1318 * sqrt(2.5 / 5), 1e-3);
	ci = ci_mean_t(same, 3, 0.95);
	assert_float_equal(ci.lo, 7, 0);
	assert_null(ci_mean_t(x, 1, 0.95).method);
}

/* Both variances are 2 with n 2, so df = 2 and t(0.975, 2) = 4.3027. */
static void test_welch(void **state)
{
	const double a[] = { 0, 2 }, b[] = { 10, 12 };
	struct interval ci = ci_welch(a, 2, b, 2, 0.95);

	(void)state;
	assert_float_equal(ci.lo, 10 - 4.3027 * sqrt(2), 1e-3);
	assert_float_equal(ci.hi, 10 + 4.3027 * sqrt(2), 1e-3);
	assert_null(ci_welch(a, 1, b, 2, 0.95).method);
}

/* As printed tables have it: 0 of 10 is 0..0.3085, 5 of 10 is 0.1871..0.8129. */
static void test_share(void **state)
{
	struct interval ci = ci_share(0, 10, 0.95);

	(void)state;
	assert_float_equal(ci.lo, 0, 0);
	assert_float_equal(ci.hi, 0.3085, 1e-4);
	ci = ci_share(5, 10, 0.95);
	assert_float_equal(ci.lo, 0.1871, 1e-4);
	assert_float_equal(ci.hi, 0.8129, 1e-4);
	ci = ci_share(10, 10, 0.95);
	assert_float_equal(ci.hi, 1, 0);
	/* The rule of three: none of 3000 is below 3/3000 (one-sided 95 %). */
	assert_float_equal(ci_share(0, 3000, two_sided(0.95)).hi, 0.001, 1e-5);
	/* GSL's inverse aborts on counts like these. */
	ci = ci_share(171, 5085, 0.95);
	assert_true(ci.lo > 0.028 && ci.lo < 0.0336 && ci.hi > 0.0337 && ci.hi < 0.040);
	assert_null(ci_share(0, 0, 0.95).method);
	assert_null(ci_share(2, 1, 0.95).method);
}

static void test_bootstrap(void **state)
{
	const double flat[] = { 5, 5, 5, 5 };
	double up[10];
	struct interval one, two;
	int i;

	(void)state;
	for (i = 0; i < 10; i++)
		up[i] = ten[i] + 100;
	one = ci_bootstrap(ten, 10, up, 10, 0.95);
	two = ci_bootstrap(ten, 10, up, 10, 0.95);
	assert_true(one.lo < 100 && one.hi > 100 && one.lo > 90 && one.hi < 110);
	assert_float_equal(one.lo, two.lo, 0);
	assert_float_equal(one.hi, two.hi, 0);
	one = ci_bootstrap(flat, 4, flat, 4, 0.95);
	assert_float_equal(one.hi - one.lo, 0, 0);
	assert_null(ci_bootstrap(flat, 1, flat, 4, 0.95).method);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_median),
		cmocka_unit_test(test_order_statistics),
		cmocka_unit_test(test_student),
		cmocka_unit_test(test_welch),
		cmocka_unit_test(test_share),
		cmocka_unit_test(test_bootstrap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
