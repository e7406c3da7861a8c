/* SPDX-License-Identifier: GPL-2.0 */
/* What a workload's description says: workloads/NAME/description. */
#ifndef SCHED_REGRESS_WORKLOAD_H
#define SCHED_REGRESS_WORKLOAD_H

struct workload {
	char *title, *metric, *unit, *report, *bad_at;
	char *ops;	/* the metric that counts operations: counts are shown per 1000 of them */
};

/* @name may carry a ":PARAM"; it is not part of the folder's name. */
int workload_load(struct workload *w, const char *dir, const char *name);
void workload_free(struct workload *w);

#endif
