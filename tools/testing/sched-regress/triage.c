// SPDX-License-Identifier: GPL-2.0
/*
 * sched-regress triage: one page on which mechanisms of the reports the unmodified
 * kernel still has, by counts. The sections are in triage-*.c.
 */
#include <argp.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report.h"
#include "stats.h"
#include "triage.h"
#include "util.h"
#include "verbs.h"

struct options {
	const char *offsets, *json, *text, *version;
	char **runs;
	int nr_runs;
};

static const struct argp_option option[] = {
	{ "offsets", 'o', "FILE", 0, "what offsets.sh printed for this kernel", 0 },
	{ "json", 'j', "FILE", 0, "write the same numbers as JSON", 0 },
	{ "text", 't', "FILE", 0, "write the page here, not to stdout", 0 },
	{ "kernel", 'k', "STRING", 0, "exact version of the kernel", 0 },
	{}
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case 'o':
		o->offsets = arg;
		return 0;
	case 'j':
		o->json = arg;
		return 0;
	case 't':
		o->text = arg;
		return 0;
	case 'k':
		o->version = arg;
		return 0;
	case ARGP_KEY_ARGS:
		o->runs = state->argv + state->next;
		o->nr_runs = state->argc - state->next;
		return 0;
	case ARGP_KEY_END:
		if (!o->runs)
			argp_error(state, "give at least one run");
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

double page_sum(const struct page *p, const char *workload, const char *arm, const char *metric)
{
	size_t n, i;
	double *v = samples_values(p->all, workload, arm, metric, &n), sum = n ? 0 : NAN;

	for (i = 0; i < n; i++)
		sum += v[i];
	free(v);
	return sum;
}

double page_max(const struct page *p, const char *workload, const char *arm, const char *metric)
{
	size_t n, i;
	double *v = samples_values(p->all, workload, arm, metric, &n), max = n ? v[0] : NAN;

	for (i = 1; i < n; i++)
		if (v[i] > max)
			max = v[i];
	free(v);
	return max;
}

double page_share(const struct page *p, const char *workload, const char *arm,
		  const char *metric, const char *whole)
{
	double w = page_sum(p, workload, arm, whole);

	return w > 0 ? 100 * page_sum(p, workload, arm, metric) / w : NAN;
}

const char *page_grade(const struct page *p, const char * const *workloads, size_t n,
		       const char *metric, const char *whole, const char **worst)
{
	double k = 0, all = 0, most = -1;
	struct interval ci;
	size_t i;

	*worst = NULL;
	for (i = 0; i < n; i++) {
		double a = page_sum(p, workloads[i], "hlt", metric);
		double b = page_sum(p, workloads[i], "hlt", whole);

		ci = ci_share(a, b, CONFIDENCE);
		if (!ci.method)
			continue;
		k += a;
		all += b;
		if (ci.lo > most) {
			most = ci.lo;
			*worst = workloads[i];
		}
	}
	if (!*worst)
		return "not measured";
	if (100 * most > FEW)
		return "there";
	if (100 * ci_share(k, all, CONFIDENCE).hi < FEW)
		return k > 0 ? "rare" : "gone";
	return "not decided";
}

const char *page_bounds(const struct page *p, const char *workload, const char *metric,
			const char *whole, char *buf, size_t len)
{
	double k = page_sum(p, workload, "hlt", metric), n = page_sum(p, workload, "hlt", whole);
	struct interval ci = ci_share(k, n, CONFIDENCE);

	snprintf(buf, len, "%s %.0f of %.0f (%.2g..%.2g %%)", workload, k, n, 100 * ci.lo,
		 100 * ci.hi);
	return buf;
}

void page_cell(const struct page *p, double v, int width, int decimals)
{
	if (isnan(v))
		fprintf(p->f, " %*s", width, "-");
	else
		fprintf(p->f, " %*.*f", width, decimals, v);
}

void page_answer(const struct page *p, const char *section, const char *answer,
		 const char *format, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	fprintf(p->f, "  => %s. %s\n", answer, text);
	json_object_set_new(p->json, section, json_pack("{s:s, s:s}", "answer", answer,
			    "why", text));
}

/* Every metric of every workload and arm: the page shows a choice of them. */
static json_t *all_numbers(const struct samples *all)
{
	json_t *doc = json_object();
	size_t i;

	for (i = 0; i < all->n; i++) {
		const struct sample *s = &all->s[i];
		char key[256];
		json_t *arm, *list;

		snprintf(key, sizeof(key), "%s %s", s->workload, s->arm);
		arm = json_object_get(doc, key);
		if (!arm) {
			arm = json_object();
			json_object_set_new(doc, key, arm);
		}
		list = json_object_get(arm, s->metric);
		if (!list) {
			list = json_array();
			json_object_set_new(arm, s->metric, list);
		}
		json_array_append_new(list, json_real(s->value));
	}
	return doc;
}

static void head(const struct page *p, const struct options *o)
{
	time_t now = time(NULL);
	char date[32];
	size_t i;
	double lost = 0;

	strftime(date, sizeof(date), "%F %R UTC", gmtime(&now));
	fprintf(p->f, "schedfix triage, %s: does 6.12 still have the mechanisms of the five reports?\n",
		date);
	if (o->version)
		fprintf(p->f, "unmodified kernel %s\n", o->version);
	print_kernel(p->all, p->f);
	for (i = 0; i < p->all->n; i++)
		if (p->all->s[i].lost > lost)
			lost = p->all->s[i].lost;
	fprintf(p->f, "Counts are sums over the executions, by the hist triggers of guest/counters.\n");
	fprintf(p->f, "there: surely above %.1f %% in some workload; gone: none seen, and surely below that in all together;\n"
		"intervals are 95 %%, Clopper-Pearson. Again: make triage, or one row of it:\n"
		"schedfix/scripts/triage.sh --only WORKLOAD.\n", FEW);
	if (lost > 0)
		fprintf(p->f, "INCONCLUSIVE: up to %.0f events of an execution were lost.\n", lost);
	else
		fprintf(p->f, "No event, histogram entry or probe hit was lost.\n");
}

int cmd_triage(int argc, char **argv)
{
	static const struct argp argp = { option, parse, "RUN...",
		"Which mechanisms of the reports a kernel still has.", NULL, NULL, NULL };
	struct samples all = {};
	struct options o = {};
	struct page p = { .all = &all, .f = stdout };
	int i, ret = 2;
	FILE *j;

	argp_parse(&argp, argc, argv, 0, NULL, &o);
	p.json = json_object();
	p.offsets = o.offsets;
	for (i = 0; i < o.nr_runs; i++)
		if (samples_load(&all, o.runs[i]))
			goto out;
	if (o.text)
		p.f = begin_file(o.text);
	if (!p.f)
		goto out;
	head(&p, &o);
	triage_delay(&p);
	triage_lag(&p);
	triage_wakelist(&p);
	triage_irq(&p);
	triage_zone(&p);
	if (o.text && end_file(p.f, o.text))
		goto out;
	ret = 0;
	if (o.json) {
		json_object_set_new(p.json, "numbers", all_numbers(&all));
		j = begin_file(o.json);
		if (!j) {
			ret = 2;
			goto out;
		}
		json_dumpf(p.json, j, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
		fputc('\n', j);
		if (end_file(j, o.json))
			ret = 2;
	}
out:
	json_decref(p.json);
	samples_free(&all);
	return ret;
}
