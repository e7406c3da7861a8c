// SPDX-License-Identifier: GPL-2.0
/*
 * Reads topology files (schedfix/topologies) and cost files (costs/).
 *
 * Both are lines of "key = value" with comments behind '#'. In a cost file
 * each value is followed by ';' and its source, or the word "assumed".
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "host.h"

struct line {
	const char *path;
	int number;
	char key[SIM_NAME], value[256], source[256];
};

static char *trim(char *s)
{
	char *end;

	while (isspace((unsigned char)*s))
		s++;
	end = s + strlen(s);
	while (end > s && isspace((unsigned char)end[-1]))
		*--end = 0;
	return s;
}

static void split(char *text, struct line *l, int with_source)
{
	char *value = strchr(text, '='), *source = NULL;

	if (!value)
		die("%s:%d: \"%s\" is not \"key = value\"", l->path, l->number, text);
	*value++ = 0;
	if (with_source) {
		source = strchr(value, ';');
		if (source)
			*source++ = 0;
		if (!source || !*trim(source))
			die("%s:%d: %s has no source; write \"; where it comes from\" or \"; assumed\"",
			    l->path, l->number, trim(text));
		snprintf(l->source, sizeof(l->source), "%s", trim(source));
	}
	snprintf(l->key, sizeof(l->key), "%s", trim(text));
	snprintf(l->value, sizeof(l->value), "%s", trim(value));
}

static void each_line(const char *path, int with_source,
		      void (*fn)(struct line *l, void *arg), void *arg)
{
	struct line l = { .path = path };
	FILE *f = fopen(path, "r");
	char text[512];

	if (!f)
		die("%s: %s", path, strerror(errno));
	while (fgets(text, sizeof(text), f)) {
		char *s = strchr(text, '#');

		l.number++;
		if (s)
			*s = 0;
		s = trim(text);
		if (!*s)
			continue;
		split(s, &l, with_source);
		fn(&l, arg);
	}
	fclose(f);
}

static long number(struct line *l, const char *text, char **end)
{
	long v;

	errno = 0;
	v = strtol(text, end, 10);
	if (*end == text || errno || v < 0)
		die("%s:%d: %s = %s: not a number", l->path, l->number, l->key, l->value);
	return v;
}

/* Shape of the machine as the file says it, before CPUs are numbered. */
struct shape {
	long sockets, llcs, cores, threads, nodes;
	struct sim_topology *topo;
	char distance[256];
};

static void add_idle(struct line *l, struct sim_topology *t)
{
	struct sim_idle_state *s = &t->idle[t->idle_states];
	double exit_us, residency_us;

	if (t->idle_states == SIM_MAX_IDLE)
		die("%s:%d: more than %d idle states", l->path, l->number, SIM_MAX_IDLE);
	if (sscanf(l->value, "%63s %lf %lf", s->name, &exit_us, &residency_us) != 3)
		die("%s:%d: idle = %s: want NAME exit_us residency_us", l->path,
		    l->number, l->value);
	s->exit_ns = exit_us * 1000;
	s->residency_ns = residency_us * 1000;
	t->idle_states++;
}

static void topology_line(struct line *l, void *arg)
{
	struct shape *s = arg;
	struct { const char *key; long *value; } keys[] = {
		{ "sockets", &s->sockets }, { "llcs_per_socket", &s->llcs },
		{ "cores_per_llc", &s->cores }, { "threads", &s->threads },
		{ "nodes", &s->nodes },
	};
	char *end;

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (!strcmp(l->key, keys[i].key)) {
			*keys[i].value = number(l, l->value, &end);
			if (!*keys[i].value)
				die("%s:%d: %s is 0", l->path, l->number, l->key);
			return;
		}
	if (!strcmp(l->key, "distance"))
		snprintf(s->distance, sizeof(s->distance), "%s", l->value);
	else if (!strcmp(l->key, "idle"))
		add_idle(l, s->topo);
	/* Other keys are for the guest (memory, names); they say nothing here. */
}

