// SPDX-License-Identifier: GPL-2.0
/*
 * sched-regress plan: the order of executions for a claim, as guest/run.sh reads
 * it, one "WORKLOAD BLOCK ROLE ARM" a line. Bit against bit is interleaved as
 * ABBA, so that a linear drift of the host cancels in each block; with --aa each
 * block is followed by one in which both arms are the same.
 */
#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "claim.h"
#include "verbs.h"

struct options {
	const char *claim, *get;
	bool brief, aa;
};

static const struct argp_option option[] = {
	{ "short", 's', 0, 0, "the few blocks that CI has time for", 0 },
	{ "aa", 'a', 0, 0, "add A/A blocks, which show what this host can see", 0 },
	{ "get", 'g', "NAME", 0, "print topology, guest, engines or name instead", 0 },
	{}
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case 's':
		o->brief = true;
		return 0;
	case 'a':
		o->aa = true;
		return 0;
	case 'g':
		o->get = arg;
		return 0;
	case ARGP_KEY_ARG:
		if (o->claim)
			return ARGP_ERR_UNKNOWN;
		o->claim = arg;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_usage(state);
	}
	return ARGP_ERR_UNKNOWN;
}

static void plan_workload(const struct claim *c, const char *workload, const struct options *o)
{
	static const bool abba[] = { false, true, true, false };
	char arm[2][256];
	size_t i;
	int b;

	claim_arm(c, false, arm[0], sizeof(arm[0]));
	claim_arm(c, true, arm[1], sizeof(arm[1]));
	printf("%s 0 - %s\n", workload, arm[0]);	/* warm-up */
	for (b = 1; b <= c->blocks; b++) {
		for (i = 0; i < 4; i++)
			printf("%s %d - %s\n", workload, b, arm[abba[i]]);
		for (i = 0; o->aa && i < 4; i++)
			printf("%s %d %s %s\n", workload, b, abba[i] ? "aa1" : "aa0", arm[0]);
	}
}

static int print_value(const struct claim *c, const char *name)
{
	const char *v = !strcmp(name, "topology") ? c->topology :
			!strcmp(name, "guest") ? c->guest :
			!strcmp(name, "engines") ? c->engines :
			!strcmp(name, "name") ? c->name : NULL;

	if (v)
		puts(v);
	return v ? 0 : 2;
}

int cmd_plan(int argc, char **argv)
{
	static const struct argp argp = { option, parse, "CLAIM",
		"Print the schedule of executions that a claim needs.", NULL, NULL, NULL };
	struct options o = {};
	struct claim c;
	int i, j, ret = 0;

	argp_parse(&argp, argc, argv, 0, NULL, &o);
	if (claim_load(&c, o.claim))
		return 2;
	if (o.brief)
		claim_shorten(&c);
	if (o.get) {
		ret = print_value(&c, o.get);
	} else {
		plan_workload(&c, c.workload, &o);
		/* Controls on other workloads; each workload once. */
		for (i = 0; i < c.nr_controls; i++) {
			for (j = 0; j < i && c.control[i].workload; j++)
				if (c.control[j].workload &&
				    !strcmp(c.control[i].workload, c.control[j].workload))
					break;
			if (c.control[i].workload && j == i && strcmp(c.control[i].workload, c.workload))
				plan_workload(&c, c.control[i].workload, &o);
		}
	}
	claim_free(&c);
	return ret;
}
