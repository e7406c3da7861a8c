// SPDX-License-Identifier: GPL-2.0
/*
 * sched-sim: run one workload on one simulated machine.
 *
 * Comparisons over seeds are made by sched-sim-compare, which runs this
 * program. See Documentation/scheduler/sched-sim.rst.
 */
#define _GNU_SOURCE
#include <argp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "host.h"

const char *argp_program_version = "sched-sim for Linux " KERNEL_RELEASE;

static struct {
	const char *topo, *costs, *trace, *timeline;
	double cost_scale;
	int list, json, time;
} opt = { .topo = "2l4c", .cost_scale = 1 };

enum { OPT_COSTS = 256, OPT_SCALE, OPT_TRACE, OPT_WINDOW, OPT_STATE, OPT_TIMELINE,
	OPT_JITTER, OPT_WARMUP, OPT_APPEND, OPT_POLL, OPT_HALT, OPT_NOCHECK, OPT_TIME };

static const struct argp_option options[] = {
	{ "topo", 't', "NAME", 0, "topology: a name in schedfix/topologies, or a file (default 2l4c)", 0 },
	{ "costs", OPT_COSTS, "FILE", 0, "cost file, or \"zero\" (default: the topology's in costs/)", 0 },
	{ "cost-scale", OPT_SCALE, "X", 0, "multiply all costs", 0 },
	{ "features", 'f', "LIST", 0, "feature bits, e.g. NO_DELAY_DEQUEUE,PLACE_LAG", 0 },
	{ "seed", 's', "N", 0, "of start jitter and work (default 1)", 0 },
	{ "seconds", 'd', "S", 0, "simulated time that is measured (default 1)", 0 },
	{ "warmup", OPT_WARMUP, "S", 0, "simulated time before that (default 0.5)", 0 },
	{ "jitter", OPT_JITTER, "US", 0, "tasks start within so many us (default 10000)", 0 },
	{ "append", OPT_APPEND, "ARGS", 0, "kernel command line (default skew_tick=1)", 0 },
	{ "poll", OPT_POLL, NULL, 0, "idle CPUs poll need_resched, as with MWAIT (default)", 0 },
	{ "halt", OPT_HALT, NULL, 0, "idle CPUs halt, as with HLT: every wakeup is an IPI", 0 },
	{ "json", 'j', NULL, 0, "one line of JSON instead of text", 0 },
	{ "time", OPT_TIME, NULL, 0, "also CPU time, speed and memory", 0 },
	{ "trace", OPT_TRACE, "FILE", 0, "write decisions, one a line", 0 },
	{ "window", OPT_WINDOW, "FROM:TO", 0, "which decisions (default all)", 0 },
	{ "state-at", OPT_STATE, "N", 0, "print the run queues before decision N (a switch: as just picked)", 0 },
	{ "timeline", OPT_TIMELINE, "FILE", 0, "who ran where, for ui.perfetto.dev", 0 },
	{ "no-check", OPT_NOCHECK, NULL, 0, "do not check invariants", 0 },
	{ "list", 'l', NULL, 0, "list workloads and feature bits", 0 },
	{ "verbose", 'v', NULL, 0, "kernel messages; a line per task", 0 },
	{ 0 }
};

static double real(struct argp_state *state, const char *arg)
{
	char *end;
	double v = strtod(arg, &end);

	if (end == arg || *end || v < 0)
		argp_error(state, "%s: not a number", arg);
	return v;
}

static void copy(struct argp_state *state, char *to, size_t size, const char *from)
{
	if (snprintf(to, size, "%s", from) >= (int)size)
		argp_error(state, "%s: too long", from);
}

