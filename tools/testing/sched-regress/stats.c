// SPDX-License-Identifier: GPL-2.0
/*
 * Medians, spread and confidence intervals, on top of GSL.
 *
 * Sources of the methods:
 *   order statistics  Hahn and Meeker, Statistical Intervals (1991), 5.2
 *   Student t         Student, Biometrika 6 (1908)
 *   Welch t           Welch, Biometrika 34 (1947)
 *   share             Clopper and Pearson, Biometrika 26 (1934)
 *   bootstrap         Efron and Tibshirani, An Introduction to the Bootstrap (1993), 13
 */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats.h"

#define BOOT_ROUNDS	10000
#define BOOT_SEED	20241106UL	/* any constant: results must repeat */

static const struct interval none = { NAN, NAN, NULL };

static double *sorted(const double *x, size_t n)
{
	double *s = malloc(n * sizeof(*s));

	if (!s)
		abort();
	memcpy(s, x, n * sizeof(*s));
	gsl_sort(s, 1, n);
	return s;
}

double median(const double *x, size_t n)
{
	double *s, m;

	if (!n)
		return NAN;
	s = sorted(x, n);
	m = gsl_stats_median_from_sorted_data(s, 1, n);
	free(s);
	return m;
}

double mad(const double *x, size_t n)
{
	double m = median(x, n), *d, r;
	size_t i;

	if (!n)
		return NAN;
	d = malloc(n * sizeof(*d));
	if (!d)
		abort();
	for (i = 0; i < n; i++)
		d[i] = fabs(x[i] - m);
	r = median(d, n);
	free(d);
	return r;
}

/*
 * The k-th smallest and k-th largest value enclose the median with probability
 * 1 - 2 * P(Bin(n, 1/2) < k); take the largest k that still reaches @conf.
 */
struct interval ci_median(const double *x, size_t n, double conf)
{
	struct interval ci = { .method = "order statistics" };
	size_t k = 0;
	double *s;

	while (k < n / 2 && 1 - 2 * gsl_cdf_binomial_P(k, 0.5, n) >= conf)
		k++;
	if (!k)
		return none;
	s = sorted(x, n);
	ci.lo = s[k - 1];
	ci.hi = s[n - k];
	free(s);
	return ci;
}

struct interval ci_mean_t(const double *x, size_t n, double conf)
{
	struct interval ci = { .method = "Student t" };
	double mean, half;

	if (n < 2)
		return none;
	mean = gsl_stats_mean(x, 1, n);
	half = gsl_cdf_tdist_Pinv((1 + conf) / 2, n - 1) * gsl_stats_sd(x, 1, n) / sqrt(n);
	ci.lo = mean - half;
	ci.hi = mean + half;
	return ci;
}

struct interval ci_welch(const double *a, size_t na, const double *b, size_t nb, double conf)
{
	struct interval ci = { .method = "Welch t" };
	double va, vb, df, diff, half;

	if (na < 2 || nb < 2)
		return none;
	va = gsl_stats_variance(a, 1, na) / na;
	vb = gsl_stats_variance(b, 1, nb) / nb;
	diff = gsl_stats_mean(b, 1, nb) - gsl_stats_mean(a, 1, na);
	if (va + vb > 0) {
		df = (va + vb) * (va + vb) / (va * va / (na - 1) + vb * vb / (nb - 1));
		half = gsl_cdf_tdist_Pinv((1 + conf) / 2, df) * sqrt(va + vb);
	} else {
		half = 0;
	}
	ci.lo = diff - half;
	ci.hi = diff + half;
	return ci;
}

/* The inverse of the beta distribution; GSL's own gives up on shares of thousands. */
static double beta_inverse(double prob, double a, double b)
{
	double lo = 0, hi = 1, mid = 0.5;

	while (hi - lo > 1e-12 && mid > lo && mid < hi) {
		if (gsl_cdf_beta_P(mid, a, b) < prob)
			lo = mid;
		else
			hi = mid;
		mid = (lo + hi) / 2;
	}
	return mid;
}

struct interval ci_share(double k, double n, double conf)
{
	struct interval ci = { .lo = 0, .hi = 1, .method = "Clopper-Pearson" };

	if (!(n > 0) || !(k >= 0) || k > n)	/* NAN included */
		return none;
	if (k > 0)
		ci.lo = beta_inverse((1 - conf) / 2, k, n - k + 1);
	if (k < n)
		ci.hi = beta_inverse((1 + conf) / 2, k + 1, n - k);
	return ci;
}

static double resampled_median(gsl_rng *rng, const double *x, size_t n, double *buf)
{
	size_t i;

	for (i = 0; i < n; i++)
		buf[i] = x[gsl_rng_uniform_int(rng, n)];
	gsl_sort(buf, 1, n);
	return gsl_stats_median_from_sorted_data(buf, 1, n);
}

struct interval ci_bootstrap(const double *a, size_t na, const double *b, size_t nb, double conf)
{
	struct interval ci = { .method = "bootstrap" };
	double *buf, *d;
	gsl_rng *rng;
	size_t i;

	if (na < 2 || nb < 2)
		return none;
	rng = gsl_rng_alloc(gsl_rng_mt19937);
	buf = malloc((na > nb ? na : nb) * sizeof(*buf));
	d = malloc(BOOT_ROUNDS * sizeof(*d));
	if (!rng || !buf || !d)
		abort();
	gsl_rng_set(rng, BOOT_SEED);
	for (i = 0; i < BOOT_ROUNDS; i++)
		d[i] = resampled_median(rng, b, nb, buf) - resampled_median(rng, a, na, buf);
	gsl_sort(d, 1, BOOT_ROUNDS);
	ci.lo = gsl_stats_quantile_from_sorted_data(d, 1, BOOT_ROUNDS, (1 - conf) / 2);
	ci.hi = gsl_stats_quantile_from_sorted_data(d, 1, BOOT_ROUNDS, (1 + conf) / 2);
	free(d);
	free(buf);
	gsl_rng_free(rng);
	return ci;
}
