/* SPDX-License-Identifier: GPL-2.0 */
/* The rule that turns samples into pass, fail, inconclusive or skip. */
#ifndef SCHED_REGRESS_VERDICT_H
#define SCHED_REGRESS_VERDICT_H

#include "claim.h"
#include "sample.h"
#include "stats.h"

enum verdict { PASS, FAIL, INCONCLUSIVE, SKIP };

extern const char * const verdict_name[];

struct arm_summary {
	char name[128];
	size_t n;
	double median, mad;
	struct interval ci;	/* of the median */
};

/* One judged statement: the effect of a claim, its exact demand, or a control. */
struct item {
	const char *claim, *proves, *workload, *metric, *unit;
	char what[160];
	enum verdict verdict;
	char reason[256];
	bool required;		/* a required item that is not decided is exit code 2 */
	bool relative;
	double threshold;	/* smallest effect, or margin */
	size_t blocks;
	struct interval gain;	/* positive is better; per cent if relative */
	double aa;		/* half-width of the A/A interval: what this host can see; or NAN */
	struct arm_summary off, on;
};

/* The two rules, on an interval alone. */
enum verdict judge_effect(struct interval gain, double smallest);
enum verdict judge_control(struct interval loss, double margin);

/* All items of @c; @items has room for MAX_CONTROLS + 2. Returns their number. */
int judge_claim(const struct claim *c, const struct samples *all, struct item *items);

/*
 * 0 all pass, 1 a fail, 2 a required one is not decided; in the @brief run of CI
 * only if it could not run.
 */
int judge_exit(const struct item *items, int n, bool brief);

#endif
