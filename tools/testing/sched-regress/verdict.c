// SPDX-License-Identifier: GPL-2.0
/* The rule that turns samples into pass, fail, inconclusive or skip. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verdict.h"

#define MIN_BLOCKS	3	/* fewer give a t interval of no use */

const char * const verdict_name[] = {
	[PASS] = "pass", [FAIL] = "fail", [INCONCLUSIVE] = "inconclusive", [SKIP] = "skip",
};

/* The whole interval must lie beyond the smallest effect worth having. */
enum verdict judge_effect(struct interval gain, double smallest)
{
	if (!gain.method)
		return INCONCLUSIVE;
	if (gain.lo > smallest)
		return PASS;
	return gain.hi < smallest ? FAIL : INCONCLUSIVE;
}

/* Not "no significant loss": the bound of the loss must lie within the margin. */
enum verdict judge_control(struct interval loss, double margin)
{
	if (!loss.method)
		return INCONCLUSIVE;
	if (loss.hi <= margin)
		return PASS;
	return loss.lo > margin ? FAIL : INCONCLUSIVE;
}

/* What of the samples an item looks at. */
struct query {
	const char *workload, *topo, *metric, *role[2], *arm[2];
};

struct picked {
	double *v[2];		/* values of both arms */
	size_t n[2];
	double *diff;		/* one a block: mean(arm 1) - mean(arm 0) */
	size_t blocks;
	double lost;
	bool time, zero;	/* zero: a block has arm 0 at 0, no ratio exists */
	const char *unit;
};

static bool wanted(const struct sample *s, const struct query *q, int arm)
{
	return !strcmp(s->workload, q->workload) && !strcmp(s->metric, q->metric) &&
	       !strcmp(s->topo, q->topo) && !strcmp(s->role, q->role[arm]) &&
	       !strcmp(s->arm, q->arm[arm]);
}

/* Mean of one arm in one block; false if the block lacks it. */
static bool block_mean(const struct samples *all, const struct query *q, int arm,
		       const struct sample *like, double *mean)
{
	double sum = 0;
	size_t i, n = 0;

	for (i = 0; i < all->n; i++) {
		const struct sample *s = &all->s[i];

		if (!wanted(s, q, arm) || s->block != like->block || strcmp(s->run, like->run))
			continue;
		sum += s->value;
		n++;
	}
	*mean = n ? sum / n : NAN;
	return n;
}

static bool first_of_block(const struct samples *all, const struct query *q, size_t i)
{
	size_t j;

	for (j = 0; j < i; j++)
		if (wanted(&all->s[j], q, 0) && all->s[j].block == all->s[i].block &&
		    !strcmp(all->s[j].run, all->s[i].run))
			return false;
	return true;
}

static void pick(const struct samples *all, const struct query *q, bool relative,
		 struct picked *p)
{
	double a, b;
	size_t i;
	int arm;

	*p = (struct picked){ .unit = "" };
	for (arm = 0; arm < 2; arm++)
		p->v[arm] = calloc(all->n + 1, sizeof(double));
	p->diff = calloc(all->n + 1, sizeof(double));
	if (!p->v[0] || !p->v[1] || !p->diff)
		abort();
	for (i = 0; i < all->n; i++) {
		const struct sample *s = &all->s[i];

		for (arm = 0; arm < 2; arm++) {
			if (!wanted(s, q, arm))
				continue;
			p->v[arm][p->n[arm]++] = s->value;
			p->lost += s->lost;
			p->time = s->time;
			p->unit = s->unit;
		}
		if (!wanted(s, q, 0) || !first_of_block(all, q, i) ||
		    !block_mean(all, q, 0, s, &a) || !block_mean(all, q, 1, s, &b))
			continue;
		if (relative && a == 0)
			p->zero = true;
		else
			p->diff[p->blocks++] = relative ? 100 * (b - a) / a : b - a;
	}
}

static void unpick(struct picked *p)
{
	free(p->v[0]);
	free(p->v[1]);
	free(p->diff);
}

static struct arm_summary summarize(const char *name, const double *v, size_t n)
{
	struct arm_summary s = { .n = n, .median = median(v, n), .mad = mad(v, n),
				 .ci = ci_median(v, n, CONFIDENCE) };

	snprintf(s.name, sizeof(s.name), "%s", name);
	return s;
}

static void flip(struct interval *ci)
{
	double lo = ci->lo;

	ci->lo = -ci->hi;
	ci->hi = -lo;
}

static double aa_floor(const struct samples *all, struct query q, bool relative)
{
	struct interval ci;
	struct picked p;

	q.role[0] = "aa0";
	q.role[1] = "aa1";
	q.arm[1] = q.arm[0];
	pick(all, &q, relative, &p);
	ci = ci_mean_t(p.diff, p.blocks, CONFIDENCE);
	unpick(&p);
	return ci.method ? (ci.hi - ci.lo) / 2 : NAN;
}

#define settle(it, v, ...) do {						\
	(it)->verdict = (v);						\
	snprintf((it)->reason, sizeof((it)->reason), __VA_ARGS__);	\
} while (0)

