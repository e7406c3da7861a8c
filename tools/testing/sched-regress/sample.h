/* SPDX-License-Identifier: GPL-2.0 */
/* Samples: the JSON lines that a run leaves in results.jsonl. */
#ifndef SCHED_REGRESS_SAMPLE_H
#define SCHED_REGRESS_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * One value of one metric from one execution of a workload. @block groups the
 * executions that are compared with each other (an ABBA block, or a boot);
 * @role is "" for the arms under test and "aa0" or "aa1" for the two halves of
 * an A/A block, where both arms are the same.
 */
struct sample {
	const char *run, *workload, *topo, *arm, *role, *metric, *unit, *kernel, *engine;
	int block;
	bool time;	/* depends on how fast the host is: never gates under TCG */
	double value;
	double lost;	/* trace events, hist entries or probe hits that went missing */
};

struct run {
	char *dir, *status, *accel, *kernel;
};

struct samples {
	struct sample *s;
	size_t n, warmup;
	struct run *runs;
	size_t nr_runs;
	void **docs;	/* the JSON documents that own the strings above */
	size_t nr_docs;
};

/*
 * Add DIR/results.jsonl and DIR/status.json. Warm-up samples are counted and
 * dropped. Returns -1 after one line on stderr that says file, line and cause.
 */
int samples_load(struct samples *all, const char *dir);
void samples_free(struct samples *all);

/* Values of one metric; NULL matches any arm. The caller frees them. */
double *samples_values(const struct samples *all, const char *workload, const char *arm,
		       const char *metric, size_t *n);

/* What went missing in the samples of a workload, largest over its executions. */
double samples_lost(const struct samples *all, const char *workload);

/* Of the run a sample came from: "tcg", "kvm", or "" if it is not known. */
bool samples_tcg(const struct samples *all);

#endif
