// SPDX-License-Identifier: GPL-2.0
/*
 * sched-regress report: judge all claims on the samples of some runs and write
 * report.txt, report.html, report.json and junit.xml.
 */
#include <argp.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "util.h"
#include "verbs.h"

#define MAX_CLAIMS	32

struct options {
	const char *claims_dir, *only, *out;
	bool brief;
	char **runs;
	int nr_runs;
};

static const struct argp_option option[] = {
	{ "claims", 'c', "DIR", 0, "where the claims are", 0 },
	{ "only", 'n', "NAME", 0, "judge this claim only", 0 },
	{ "short", 's', 0, 0, "exit 0 although a required claim is inconclusive", 0 },
	{ "out", 'o', "DIR", 0, "write the reports here; without it the text goes to stdout", 0 },
	{}
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case 'c':
		o->claims_dir = arg;
		return 0;
	case 'n':
		o->only = arg;
		return 0;
	case 's':
		o->brief = true;
		return 0;
	case 'o':
		o->out = arg;
		return 0;
	case ARGP_KEY_ARGS:
		o->runs = state->argv + state->next;
		o->nr_runs = state->argc - state->next;
		return 0;
	case ARGP_KEY_END:
		if (!o->claims_dir || !o->runs)
			argp_error(state, "give --claims DIR and at least one run");
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static int is_claim(const struct dirent *d)
{
	const char *dot = strrchr(d->d_name, '.');

	return dot && !strcmp(dot, ".claim");
}

/* All claims of the folder, by name; -1 after a complaint. */
static int load_claims(const struct options *o, struct claim *claims)
{
	struct dirent **names;
	char path[4096];
	int i, n, got = 0, ret = 0;

	n = scandir(o->claims_dir, &names, is_claim, alphasort);
	if (n < 0)
		return complain(o->claims_dir, "cannot be read");
	for (i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/%s", o->claims_dir, names[i]->d_name);
		free(names[i]);
		if (ret)
			continue;
		if (got == MAX_CLAIMS)
			ret = complain(o->claims_dir, "more than %d claims", MAX_CLAIMS);
		else
			ret = claim_load(&claims[got], path);
		if (!ret && o->brief)
			claim_shorten(&claims[got]);
		if (!ret && o->only && strcmp(claims[got].name, o->only))
			claim_free(&claims[got]);
		else if (!ret)
			got++;
	}
	free(names);
	if (!ret && !got)
		ret = complain(o->claims_dir, "no claim%s%s", o->only ? " named " : "",
			       o->only ? o->only : "");
	return ret ? -1 : got;
}

static int write_one(const struct report *r, const char *dir, const char *name,
		     void (*write)(const struct report *r, FILE *f))
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = begin_file(path);
	if (!f)
		return -1;
	write(r, f);
	return end_file(f, path);
}

static int write_all(const struct report *r, const char *dir)
{
	return write_one(r, dir, "report.txt", report_text) ||
	       write_one(r, dir, "report.html", report_html) ||
	       write_one(r, dir, "report.json", report_json) ||
	       write_one(r, dir, "junit.xml", report_junit) ? -1 : 0;
}

int cmd_report(int argc, char **argv)
{
	static const struct argp argp = { option, parse, "RUN...",
		"Judge claims on the samples of runs.", NULL, NULL, NULL };
	struct item items[MAX_CLAIMS * (MAX_CONTROLS + 2)];
	struct claim claims[MAX_CLAIMS];
	struct samples samples = {};
	struct report r = { .samples = &samples, .claims = claims, .items = items };
	struct options o = {};
	int i, ret = 2;

	argp_parse(&argp, argc, argv, 0, NULL, &o);
	r.nr_claims = load_claims(&o, claims);
	if (r.nr_claims < 0)
		return 2;
	for (i = 0; i < o.nr_runs; i++)
		if (samples_load(&samples, o.runs[i]))
			goto out;
	for (i = 0; i < r.nr_claims; i++)
		r.n += judge_claim(&claims[i], &samples, &items[r.n]);
	for (i = 0; i < r.n; i++)
		r.count[items[i].verdict]++;
	if (!o.out)
		report_text(&r, stdout);
	else if (write_all(&r, o.out))
		goto out;
	else
		print_summary(&r, stdout);
	ret = judge_exit(items, r.n, o.brief);
	/* A run that crashed or hung has decided something as well. */
	for (i = 0; i < (int)samples.nr_runs; i++)
		if (*samples.runs[i].status && strcmp(samples.runs[i].status, "ok")) {
			complain(samples.runs[i].dir, "run ended as '%s'; see its console",
				 samples.runs[i].status);
			ret = ret == 1 ? 1 : 2;
		}
out:
	for (i = 0; i < r.nr_claims; i++)
		claim_free(&claims[i]);
	samples_free(&samples);
	return ret;
}
