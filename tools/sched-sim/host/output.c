// SPDX-License-Identifier: GPL-2.0
/*
 * The results of a run as text and as JSON, from the same numbers.
 */
#include <jansson.h>
#include <sys/resource.h>
#include "host.h"

static const char * const distance_names[SIM_DISTANCES] = {
	"self", "smt", "llc", "node", "remote"
};

static double quantile(const struct sim_histogram *h, double q)
{
	unsigned long long want = h->count * q, seen = 0;

	if (!h->count)
		return 0;
	for (int i = 0; i < SIM_HIST_BUCKETS; i++) {
		seen += h->bucket[i];
		if (seen > want || seen == h->count) {
			/* middle of the bucket; see sim_hist_add() */
			int shift = i < 2 * SIM_HIST_SUB ? 0 : i / SIM_HIST_SUB - 1;
			double low = (double)(i - shift * SIM_HIST_SUB) * (1ULL << shift);
			double middle = low + (shift ? (1ULL << shift) / 2.0 : 0);

			return middle < h->max ? middle : h->max;
		}
	}
	return h->max;
}

/* One list of figures, so that text and JSON cannot differ. */
struct figure {
	const char *name, *unit;
	double value;
	int whole;
};

static int figures(struct figure *f, double cpu)
{
	const struct sim_results *r = &k_sim_results;
	double seconds = k_sim_config.run_ns / 1e9;
	double cpu_ns = k_sim_config.run_ns * (double)k_sim_config.topo.cpus;
	struct rusage usage;
	int n = 0;

#define ADD(n_, u_, v_, w_) f[n++] = (struct figure){ n_, u_, v_, w_ }
#define WHOLE(n_, v_)	ADD(n_, "", v_, 1)
	WHOLE("ops", r->ops);
	ADD("throughput", "ops/s", r->ops / seconds, 0);
#define WAITS(p_, h_)							\
	WHOLE(p_ "_count", (h_)->count);				\
	ADD(p_ "_mean", "us", (h_)->count ? (h_)->sum / 1e3 / (h_)->count : 0, 0); \
	ADD(p_ "_p50", "us", quantile(h_, 0.50) / 1e3, 0);		\
	ADD(p_ "_p95", "us", quantile(h_, 0.95) / 1e3, 0);		\
	ADD(p_ "_p99", "us", quantile(h_, 0.99) / 1e3, 0);		\
	ADD(p_ "_max", "us", (h_)->max / 1e3, 0)
	WAITS("wakeup_wait", &r->wakeup);
	WAITS("latency", &r->latency);
	WHOLE("switches", r->switches);
	WHOLE("preemptions", r->preemptions);
	WHOLE("wakeups", r->wakeups);
	WHOLE("migrations", r->migrations);
	WHOLE("ipi_resched", r->ipi_resched);
	WHOLE("ipi_call", r->ipi_call);
	WHOLE("ipi_avoided_polling", r->ipi_avoided);
	WHOLE("wakelist", r->wakelist);
	WHOLE("remote_locks", r->remote_locks);
	WHOLE("ticks", r->ticks);
	WHOLE("irqs", r->irqs);
	WHOLE("delayed_dequeues", r->delayed);
	WHOLE("delayed_requeues", r->requeued);
	ADD("utilisation", "%", 100 * (1 - r->idle_ns / cpu_ns), 0);
	ADD("run_delay", "ms", r->run_delay_ns / 1e6, 0);
	ADD("idle_while_waiting", "% of samples",
	    r->samples ? 100.0 * r->samples_waiting / r->samples : 0, 0);
	ADD("fairness_max_over_min", "", r->fairness_ppm / 1e6, 0);
	WHOLE("decisions", r->decisions);
	WHOLE("events", r->events);
	WHOLE("warnings", r->warnings);
	WHOLE("violations", r->violations);
	if (cpu >= 0) {
		getrusage(RUSAGE_SELF, &usage);
		ADD("memory", "MB", usage.ru_maxrss / 1024.0, 0);
		ADD("cpu_seconds", "s", cpu, 0);
		ADD("speed", "switches+wakeups per CPU s",
		    cpu > 0 ? (r->switches + r->wakeups) / cpu : 0, 0);
	}
	return n;
}

