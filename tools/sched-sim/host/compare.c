// SPDX-License-Identifier: GPL-2.0
/*
 * sched-sim-compare: two arms of a simulation over many seeds.
 *
 * Each run is a process of sched-sim, so that arms may be different kernels
 * and seeds run in parallel. Seeds are paired: the same seed has the same
 * start jitter and the same work in both arms.
 */
#define _GNU_SOURCE
#include <argp.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics.h>
#include <jansson.h>
#include <libgen.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct {
	const char *arm[2], *metrics, *samples, *run;
	int seeds, jobs, first;
	char **rest;
	int nr_rest;
} opt = {
	.arm = { "src", "src" }, .seeds = 8, .run = "sim",
	.metrics = "throughput,latency_mean,latency_p50,latency_p99,wakeup_wait_mean,wakeup_wait_p99,switches,preemptions,migrations,ipi_resched,ipi_call,utilisation,run_delay",
};

static char bin_dir[4096];

static void die(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));
static void die(const char *fmt, ...)
{
	va_list args;

	fprintf(stderr, "sched-sim-compare: ");
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	exit(2);
}

static void quoted(FILE *f, const char *word)
{
	fputs(" '", f);
	for (; *word; word++)
		if (*word == '\'')
			fputs("'\\''", f);
		else
			fputc(*word, f);
	fputc('\'', f);
}

/*
 * The shell command of a run. An arm is a tree or a program ("base", "src", a
 * path), then arguments of sched-sim; either may be missing.
 */
static char *command(int arm, int seed, const char *more)
{
	const char *text = opt.arm[arm] + strspn(opt.arm[arm], " ");
	int n = strcspn(text, " ");
	char program[sizeof(bin_dir) + 256], *line;
	size_t len;
	FILE *f = open_memstream(&line, &len);

	if (!n || *text == '-' || memchr(text, '=', n)) {
		snprintf(program, sizeof(program), "%s/sched-sim", bin_dir);
		n = 0;
	} else if (memchr(text, '/', n)) {
		snprintf(program, sizeof(program), "%.*s", n, text);
	} else {
		snprintf(program, sizeof(program), "%s/../sim-%.*s/sched-sim",
			 bin_dir, n, text);
	}
	if (access(program, X_OK))
		die("%s: no such program; build it with schedfix/scripts/sim.sh", program);
	fputs("exec", f);
	quoted(f, program);
	fprintf(f, " %s", text + n);
	for (int i = 0; i < opt.nr_rest; i++)
		quoted(f, opt.rest[i]);
	fprintf(f, " --seed=%d %s", seed, more);
	fclose(f);
	return line;
}

/* A run whose output can be read. */
static FILE *start(int arm, int seed, const char *more)
{
	char *line = command(arm, seed, more);
	FILE *f = popen(line, "r");

	if (!f)
		die("cannot run: %s", line);
	free(line);
	return f;
}

static json_t **results[2];

/* One result; 1 says warnings or violations, the figures are there all the same. */
static json_t *finish(FILE *f, int arm, int seed)
{
	json_t *result = json_loadf(f, JSON_DISABLE_EOF_CHECK, NULL);
	int status = pclose(f);

	if (!result || !WIFEXITED(status) || WEXITSTATUS(status) > 1)
		die("failed: %s", command(arm, seed, "--json"));
	if (WEXITSTATUS(status))
		fprintf(stderr, "sched-sim-compare: warnings or violations in: %s\n",
			command(arm, seed, "--json"));
	return result;
}

/* Run number i is of arm i % 2 and seed i / 2 + 1; opt.jobs of them at a time. */
static void run_all(void)
{
	int total = 2 * opt.seeds, started = 0;
	FILE **runs = calloc(total, sizeof(*runs));

	for (int a = 0; a < 2; a++)
		results[a] = calloc(opt.seeds, sizeof(*results[a]));
	for (int i = 0; i < total; i++) {
		for (; started < total && started - i < opt.jobs; started++)
			runs[started] = start(started % 2, started / 2 + 1, "--json");
		results[i % 2][i / 2] = finish(runs[i], i % 2, i / 2 + 1);
	}
	free(runs);
}

