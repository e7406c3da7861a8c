/* SPDX-License-Identifier: GPL-2.0 */
/* What the sections of the triage page share. */
#ifndef SCHED_REGRESS_TRIAGE_H
#define SCHED_REGRESS_TRIAGE_H

#include <jansson.h>
#include <stdio.h>

#include "sample.h"

#define FEW	0.1	/* per cent: a mechanism met less often than this is not worth a fix */

struct page {
	const struct samples *all;
	FILE *f;
	json_t *json;
	const char *offsets;	/* file of offsets.sh, or NULL */
};

/* Sum over executions; NAN if there is no sample. */
double page_sum(const struct page *p, const char *workload, const char *arm,
		const char *metric);

/* Largest over executions; NAN if there is no sample. */
double page_max(const struct page *p, const char *workload, const char *arm,
		const char *metric);

/* The sum as a share of @whole, in per cent; NAN if either is missing or @whole is 0. */
double page_share(const struct page *p, const char *workload, const char *arm,
		  const char *metric, const char *whole);

/* A cell: the number, or "-" for what was not measured. Never a silent zero. */
void page_cell(const struct page *p, double v, int width, int decimals);

/*
 * What the workloads say together of the share @metric of @whole: "there" if in one
 * of them it is surely above FEW, "gone" if none was seen and it is surely below in
 * all together, "rare" if some were, "not decided" if the counts are too small to tell,
 * "not measured". @worst is the workload with the largest sure share, or NULL.
 */
const char *page_grade(const struct page *p, const char * const *workloads, size_t n,
		       const char *metric, const char *whole, const char **worst);

/* "5 of 112 (1.5..10 %)": the share and its 95 % interval. */
const char *page_bounds(const struct page *p, const char *workload, const char *metric,
			const char *whole, char *buf, size_t len);

/* States the answer in text and JSON. */
void page_answer(const struct page *p, const char *section, const char *answer,
		 const char *format, ...) __attribute__((format(printf, 4, 5)));

void triage_delay(const struct page *p);
void triage_wakelist(const struct page *p);
void triage_zone(const struct page *p);
void triage_irq(const struct page *p);
void triage_lag(const struct page *p);

#endif