static void positional(struct argp_state *state, const char *arg)
{
	struct sim_config *c = &k_sim_config;
	const char *eq = strchr(arg, '=');
	struct sim_param *p = &c->params[c->nr_params];

	if (!eq) {
		if (*c->workload)
			argp_error(state, "%s: one workload at a time", arg);
		copy(state, c->workload, sizeof(c->workload), arg);
		return;
	}
	if (c->nr_params == SIM_MAX_PARAMS)
		argp_error(state, "too many parameters");
	copy(state, p->name, sizeof(p->name), arg);
	p->name[strcspn(p->name, "=")] = 0;
	copy(state, p->value, sizeof(p->value), eq + 1);
	c->nr_params++;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct sim_config *c = &k_sim_config;

	switch (key) {
	case 't': opt.topo = arg; break;
	case OPT_COSTS: opt.costs = arg; break;
	case OPT_SCALE: opt.cost_scale = real(state, arg); break;
	case 'f': copy(state, c->features, sizeof(c->features), arg); break;
	case 's': c->seed = real(state, arg); break;
	case 'd': c->run_ns = real(state, arg) * 1e9; break;
	case OPT_WARMUP: c->warmup_ns = real(state, arg) * 1e9; break;
	case OPT_JITTER: c->jitter_ns = real(state, arg) * 1e3; break;
	case OPT_APPEND: copy(state, c->append, sizeof(c->append), arg); break;
	case OPT_POLL: c->poll_idle = 1; break;
	case OPT_HALT: c->poll_idle = 0; break;
	case 'j': opt.json = 1; break;
	case OPT_TIME: opt.time = 1; break;
	case OPT_TRACE:
		opt.trace = arg;
		if (!c->trace_to)
			c->trace_to = ~0ULL;
		break;
	case OPT_WINDOW:
		if (sscanf(arg, "%llu:%llu", &c->trace_from, &c->trace_to) != 2)
			argp_error(state, "%s: want FROM:TO", arg);
		break;
	case OPT_STATE: c->state_at = real(state, arg); break;
	case OPT_TIMELINE: opt.timeline = arg; c->timeline = 1; break;
	case OPT_NOCHECK: c->check = 0; break;
	case 'l': opt.list = 1; break;
	case 'v': c->verbose = 1; break;
	case ARGP_KEY_ARG: positional(state, arg); break;
	case ARGP_KEY_END:
		if (!opt.list && !*c->workload)
			argp_error(state, "which workload? (--list)");
		break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const char *find(const char *name, const char *dir, const char *suffix)
{
	char *path;

	if (strchr(name, '/') || access(name, R_OK) == 0)
		return name;
	if (asprintf(&path, "%s/%s%s", dir, name, suffix) < 0)
		die("out of memory");
	if (access(path, R_OK))
		die("%s: no such file, and no %s; see --help", name, path);
	return path;
}

static void read_files(void)
{
	struct sim_config *c = &k_sim_config;
	const char *path = find(opt.topo, TOPOLOGY_DIR, ".topo");

	read_topology(path, &c->topo);
	if (opt.costs && !strcmp(opt.costs, "zero"))
		return;
	read_costs(find(opt.costs ? opt.costs : c->topo.name, COST_DIR, ".cost"),
		   &c->costs);
	scale_costs(&c->costs, opt.cost_scale);
}

static void list(void)
{
	const char *name, *about;
	int on;

	printf("workloads:\n");
	for (int i = 0; (name = k_sim_workload_at(i, &about)); i++)
		printf("  %-12s %s\n", name, about);
	printf("feature bits of this kernel:\n");
	for (int i = 0; k_sim_list_features(i, &name, &on); i++)
		printf("  %s%s\n", on ? "" : "NO_", name);
}

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

#define SAMPLE_NS	997000ULL	/* a prime number of us: no beat with ticks */

static void run_for(unsigned long long ns)
{
	unsigned long long end = k_sim_now + ns;

	while (k_sim_now < end) {
		unsigned long long next = k_sim_now + SAMPLE_NS;

		k_sim_run(next < end ? next : end);
		k_sim_invariants_sample();
	}
}

int main(int argc, char **argv)
{
	static const struct argp argp = {
		options, parse, "WORKLOAD [NAME=VALUE...]",
		"Run the kernel's scheduler on a simulated machine.", NULL, NULL, NULL
	};
	struct sim_config *c = &k_sim_config;
	double seconds;

	*c = (struct sim_config){
		.seed = 1, .run_ns = 1000000000, .warmup_ns = 500000000,
		.jitter_ns = 10000000, .poll_idle = 1, .check = 1,
		.append = "skew_tick=1", .state_at = ~0ULL,
	};
	argp_err_exit_status = 2;
	argp_parse(&argp, argc, argv, 0, NULL, NULL);
	if (opt.list) {
		list();
		return 0;
	}
	read_files();
	runtime_init();
	runtime_open(opt.trace, opt.timeline);
	k_sim_boot();
	run_for(c->warmup_ns);
	k_sim_reset_results();
	seconds = cpu_seconds();
	run_for(c->run_ns);
	seconds = cpu_seconds() - seconds;
	k_sim_finish();
	if (opt.json)
		print_json(stdout, opt.time ? seconds : -1);
	else
		print_text(stdout, opt.time ? seconds : -1);
	runtime_close();
	fflush(stdout);
	return k_sim_results.warnings || k_sim_results.violations ? 1 : 0;
}