static double value(int arm, int seed, const char *metric)
{
	json_t *m = json_object_get(json_object_get(results[arm][seed], "metrics"), metric);

	if (!json_is_number(m))
		die("there is no metric %s", metric);
	return json_number_value(m);
}

static void print_metric(const char *metric)
{
	int n = opt.seeds, up = 0, down = 0;
	double v[2][n], d[n], mean[2], diff, half = 0, sd[2] = { 0 };

	for (int s = 0; s < n; s++) {
		for (int a = 0; a < 2; a++)
			v[a][s] = value(a, s, metric);
		d[s] = v[1][s] - v[0][s];
		up += d[s] > 0;
		down += d[s] < 0;
	}
	for (int a = 0; a < 2; a++) {
		mean[a] = gsl_stats_mean(v[a], 1, n);
		if (n > 1)
			sd[a] = gsl_stats_sd(v[a], 1, n);
	}
	diff = gsl_stats_mean(d, 1, n);
	if (n > 1)
		half = gsl_cdf_tdist_Pinv(0.975, n - 1) * gsl_stats_sd(d, 1, n) / sqrt(n);
	printf("%-18s %14.3f %10.3f %14.3f %10.3f", metric, mean[0], sd[0], mean[1], sd[1]);
	if (mean[0])
		printf(" %+8.2f%% [%+.2f, %+.2f]", 100 * diff / mean[0],
		       100 * (diff - half) / mean[0], 100 * (diff + half) / mean[0]);
	else
		printf(" %+8.3f  [%+.3f, %+.3f]", diff, diff - half, diff + half);
	printf(" %d+ %d-\n", up, down);
}

static void write_samples(void)
{
	FILE *f = fopen(opt.samples, "a");

	if (!f)
		die("%s: cannot be written", opt.samples);
	for (int s = 0; s < opt.seeds; s++)
		for (int a = 0; a < 2; a++) {
			json_t *r = results[a][s], *m;
			const char *key;

			json_object_foreach(json_object_get(r, "metrics"), key, m) {
				json_t *o = json_pack("{s:s,s:O,s:O,s:s,s:i,s:s,s:s,s:O,s:O,s:s}",
					"run", opt.run,
					"workload", json_object_get(r, "workload"),
					"topo", json_object_get(r, "topo"),
					"arm", opt.arm[a], "rep", s + 1, "metric", key,
					"unit", "", "value", m,
					"kernel", json_object_get(r, "kernel"),
					"engine", "sim");

				json_dumpf(o, f, JSON_COMPACT);
				fputc('\n', f);
				json_decref(o);
			}
		}
	fclose(f);
}

static void compare(void)
{
	char *list = strdup(opt.metrics), *save = NULL, *m;
	int same = 0;

	run_all();
	printf("A: %s\nB: %s\n%d seeds; difference of B against A with 95 %% interval (paired); seeds in which B is larger, smaller\n",
	       opt.arm[0], opt.arm[1], opt.seeds);
	printf("%-18s %14s %10s %14s %10s\n", "", "A mean", "sd", "B mean", "sd");
	for (m = strtok_r(list, ",", &save); m; m = strtok_r(NULL, ",", &save))
		print_metric(m);
	free(list);
	for (int s = 0; s < opt.seeds; s++)
		same += json_equal(json_object_get(results[0][s], "hash"),
				   json_object_get(results[1][s], "hash"));
	printf("decisions are the same in %d of %d seeds\n", same, opt.seeds);
	if (opt.samples)
		write_samples();
	for (int a = 0; a < 2; a++) {
		for (int s = 0; s < opt.seeds; s++)
			json_decref(results[a][s]);
		free(results[a]);
	}
}

static void show_state(int arm, int seed, const char *decision)
{
	char more[128], line[512];
	FILE *f;

	printf("\nstate before that decision (of a switch: as just picked) in %c:\n",
	       'A' + arm);
	snprintf(more, sizeof(more), "--no-check --state-at=%llu 2>&1 >/dev/null",
		 strtoull(decision, NULL, 10));
	f = start(arm, seed, more);
	while (fgets(line, sizeof(line), f))
		fputs(line, stdout);
	pclose(f);
}