static void by_distance(FILE *f, const char *what, const unsigned long long *v)
{
	fprintf(f, "%-24s", what);
	for (int d = 0; d < SIM_DISTANCES; d++)
		fprintf(f, " %s %llu", distance_names[d], v[d]);
	fputc('\n', f);
}

static void print_tasks(FILE *f)
{
	struct sim_task_info t;

	fprintf(f, "%-16s %6s %4s %4s %12s %12s %10s %8s %9s %9s\n", "task", "pid", "cpu",
		"nice", "run_us", "delay_us", "ops", "migr", "vol", "invol");
	for (int i = 0; k_sim_task_info(i, &t); i++)
		fprintf(f, "%-16s %6d %4d %4d %12llu %12llu %10llu %8llu %9llu %9llu\n",
			t.comm, t.pid, t.cpu, t.nice, t.runtime_ns / 1000,
			t.run_delay_ns / 1000, t.ops, t.migrations, t.voluntary,
			t.involuntary);
}

void print_text(FILE *f, double cpu)
{
	const struct sim_config *c = &k_sim_config;
	const struct sim_results *r = &k_sim_results;
	struct figure list[64];
	int n = figures(list, cpu);

	fprintf(f, "%s on %s, %d CPUs, seed %llu, %g s after %g s of start-up, idle CPUs %s\n",
		c->workload, c->topo.name, c->topo.cpus, c->seed, c->run_ns / 1e9,
		c->warmup_ns / 1e9, c->poll_idle ? "poll (MWAIT)" : "halt (HLT)");
	for (int i = 0; i < n; i++) {
		if (list[i].whole)
			fprintf(f, "%-24s %.0f\n", list[i].name, list[i].value);
		else
			fprintf(f, "%-24s %.3f %s\n", list[i].name, list[i].value, list[i].unit);
	}
	by_distance(f, "placed_from_prev", r->place_prev);
	by_distance(f, "placed_from_waker", r->place_waker);
	by_distance(f, "migrated", r->moves);
	fprintf(f, "%-24s %016llx\n", "hash", r->hash);
	if (c->verbose)
		print_tasks(f);
}

static json_t *distance_object(const unsigned long long *v)
{
	json_t *o = json_object();

	for (int d = 0; d < SIM_DISTANCES; d++)
		json_object_set_new(o, distance_names[d], json_integer(v[d]));
	return o;
}

void print_json(FILE *f, double cpu)
{
	const struct sim_config *c = &k_sim_config;
	const struct sim_results *r = &k_sim_results;
	json_t *o = json_object(), *m = json_object(), *p = json_object();
	struct figure list[64];
	int n = figures(list, cpu);
	char hash[20];

	for (int i = 0; i < c->nr_params; i++)
		json_object_set_new(p, c->params[i].name, json_string(c->params[i].value));
	for (int i = 0; i < n; i++)
		json_object_set_new(m, list[i].name, list[i].whole ?
				    json_integer(list[i].value) : json_real(list[i].value));
	snprintf(hash, sizeof(hash), "%016llx", r->hash);
	json_object_set_new(o, "workload", json_string(c->workload));
	json_object_set_new(o, "params", p);
	json_object_set_new(o, "topo", json_string(c->topo.name));
	json_object_set_new(o, "cpus", json_integer(c->topo.cpus));
	json_object_set_new(o, "engine", json_string("sim"));
	json_object_set_new(o, "kernel", json_string(KERNEL_RELEASE));
	json_object_set_new(o, "arm", json_string(c->features));
	json_object_set_new(o, "seed", json_integer(c->seed));
	json_object_set_new(o, "metrics", m);
	json_object_set_new(o, "placed_from_prev", distance_object(r->place_prev));
	json_object_set_new(o, "placed_from_waker", distance_object(r->place_waker));
	json_object_set_new(o, "migrated", distance_object(r->moves));
	json_object_set_new(o, "hash", json_string(hash));
	json_dumpf(o, f, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(9));
	fputc('\n', f);
	json_decref(o);
}
