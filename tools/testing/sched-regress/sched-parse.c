// SPDX-License-Identifier: GPL-2.0
/*
 * The parsers as one static program for the guest:
 *     sched-parse fio|netperf|stress-ng|hackbench|lag FILE
 *     sched-parse hist BEFORE AFTER
 *     sched-parse emit 'run=..;workload=..;...'     lines on stdin, JSON on stdout
 */
#include <stdio.h>
#include <string.h>

#include "parse.h"

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*parse)(const char *path, FILE *out);
	} parsers[] = {
		{ "fio", parse_fio }, { "netperf", parse_netperf }, { "stress-ng", parse_stress_ng },
		{ "hackbench", parse_hackbench }, { "lag", parse_lag },
	};
	size_t i;

	if (argc == 3 && !strcmp(argv[1], "emit"))
		return emit_samples(stdin, argv[2], stdout) ? 1 : 0;
	if (argc == 4 && !strcmp(argv[1], "hist"))
		return parse_hist(argv[2], argv[3], stdout) ? 1 : 0;
	for (i = 0; argc == 3 && i < sizeof(parsers) / sizeof(*parsers); i++)
		if (!strcmp(argv[1], parsers[i].name))
			return parsers[i].parse(argv[2], stdout) ? 1 : 0;
	fprintf(stderr, "usage: sched-parse fio|netperf|stress-ng|hackbench|lag FILE | hist BEFORE AFTER | emit KEYS\n");
	return 1;
}
