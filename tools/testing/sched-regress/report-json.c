// SPDX-License-Identifier: GPL-2.0
/* The report as JSON and as JUnit XML. */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "report.h"

/* JSON has no NaN: what is not known is null. */
static json_t *number(double v)
{
	return isfinite(v) ? json_real(v) : json_null();
}

static json_t *interval(const struct interval *ci)
{
	if (!ci->method)
		return json_null();
	return json_pack("{s:o, s:o, s:s}", "lo", number(ci->lo), "hi", number(ci->hi),
			 "method", ci->method);
}

static json_t *arm(const struct arm_summary *a)
{
	return json_pack("{s:s, s:i, s:o, s:o, s:o}", "arm", a->name, "n", (int)a->n,
			 "median", number(a->median), "mad", number(a->mad),
			 "median_ci95", interval(&a->ci));
}

void report_json(const struct report *r, FILE *f)
{
	json_t *items = json_array(), *runs = json_array(), *doc;
	size_t j;
	int i;

	for (i = 0; i < r->n; i++) {
		const struct item *it = &r->items[i];

		json_array_append_new(items, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:b, s:b, s:f, s:i, s:o, s:o, s:o, s:o}",
			"claim", it->claim, "what", it->what, "workload", it->workload,
			"metric", it->metric, "unit", it->unit,
			"verdict", verdict_name[it->verdict], "reason", it->reason,
			"required", it->required, "relative", it->relative,
			"threshold", it->threshold, "blocks", (int)it->blocks,
			"gain", interval(&it->gain), "aa", number(it->aa),
			"off", arm(&it->off), "on", arm(&it->on)));
	}
	for (j = 0; j < r->samples->nr_runs; j++) {
		const struct run *run = &r->samples->runs[j];

		json_array_append_new(runs, json_pack("{s:s, s:s, s:s, s:s}", "dir", run->dir,
			"status", run->status, "accel", run->accel, "kernel", run->kernel));
	}
	doc = json_pack("{s:o, s:o, s:{s:i, s:i, s:i, s:i}}", "runs", runs, "items", items,
			"summary", "pass", r->count[PASS], "fail", r->count[FAIL],
			"inconclusive", r->count[INCONCLUSIVE], "skip", r->count[SKIP]);
	json_dumpf(doc, f, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
	fputc('\n', f);
	json_decref(doc);
}

static void put_attribute(const char *name, const char *s, FILE *f)
{
	fprintf(f, " %s=\"", name);
	for (; *s; s++)
		if (*s == '&' || *s == '<' || *s == '"')
			fprintf(f, "&#%d;", *s);
		else
			fputc(*s, f);
	fputc('"', f);
}

/* JUnit knows no "inconclusive": skipped, with the word in front of the message. */
void report_junit(const struct report *r, FILE *f)
{
	char message[512];
	int i;

	fprintf(f, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	fprintf(f, "<testsuite name=\"sched-regress\" tests=\"%d\" failures=\"%d\" skipped=\"%d\">\n",
		r->n, r->count[FAIL], r->count[SKIP] + r->count[INCONCLUSIVE]);
	for (i = 0; i < r->n; i++) {
		const struct item *it = &r->items[i];

		fprintf(f, "<testcase");
		put_attribute("classname", it->claim, f);
		put_attribute("name", it->what, f);
		fprintf(f, ">");
		if (it->verdict != PASS) {
			snprintf(message, sizeof(message), "%s: %s", verdict_name[it->verdict],
				 it->reason);
			fprintf(f, "<%s", it->verdict == FAIL ? "failure" : "skipped");
			put_attribute("message", message, f);
			fprintf(f, "/>");
		}
		fprintf(f, "</testcase>\n");
	}
	fprintf(f, "</testsuite>\n");
}
