/* SPDX-License-Identifier: GPL-2.0 */
/* A claim: what one feature bit does, and what must not suffer from it. */
#ifndef SCHED_REGRESS_CLAIM_H
#define SCHED_REGRESS_CLAIM_H

#include <stdbool.h>

#define MAX_CONTROLS	16

struct control {
	char *workload;		/* NULL: the claim's own */
	char *metric;
	bool higher_better;
	double margin;		/* per cent of the value with the bit off */
};

struct claim {
	char *name, *proves, *report, *workload, *topology, *engines, *guest;
	char *workload_short;	/* NULL: the same */
	char *fixed;		/* settings common to both arms, "" if none */
	char *off, *on;		/* the arms, as "FEATURE=0" */
	char *metric;
	bool higher_better;
	bool relative;		/* the effect is in per cent of the value with the bit off */
	double smallest;	/* effect, in the metric's unit or in per cent */
	double exact_on;	/* with the bit on each sample is this; NAN: no such demand */
	int blocks, blocks_short;
	bool required;
	struct control control[MAX_CONTROLS];
	int nr_controls;
};

int claim_load(struct claim *c, const char *path);

/* What the short run has time for: its workload, its blocks. */
void claim_shorten(struct claim *c);

void claim_free(struct claim *c);

/* "FIXED,ARM" as samples and schedules spell it; @on says which arm. */
void claim_arm(const struct claim *c, bool on, char *buf, int len);

#endif