/* Reasons not to look at the numbers at all; true if one holds. */
static bool unfit(struct item *it, const struct query *q, const struct picked *p, bool tcg)
{
	if (!p->n[0] || !p->n[1])
		settle(it, SKIP, "no samples of %s with %s", q->metric, q->arm[p->n[0] ? 1 : 0]);
	else if (p->lost > 0)
		settle(it, INCONCLUSIVE, "%.0f trace events were lost", p->lost);
	else if (p->zero)
		settle(it, INCONCLUSIVE, "no ratio: the value with %s is 0", q->arm[0]);
	else if (p->blocks < MIN_BLOCKS)
		settle(it, INCONCLUSIVE, "%zu blocks; at least %d are needed", p->blocks, MIN_BLOCKS);
	else if (p->time && tcg) {
		settle(it, SKIP, "a time under TCG does not gate");
		it->required = false;
	} else
		return false;
	return true;
}

static void judge_item(struct item *it, const struct query *q, const struct samples *all,
		       bool higher, bool control)
{
	const char *sign = it->relative ? "%" : "";
	struct picked p;

	pick(all, q, it->relative, &p);
	it->workload = q->workload;
	it->metric = q->metric;
	it->unit = p.unit;
	it->blocks = p.blocks;
	it->off = summarize(q->arm[0], p.v[0], p.n[0]);
	it->on = summarize(q->arm[1], p.v[1], p.n[1]);
	it->gain = ci_mean_t(p.diff, p.blocks, control ? two_sided(CONFIDENCE) : CONFIDENCE);
	if (!higher)
		flip(&it->gain);
	it->aa = aa_floor(all, *q, it->relative);
	if (!unfit(it, q, &p, samples_tcg(all))) {
		if (control) {
			struct interval loss = it->gain;

			flip(&loss);
			settle(it, judge_control(loss, it->threshold),
			       "95%% bound of the loss %.3g%s, margin %g%s",
			       loss.hi, sign, it->threshold, sign);
		} else {
			settle(it, judge_effect(it->gain, it->threshold),
			       "gain %.3g..%.3g%s, smallest effect %g%s",
			       it->gain.lo, it->gain.hi, sign, it->threshold, sign);
		}
	}
	unpick(&p);
}

static void judge_exact(struct item *it, const struct claim *c, const struct query *q,
			const struct samples *all)
{
	size_t i, off = 0;
	struct picked p;

	pick(all, q, false, &p);
	it->workload = q->workload;
	it->metric = q->metric;
	it->unit = p.unit;
	it->blocks = p.blocks;
	it->aa = NAN;
	it->off = summarize(q->arm[0], p.v[0], p.n[0]);
	it->on = summarize(q->arm[1], p.v[1], p.n[1]);
	for (i = 0; i < p.n[1]; i++)
		off += p.v[1][i] != c->exact_on;
	if (!p.n[1])
		settle(it, SKIP, "no samples of %s with %s", q->metric, q->arm[1]);
	else if (p.lost > 0)
		settle(it, INCONCLUSIVE, "%.0f trace events were lost", p.lost);
	else
		settle(it, off ? FAIL : PASS, "%zu of %zu samples differ from %g",
		       off, p.n[1], c->exact_on);
	unpick(&p);
}

static struct item *new_item(struct item *items, int *n, const struct claim *c)
{
	struct item *it = &items[(*n)++];

	*it = (struct item){ .claim = c->name, .proves = c->proves, .required = c->required,
			     .gain = { NAN, NAN, NULL } };
	return it;
}

int judge_claim(const struct claim *c, const struct samples *all, struct item *items)
{
	char off[256], on[256];
	struct query q = { .topo = c->topology, .role = { "", "" }, .arm = { off, on } };
	struct item *it;
	int i, n = 0;

	claim_arm(c, false, off, sizeof(off));
	claim_arm(c, true, on, sizeof(on));

	q.workload = c->workload;
	q.metric = c->metric;
	it = new_item(items, &n, c);
	snprintf(it->what, sizeof(it->what), "effect on %s of %s", c->metric, c->workload);
	it->relative = c->relative;
	it->threshold = c->smallest;
	judge_item(it, &q, all, c->higher_better, false);

	if (!isnan(c->exact_on)) {
		it = new_item(items, &n, c);
		snprintf(it->what, sizeof(it->what), "%s of %s is exactly %g with %s", c->metric,
			 c->workload, c->exact_on, c->on);
		it->threshold = c->exact_on;
		judge_exact(it, c, &q, all);
	}

	for (i = 0; i < c->nr_controls; i++) {
		const struct control *ctl = &c->control[i];

		q.workload = ctl->workload ? ctl->workload : c->workload;
		q.metric = ctl->metric;
		it = new_item(items, &n, c);
		snprintf(it->what, sizeof(it->what), "control %s of %s", ctl->metric, q.workload);
		it->relative = true;
		it->threshold = ctl->margin;
		it->required = false;
		judge_item(it, &q, all, ctl->higher_better, true);
	}
	return n;
}

int judge_exit(const struct item *items, int n, bool brief)
{
	int i, ret = 0;

	for (i = 0; i < n; i++) {
		if (items[i].verdict == FAIL)
			return 1;
		if (items[i].required && (items[i].verdict == SKIP ||
					  (items[i].verdict == INCONCLUSIVE && !brief)))
			ret = 2;
	}
	return ret;
}
