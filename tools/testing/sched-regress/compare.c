// SPDX-License-Identifier: GPL-2.0
/*
 * sched-regress compare: kernel against kernel. The replicate is the boot: the
 * executions of one boot share its layout of memory and its luck, so each boot
 * gives one value, the median of its executions.
 */
#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sample.h"
#include "stats.h"
#include "util.h"
#include "verbs.h"

#define MAX_BOOTS	64

struct options {
	const char *workload, *metric;
	char *boots[2][MAX_BOOTS];
	size_t n[2];
	int side;
};

static const struct argp_option option[] = {
	{ "workload", 'w', "NAME", 0, "workload to compare", 0 },
	{ "metric", 'm', "NAME", 0, "metric to compare", 0 },
	{ "against", 'a', 0, 0, "the runs that follow are of the other kernel", 0 },
	{}
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case 'w':
		o->workload = arg;
		return 0;
	case 'm':
		o->metric = arg;
		return 0;
	case 'a':
		o->side = 1;
		return 0;
	case ARGP_KEY_ARG:
		if (o->n[o->side] == MAX_BOOTS)
			argp_error(state, "more than %d boots", MAX_BOOTS);
		o->boots[o->side][o->n[o->side]++] = arg;
		return 0;
	case ARGP_KEY_END:
		if (!o->workload || !o->metric || !o->n[0] || !o->n[1])
			argp_error(state, "give --workload, --metric, runs, --against, runs");
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static int boot_value(const char *dir, const struct options *o, double *value, bool *tcg)
{
	struct samples s = {};
	size_t n;
	double *v;

	if (samples_load(&s, dir)) {
		samples_free(&s);
		return -1;
	}
	v = samples_values(&s, o->workload, NULL, o->metric, &n);
	*value = median(v, n);
	*tcg |= samples_tcg(&s);
	free(v);
	samples_free(&s);
	return n ? 0 : complain(dir, "no samples of %s in %s", o->metric, o->workload);
}

int cmd_compare(int argc, char **argv)
{
	static const struct argp argp = { option, parse, "BOOT... --against BOOT...",
		"Kernel against kernel; every BOOT is the results folder of one boot.",
		NULL, NULL, NULL };
	double v[2][MAX_BOOTS], m;
	struct options o = {};
	struct interval ci, bs;
	bool tcg = false;
	size_t i;
	int side;

	/* In order: --against divides the runs. */
	argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &o);
	for (side = 0; side < 2; side++)
		for (i = 0; i < o.n[side]; i++)
			if (boot_value(o.boots[side][i], &o, &v[side][i], &tcg))
				return 2;
	for (side = 0; side < 2; side++)
		printf("%s kernel: median %.6g, MAD %.3g over %zu boots\n", side ? "other" : "this",
		       median(v[side], o.n[side]), mad(v[side], o.n[side]), o.n[side]);
	ci = ci_welch(v[0], o.n[0], v[1], o.n[1], CONFIDENCE);
	bs = ci_bootstrap(v[0], o.n[0], v[1], o.n[1], CONFIDENCE);
	if (!ci.method) {
		puts("one boot a side decides nothing: boot each kernel at least twice");
		return 2;
	}
	m = median(v[0], o.n[0]);
	printf("other - this: %.4g..%.4g (%s), medians %.4g..%.4g (%s); in %% of this: %.3g..%.3g\n",
	       ci.lo, ci.hi, ci.method, bs.lo, bs.hi, bs.method, 100 * ci.lo / m, 100 * ci.hi / m);
	if (tcg)
		puts("TCG: a time compares nothing here; counts do");
	return 0;
}