static void fill_distance(const char *path, struct shape *s)
{
	struct sim_topology *t = s->topo;
	char *p = s->distance, *end;

	for (int a = 0; a < t->nodes; a++)
		for (int b = 0; b < t->nodes; b++) {
			t->distance[a][b] = a == b ? 10 : 20;
			if (!*s->distance)
				continue;
			while (*p == ';' || isspace((unsigned char)*p))
				p++;
			t->distance[a][b] = strtol(p, &end, 10);
			if (end == p)
				die("%s: distance has fewer than %d x %d numbers",
				    path, t->nodes, t->nodes);
			p = end;
		}
}

/*
 * CPUs are numbered as firmware does: the first threads of all cores, socket
 * by socket, then the second threads.
 */
void read_topology(const char *path, struct sim_topology *t)
{
	struct shape s = { 1, 1, 1, 1, 1, t, "" };
	const char *name = strrchr(path, '/');
	int cores;

	memset(t, 0, sizeof(*t));
	snprintf(t->name, sizeof(t->name), "%s", name ? name + 1 : path);
	t->name[strcspn(t->name, ".")] = 0;
	each_line(path, 0, topology_line, &s);
	t->sockets = s.sockets;
	t->llcs = s.sockets * s.llcs;
	t->cores = t->llcs * s.cores;
	t->threads = s.threads;
	t->nodes = s.nodes;
	t->cpus = t->cores * t->threads;
	if (t->cpus > SIM_MAX_CPUS || t->nodes > SIM_MAX_NODES)
		die("%s: %d CPUs on %d nodes; at most %d on %d", path, t->cpus,
		    t->nodes, SIM_MAX_CPUS, SIM_MAX_NODES);
	if (t->cores % t->nodes)
		die("%s: %d cores do not spread over %d nodes", path, t->cores, t->nodes);
	cores = t->cores;
	for (int cpu = 0; cpu < t->cpus; cpu++) {
		int core = cpu % cores;

		t->core[cpu] = core;
		t->llc[cpu] = core / s.cores;
		t->node[cpu] = core / (cores / t->nodes);
	}
	fill_distance(path, &s);
}

struct cost_key {
	const char *key;
	unsigned long long *value;
	int count;
	int seen;
};

#define COST_KEYS(c) {							\
	{ "switch_ns", &(c)->switch_ns, 1, 0 },				\
	{ "irq_ns", &(c)->irq_ns, 1, 0 },				\
	{ "tick_ns", &(c)->tick_ns, 1, 0 },				\
	{ "ipi_send_ns", &(c)->ipi_send_ns, 1, 0 },			\
	{ "ipi_ns", (c)->ipi_ns, SIM_DISTANCES, 0 },			\
	{ "ipi_handle_ns", &(c)->ipi_handle_ns, 1, 0 },			\
	{ "poll_ns", &(c)->poll_ns, 1, 0 },				\
	{ "lock_ns", (c)->lock_ns, SIM_DISTANCES, 0 },			\
	{ "balance_ns", (c)->balance_ns, SIM_DISTANCES, 0 },		\
	{ "refill_ns", (c)->refill_ns, SIM_DISTANCES, 0 },		\
	{ "idle_exit_percent", &(c)->exit_percent, 1, 0 },		\
	{ "fork_ns", &(c)->fork_ns, 1, 0 },				\
	{ NULL, NULL, 0, 0 } }

static void cost_line(struct line *l, void *arg)
{
	struct cost_key *k = arg;
	char *p = l->value;

	while (k->key && strcmp(k->key, l->key))
		k++;
	if (!k->key)
		die("%s:%d: no cost is called %s", l->path, l->number, l->key);
	for (int i = 0; i < k->count; i++)
		k->value[i] = number(l, p, &p);
	if (*trim(p))
		die("%s:%d: %s takes %d number%s", l->path, l->number, l->key,
		    k->count, k->count > 1 ? "s: self smt llc node remote" : "");
	k->seen = 1;
}

void read_costs(const char *path, struct sim_costs *c)
{
	struct cost_key keys[] = COST_KEYS(c);

	memset(c, 0, sizeof(*c));
	each_line(path, 1, cost_line, keys);
	for (struct cost_key *k = keys; k->key; k++)
		if (!k->seen)
			die("%s: %s is missing", path, k->key);
}

void scale_costs(struct sim_costs *c, double factor)
{
	struct cost_key keys[] = COST_KEYS(c);

	for (struct cost_key *k = keys; k->key; k++)
		for (int i = 0; i < k->count; i++)
			k->value[i] = k->value[i] * factor;
}