#define BEFORE	5	/* decisions to show that are still the same */

/* Both arms write their decisions into pipes, which are read side by side. */
static void first_difference(int seed)
{
	static const char traced[] = "--no-check --trace=/dev/fd/3 3>&1 >/dev/null";
	char line[2][256], before[BEFORE][256];
	FILE *f[2];
	long n = 0;

	for (int a = 0; a < 2; a++)
		f[a] = start(a, seed, traced);
	for (;; n++) {
		for (int a = 0; a < 2; a++)
			if (!fgets(line[a], sizeof(line[a]), f[a]))
				strcpy(line[a], "(the run ended)\n");
		if (strcmp(line[0], line[1]) || *line[0] == '(')
			break;
		strcpy(before[n % BEFORE], line[0]);
	}
	for (int a = 0; a < 2; a++)
		pclose(f[a]);	/* it ends by SIGPIPE */
	printf("A: %s\nB: %s\n", opt.arm[0], opt.arm[1]);
	if (!n)
		die("no decision; failed: %s", command(0, seed, traced));
	if (!strcmp(line[0], line[1])) {
		printf("seed %d: all %ld decisions are the same\n", seed, n);
		return;
	}
	printf("seed %d, decisions up to the first that differs:\n", seed);
	for (long i = n < BEFORE ? 0 : n - BEFORE; i < n; i++)
		printf("    %s", before[i % BEFORE]);
	printf("  A %s  B %s", line[0], line[1]);
	for (int a = 0; a < 2; a++)
		show_state(a, seed, line[a]);
}

static const struct argp_option options[] = {
	{ "a", 'a', "ARM", 0, "tree or program, then arguments of sched-sim (default \"src\")", 0 },
	{ "b", 'b', "ARM", 0, "the same for B, e.g. \"src -f NO_DELAY_LAG\"", 0 },
	{ "seeds", 'n', "N", 0, "seeds 1 to N (default 8)", 0 },
	{ "jobs", 'j', "N", 0, "runs at a time (default: CPUs)", 0 },
	{ "metrics", 'm', "LIST", 0, "which figures", 0 },
	{ "samples", 'o', "FILE", 0, "append a line of JSON per sample", 0 },
	{ "run", 'r', "NAME", 0, "\"run\" in those lines", 0 },
	{ "first-difference", 'f', "SEED", 0, "show the first decision that differs, and both states", 0 },
	{ 0 }
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case 'a': opt.arm[0] = arg; break;
	case 'b': opt.arm[1] = arg; break;
	case 'n': opt.seeds = atoi(arg); break;
	case 'j': opt.jobs = atoi(arg); break;
	case 'm': opt.metrics = arg; break;
	case 'o': opt.samples = arg; break;
	case 'r': opt.run = arg; break;
	case 'f': opt.first = atoi(arg); break;
	case ARGP_KEY_ARGS:
		opt.rest = state->argv + state->next;
		opt.nr_rest = state->argc - state->next;
		break;
	case ARGP_KEY_NO_ARGS: argp_error(state, "which workload?"); break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

int main(int argc, char **argv)
{
	static const struct argp argp = { options, parse, "-- ARGUMENTS-OF-SCHED-SIM...",
		"Compare two arms of a simulation over seeds.", NULL, NULL, NULL };
	ssize_t n = readlink("/proc/self/exe", bin_dir, sizeof(bin_dir) - 1);

	if (n < 0)
		die("cannot tell where this program is");
	bin_dir[n] = 0;
	dirname(bin_dir);
	argp_err_exit_status = 2;
	argp_parse(&argp, argc, argv, 0, NULL, NULL);
	if (opt.seeds < 1)
		die("--seeds must be at least 1");
	if (opt.jobs < 1)
		opt.jobs = sysconf(_SC_NPROCESSORS_ONLN);
	if (opt.first)
		first_difference(opt.first);
	else
		compare();
	return 0;
}
