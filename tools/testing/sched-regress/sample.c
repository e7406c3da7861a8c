// SPDX-License-Identifier: GPL-2.0
/* Reads results.jsonl and status.json of a run. */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sample.h"
#include "util.h"

static void *grow(void *p, size_t n, size_t size)
{
	/* Doubles at each power of two. */
	if (n & (n - 1))
		return p;
	p = realloc(p, (n ? 2 * n : 1) * size);
	if (!p)
		abort();
	return p;
}

static int sample_parse(struct samples *all, const char *line, const char *where)
{
	struct sample s = { .role = "", .run = "", .unit = "", .kernel = "", .engine = "" };
	const char *kind = "count";
	json_error_t err;
	int warmup = 0;
	json_t *doc;

	doc = json_loads(line, 0, &err);
	if (!doc)
		return complain(where, "no JSON (%s); the run was cut off or the line is damaged",
				err.text);
	if (json_unpack_ex(doc, &err, 0, "{s:s, s:s, s:s, s:s, s:F, s?s, s?s, s?s, s?s, s?s, s?i, s?F, s?s, s?b}",
			   "workload", &s.workload, "topo", &s.topo, "arm", &s.arm,
			   "metric", &s.metric, "value", &s.value,
			   "run", &s.run, "unit", &s.unit, "kernel", &s.kernel,
			   "engine", &s.engine, "role", &s.role, "block", &s.block,
			   "lost", &s.lost, "kind", &kind, "warmup", &warmup) ||
	    !isfinite(s.value)) {
		complain(where, "no sample (%s)", *err.text ? err.text : "value is not finite");
		json_decref(doc);
		return -1;
	}
	if (warmup) {
		all->warmup++;
		json_decref(doc);
		return 0;
	}
	s.time = !strcmp(kind, "time");
	all->docs = grow(all->docs, all->nr_docs, sizeof(*all->docs));
	all->docs[all->nr_docs++] = doc;
	all->s = grow(all->s, all->n, sizeof(*all->s));
	all->s[all->n++] = s;
	return 0;
}

static char *copy_string(json_t *doc, const char *key)
{
	const char *v = json_string_value(json_object_get(doc, key));
	char *s = strdup(v ? v : "");

	if (!s)
		abort();
	return s;
}

static void run_add(struct samples *all, const char *dir)
{
	char path[4096];
	json_t *doc;
	struct run r;

	snprintf(path, sizeof(path), "%s/status.json", dir);
	doc = json_load_file(path, 0, NULL);
	r.dir = strdup(dir);
	r.status = copy_string(doc, "status");
	r.accel = copy_string(doc, "accel");
	r.kernel = copy_string(doc, "kernel");
	json_decref(doc);
	all->runs = grow(all->runs, all->nr_runs, sizeof(*all->runs));
	all->runs[all->nr_runs++] = r;
}

int samples_load(struct samples *all, const char *dir)
{
	char path[4096], where[4200];
	size_t len = 0, before = all->n, nr = 0;
	char *line = NULL;
	int ret = 0;
	FILE *f;

	run_add(all, dir);
	snprintf(path, sizeof(path), "%s/results.jsonl", dir);
	f = fopen(path, "r");
	if (!f)
		return complain(path, "%s; did the guest run?", strerror(errno));
	while (!ret && getline(&line, &len, f) > 0) {
		snprintf(where, sizeof(where), "%s:%zu", path, ++nr);
		if (*trim(line))
			ret = sample_parse(all, line, where);
	}
	free(line);
	fclose(f);
	if (!ret && all->n == before)
		ret = complain(path, "no samples; see %s/output and console", dir);
	return ret;
}

void samples_free(struct samples *all)
{
	size_t i;

	for (i = 0; i < all->nr_docs; i++)
		json_decref(all->docs[i]);
	for (i = 0; i < all->nr_runs; i++) {
		free(all->runs[i].dir);
		free(all->runs[i].status);
		free(all->runs[i].accel);
		free(all->runs[i].kernel);
	}
	free(all->runs);
	free(all->docs);
	free(all->s);
	memset(all, 0, sizeof(*all));
}

double *samples_values(const struct samples *all, const char *workload, const char *arm,
		       const char *metric, size_t *n)
{
	double *v = calloc(all->n + 1, sizeof(*v));
	size_t i;

	if (!v)
		abort();
	for (i = 0, *n = 0; i < all->n; i++) {
		const struct sample *s = &all->s[i];

		if (!strcmp(s->workload, workload) && !strcmp(s->metric, metric) &&
		    (!arm || !strcmp(s->arm, arm)) && !*s->role)
			v[(*n)++] = s->value;
	}
	return v;
}

double samples_lost(const struct samples *all, const char *workload)
{
	double lost = 0;
	size_t i;

	for (i = 0; i < all->n; i++)
		if (!strcmp(all->s[i].workload, workload) && all->s[i].lost > lost)
			lost = all->s[i].lost;
	return lost;
}

bool samples_tcg(const struct samples *all)
{
	size_t i;

	/* Unknown is treated as TCG: a time must not gate by accident. */
	for (i = 0; i < all->nr_runs; i++)
		if (strcmp(all->runs[i].accel, "kvm") && strcmp(all->runs[i].accel, "host"))
			return true;
	return false;
}
