// SPDX-License-Identifier: GPL-2.0
/* sched-regress: judges scheduler claims on samples. One verb, one file. */
#include <stdio.h>
#include <string.h>

#include "verbs.h"

static const struct verb {
	const char *name;
	int (*cmd)(int argc, char **argv);
	const char *does;
} verbs[] = {
	{ "plan",    cmd_plan,    "print the schedule of executions that a claim needs" },
	{ "report",  cmd_report,  "judge claims on runs: text, HTML, JSON, JUnit" },
	{ "compare", cmd_compare, "kernel against kernel; the replicate is the boot" },
	{ "table",   cmd_table,   "medians, spread and counts of every arm" },
	{ "triage",  cmd_triage,  "which mechanisms of the reports a kernel still has" },
};

#define NR_VERBS	(sizeof(verbs) / sizeof(*verbs))

int main(int argc, char **argv)
{
	size_t i;

	for (i = 0; argc > 1 && i < NR_VERBS; i++)
		if (!strcmp(argv[1], verbs[i].name))
			return verbs[i].cmd(argc - 1, argv + 1);
	fprintf(stderr, "usage: sched-regress VERB ...   (VERB --help says more)\n");
	for (i = 0; i < NR_VERBS; i++)
		fprintf(stderr, "    %-8s %s\n", verbs[i].name, verbs[i].does);
	return 2;
}
