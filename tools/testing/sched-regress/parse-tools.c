// SPDX-License-Identifier: GPL-2.0
/* Parsers of what fio, netperf, stress-ng and hackbench print. */
#include <errno.h>
#include <jansson.h>
#include <string.h>

#include "parse.h"
#include "util.h"

/* fio writes notes before the JSON when it has something to warn of. */
static json_t *load_after_notes(const char *path)
{
	json_error_t err;
	json_t *doc = NULL;
	FILE *f = fopen(path, "r");
	int c;

	if (!f) {
		complain(path, "%s; did fio run?", strerror(errno));
		return NULL;
	}
	while ((c = fgetc(f)) != EOF && c != '{')
		;
	if (c == EOF) {
		complain(path, "no JSON in fio's output");
	} else {
		ungetc(c, f);
		doc = json_loadf(f, JSON_DISABLE_EOF_CHECK, &err);
		if (!doc)
			complain(path, "fio's JSON is cut off or damaged (%s)", err.text);
	}
	fclose(f);
	return doc;
}

int parse_fio(const char *path, FILE *out)
{
	static const char * const dirs[] = { "write", "read" };
	json_t *doc = load_after_notes(path), *job;
	int error = 0, found = 0;
	size_t i;

	if (!doc)
		return -1;
	job = json_array_get(json_object_get(doc, "jobs"), 0);
	json_unpack(job, "{s:i}", "error", &error);
	for (i = 0; i < 2; i++) {
		double ios, bw, p99 = 0;

		if (json_unpack(job, "{s:{s:F, s:F}}", dirs[i], "total_ios", &ios,
				"bw_bytes", &bw) || ios == 0)
			continue;
		found = 1;
		fprintf(out, "bw %.3f MB/s time\nios %.0f ios count\n", bw / 1e6, ios);
		if (!json_unpack(job, "{s:{s:{s:{s:F}}}}", dirs[i], "clat_ns", "percentile",
				 "99.000000", &p99))
			fprintf(out, "clat_p99 %.1f us time\n", p99 / 1e3);
	}
	json_decref(doc);
	if (error)
		return complain(path, "fio reports error %d (%s)", error, strerror(error));
	return found ? 0 : complain(path, "fio did no reads and no writes");
}

/*
 * netperf -P 0 -t UDP_STREAM prints two lines: "socket size elapsed okay errors
 * throughput" of the sender, "socket elapsed okay throughput" of the receiver.
 */
int parse_netperf(const char *path, FILE *out)
{
	double sock, size, secs, sent, errors, mbit, received, rmbit;
	char line[256];
	FILE *f = fopen(path, "r");
	int got = 0;

	if (!f)
		return complain(path, "%s; did netperf run?", strerror(errno));
	while (got < 2 && fgets(line, sizeof(line), f)) {
		if (!got && sscanf(line, "%lf %lf %lf %lf %lf %lf", &sock, &size, &secs, &sent,
				   &errors, &mbit) == 6)
			got = 1;
		else if (got == 1 && sscanf(line, "%lf %lf %lf %lf", &sock, &secs, &received,
					    &rmbit) == 4)
			got = 2;
	}
	fclose(f);
	if (got < 2)
		return complain(path, "not the two result lines of netperf UDP_STREAM");
	if (!(sent > 0))
		return complain(path, "netperf sent nothing");
	fprintf(out, "tput %.2f Mbit/s time\nsent %.0f messages count\n", mbit, sent);
	fprintf(out, "received %.0f messages count\n", received);
	return 0;
}

/* "bogo-ops: N" and "bogo-ops-per-second-real-time: X" of the first stressor. */
int parse_stress_ng(const char *path, FILE *out)
{
	double ops = -1, rate = -1;
	char line[256];
	FILE *f = fopen(path, "r");

	if (!f)
		return complain(path, "%s; did stress-ng run?", strerror(errno));
	while (fgets(line, sizeof(line), f)) {
		char *s = trim(line);

		if (ops < 0 && !strncmp(s, "bogo-ops: ", 10))
			to_double(s + 10, &ops);
		if (rate < 0 && !strncmp(s, "bogo-ops-per-second-real-time: ", 31))
			to_double(s + 31, &rate);
	}
	fclose(f);
	if (ops < 0 || rate < 0)
		return complain(path, "no bogo-ops in stress-ng's YAML");
	fprintf(out, "ops_rate %.2f bogo-ops/s time\nops %.0f bogo-ops count\n", rate, ops);
	return 0;
}

/*
 * "... with G groups using F file descriptors each ...", "Each sender will pass L
 * messages ...", "Time: T". Half of F are senders, and each writes L times to
 * each of the other half.
 */
int parse_hackbench(const char *path, FILE *out)
{
	double groups = 0, fds = 0, loops = 0, secs = 0;
	char line[256];
	FILE *f = fopen(path, "r");

	if (!f)
		return complain(path, "%s; did hackbench run?", strerror(errno));
	while (fgets(line, sizeof(line), f)) {
		char *s = strstr(line, " with ");

		if (s)
			sscanf(s, " with %lf groups using %lf file", &groups, &fds);
		sscanf(line, "Each sender will pass %lf messages", &loops);
		sscanf(line, "Time: %lf", &secs);
	}
	fclose(f);
	if (!(groups > 0 && fds > 0 && loops > 0 && secs > 0))
		return complain(path, "no groups, messages and time in hackbench's output");
	fprintf(out, "time %.3f s time\nmessages %.0f messages count\n", secs,
		groups * fds / 2 * fds / 2 * loops);
	return 0;
}
