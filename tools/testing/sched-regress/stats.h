/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Medians, spread and confidence intervals. Each interval names its method,
 * so that a report can say what stands behind a number.
 */
#ifndef SCHED_REGRESS_STATS_H
#define SCHED_REGRESS_STATS_H

#include <stddef.h>

#define CONFIDENCE	0.95	/* of every two-sided interval and one-sided bound */

struct interval {
	double lo;
	double hi;
	const char *method;	/* NULL: the data do not allow one */
};

double median(const double *x, size_t n);

/* Median absolute deviation, not scaled: half the values lie this close. */
double mad(const double *x, size_t n);

/* Distribution-free interval for the median; needs n >= 6 for 95 %. */
struct interval ci_median(const double *x, size_t n, double conf);

/* Interval for the mean of x: of paired differences it is the paired t. */
struct interval ci_mean_t(const double *x, size_t n, double conf);

/* Interval for mean(b) - mean(a) of independent samples. */
struct interval ci_welch(const double *a, size_t na, const double *b, size_t nb, double conf);

/* Percentile bootstrap for median(b) - median(a), the same for every call. */
struct interval ci_bootstrap(const double *a, size_t na, const double *b, size_t nb, double conf);

/* Exact interval for a share, of which @k out of @n were seen. */
struct interval ci_share(double k, double n, double conf);

/* A one-sided bound at @conf is an end of the two-sided interval at this. */
static inline double two_sided(double conf)
{
	return 2 * conf - 1;
}

#endif
