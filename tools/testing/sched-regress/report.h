/* SPDX-License-Identifier: GPL-2.0 */
/* One set of judged items, written in several formats from the same numbers. */
#ifndef SCHED_REGRESS_REPORT_H
#define SCHED_REGRESS_REPORT_H

#include <stdio.h>

#include "verdict.h"

struct report {
	const struct samples *samples;
	const struct claim *claims;
	int nr_claims;
	struct item *items;
	int n;
	int count[SKIP + 1];	/* by verdict */
};

void report_text(const struct report *r, FILE *f);
void report_html(const struct report *r, FILE *f);
void report_json(const struct report *r, FILE *f);
void report_junit(const struct report *r, FILE *f);

/* An SVG of the gains on @f by gnuplot; nothing if gnuplot is not installed. */
void report_chart(const struct report *r, FILE *f);

/* Shared wording. */
void print_kernel(const struct samples *all, FILE *f);
void print_summary(const struct report *r, FILE *f);

#endif
