// SPDX-License-Identifier: GPL-2.0
/* The report as text, and the wording that the other formats share. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "report.h"

void print_kernel(const struct samples *all, FILE *f)
{
	size_t i;

	for (i = 0; i < all->nr_runs; i++) {
		const struct run *r = &all->runs[i];

		if (i && !strcmp(r->kernel, all->runs[i - 1].kernel))
			continue;
		fprintf(f, "kernel %s, %s\n", *r->kernel ? r->kernel : "unknown",
			*r->accel ? r->accel : "accelerator unknown");
	}
}

/* CI reads the last line; what is inconclusive must not hide behind it. */
void print_summary(const struct report *r, FILE *f)
{
	if (r->count[INCONCLUSIVE])
		fprintf(f, "%d inconclusive: decided neither way, see report.txt\n",
			r->count[INCONCLUSIVE]);
	fprintf(f, "%d passed, %d failed, %d skipped\n", r->count[PASS], r->count[FAIL],
		r->count[SKIP]);
}

static void print_arm(const struct arm_summary *a, const char *unit, FILE *f)
{
	if (!a->n) {
		fprintf(f, "        %-34s no samples\n", a->name);
		return;
	}
	fprintf(f, "        %-34s median %.6g %s, MAD %.3g, n %zu", a->name, a->median, unit,
		a->mad, a->n);
	if (a->ci.method)
		fprintf(f, ", 95%% %.6g..%.6g (%s)", a->ci.lo, a->ci.hi, a->ci.method);
	fputc('\n', f);
}

static void print_item(const struct item *it, FILE *f)
{
	const char *unit = it->relative ? "%" : it->unit;

	fprintf(f, "  %-12s  %s: %s\n", verdict_name[it->verdict], it->what,
		it->reason);
	print_arm(&it->off, it->unit, f);
	print_arm(&it->on, it->unit, f);
	if (it->gain.method)
		fprintf(f, "        gain %.4g..%.4g %s (%s over %zu blocks)", it->gain.lo,
			it->gain.hi, unit, it->gain.method, it->blocks);
	if (it->gain.method && !isnan(it->aa))
		fprintf(f, "; A/A here +-%.3g %s", it->aa, unit);
	if (it->gain.method)
		fputc('\n', f);
}

void report_text(const struct report *r, FILE *f)
{
	char date[32];
	time_t now = time(NULL);
	int i;

	strftime(date, sizeof(date), "%F %R UTC", gmtime(&now));
	fprintf(f, "sched-regress report, %s\n", date);
	print_kernel(r->samples, f);
	fprintf(f, "%zu samples; %zu of warm-up executions were dropped\n", r->samples->n,
		r->samples->warmup);
	if (samples_tcg(r->samples))
		fprintf(f, "TCG: times are shown and never gate; counts gate\n");
	fprintf(f, "gain: positive is better; interval over ABBA blocks; controls: 95%% bound, one-sided\n");
	for (i = 0; i < r->n; i++) {
		const struct item *it = &r->items[i];

		if (!i || strcmp(it->claim, r->items[i - 1].claim))
			fprintf(f, "\nclaim %s: %s\n", it->claim, it->proves);
		print_item(it, f);
	}
	fprintf(f, "\n");
	print_summary(r, f);
}
