// SPDX-License-Identifier: GPL-2.0
/*
 * sched-regress table: one row an arm, in the shape of the fio report, with
 * medians, spread and the counts that tell why.
 */
#include <argp.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "stats.h"
#include "util.h"
#include "verbs.h"
#include "workload.h"

#define MAX_ARMS	16

struct options {
	const char *workloads, *json;
	char **runs;
	int nr_runs;
};

static const struct argp_option option[] = {
	{ "workloads", 'w', "DIR", 0, "where the descriptions are", 0 },
	{ "json", 'j', "FILE", 0, "write the same numbers as JSON", 0 },
	{}
};

/* The columns after the main metric: per 1000 operations, except shares. */
static const char * const counts[] = {
	"switches", "preempted", "migrations", "wakeups", "delayed", "requeued",
	"requeued_waits", "requeued_movable",
};

#define NR_COUNTS	(sizeof(counts) / sizeof(*counts))

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case 'w':
		o->workloads = arg;
		return 0;
	case 'j':
		o->json = arg;
		return 0;
	case ARGP_KEY_ARGS:
		o->runs = state->argv + state->next;
		o->nr_runs = state->argc - state->next;
		return 0;
	case ARGP_KEY_END:
		if (!o->workloads || !o->runs)
			argp_error(state, "give --workloads DIR and at least one run");
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

/* Median over executions of @metric per 1000 @ops; NAN if there are none. */
static double per_1000(const struct samples *all, const char *workload, const char *arm,
		       const char *metric, const char *ops)
{
	size_t n, m, i;
	double *v = samples_values(all, workload, arm, metric, &n);
	double *o = samples_values(all, workload, arm, ops, &m), r = NAN;

	/* Each execution leaves one sample of every metric, in the same order. */
	for (i = 0; i < n && n == m; i++)
		v[i] = o[i] > 0 ? 1000 * v[i] / o[i] : NAN;
	if (n && n == m)
		r = median(v, n);
	free(v);
	free(o);
	return r;
}

static json_t *row(const struct samples *all, const char *workload, const char *arm,
		   const struct workload *w, FILE *f)
{
	size_t n, i;
	double *v = samples_values(all, workload, arm, w->metric, &n);
	struct interval ci = ci_median(v, n, CONFIDENCE);
	json_t *raw = json_array(), *per = json_object(), *doc;

	fprintf(f, "    %-30s %9.4g %8.3g", arm, median(v, n), mad(v, n));
	for (i = 0; i < n; i++)
		json_array_append_new(raw, json_real(v[i]));
	for (i = 0; i < NR_COUNTS; i++) {
		double c = per_1000(all, workload, arm, counts[i], w->ops);

		fprintf(f, " %9.4g", c);
		json_object_set_new(per, counts[i], isfinite(c) ? json_real(c) : json_null());
	}
	fprintf(f, "   %zu\n", n);
	doc = json_pack("{s:s, s:f, s:f, s:o, s:o}", "arm", arm, "median", median(v, n),
			"mad", mad(v, n), "values", raw, "per_1000_ops", per);
	if (ci.method)
		json_object_set_new(doc, "median_ci95", json_pack("{s:f, s:f, s:s}", "lo", ci.lo,
				    "hi", ci.hi, "method", ci.method));
	free(v);
	return doc;
}

/* Distinct values, in the order of their first sample. */
static size_t distinct(const struct samples *all, const char *workload, const char **list)
{
	size_t i, j, n = 0;

	for (i = 0; i < all->n; i++) {
		const char *s = workload ? all->s[i].arm : all->s[i].workload;

		if (workload && (strcmp(all->s[i].workload, workload) || *all->s[i].role))
			continue;
		for (j = 0; j < n && strcmp(list[j], s); j++)
			;
		if (j == n && n < MAX_ARMS)
			list[n++] = s;
	}
	return n;
}

static json_t *one_table(const struct samples *all, const char *workload,
			 const struct workload *w, FILE *f)
{
	const char *arms[MAX_ARMS];
	size_t i, n = distinct(all, workload, arms);
	json_t *rows = json_array();
	double lost = samples_lost(all, workload);

	fprintf(f, "\n%s: %s, and counts per 1000 operations (medians)\n", w->title, w->unit);
	fprintf(f, "    %-30s %9s %8s %9s %9s %9s %9s %9s %9s %9s %9s   n\n", "", "median", "MAD",
		"switches", "preempted", "migrated", "wakeups", "delayed", "requeued", "waiting",
		"movable");
	for (i = 0; i < n; i++)
		json_array_append_new(rows, row(all, workload, arms[i], w, f));
	if (lost > 0)
		fprintf(f, "    INCONCLUSIVE: up to %.0f events of an execution were lost\n", lost);
	return json_pack("{s:s, s:s, s:s, s:f, s:o}", "workload", workload, "title", w->title,
			 "unit", w->unit, "lost", lost, "rows", rows);
}

static int all_tables(const struct samples *all, const struct options *o, json_t *tables)
{
	const char *workloads[MAX_ARMS];
	size_t i, n = distinct(all, NULL, workloads);

	for (i = 0; i < n; i++) {
		struct workload w;

		if (workload_load(&w, o->workloads, workloads[i]))
			return -1;
		json_array_append_new(tables, one_table(all, workloads[i], &w, stdout));
		workload_free(&w);
	}
	return 0;
}

int cmd_table(int argc, char **argv)
{
	static const struct argp argp = { option, parse, "RUN...",
		"Medians, spread and counts of every arm.", NULL, NULL, NULL };
	struct samples all = {};
	struct options o = {};
	json_t *tables = json_array();
	int i, ret = 2;
	FILE *f;

	argp_parse(&argp, argc, argv, 0, NULL, &o);
	for (i = 0; i < o.nr_runs; i++)
		if (samples_load(&all, o.runs[i]))
			goto out;
	print_kernel(&all, stdout);
	if (samples_tcg(&all))
		puts("TCG: rates are those of the host's cores and do not gate; read the counts");
	if (all_tables(&all, &o, tables))
		goto out;
	puts("\nrequeued: woken while still delayed; waiting: of these, something else was runnable there;\n"
	     "movable: of these, a CPU of that LLC which the wakee may use had nothing queued");
	ret = 0;
	if (o.json) {
		f = begin_file(o.json);
		if (!f) {
			ret = 2;
			goto out;
		}
		json_dumpf(tables, f, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
		fputc('\n', f);
		if (end_file(f, o.json))
			ret = 2;
	}
out:
	json_decref(tables);
	samples_free(&all);
	return ret;
}
