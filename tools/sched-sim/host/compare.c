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
#include <jansson.h>
#include <libgen.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_ARGS	128
#define CHECKPOINT	1024	/* as in include/sim.h */

static struct {
	const char *arm[2], *metrics, *samples, *run;
	int seeds, jobs, first, verbose;
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

/*
 * An arm is text: a tree or a program ("base", "src", a path), then arguments
 * of sched-sim. Both parts may be missing.
 */
static int arm_argv(const char *arm, char **argv)
{
	char *text = strdup(arm), *word, *save = NULL;
	char *path = NULL;
	int n = 1;

	for (word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		if (n == 1 && !path && *word != '-' && !strchr(word, '=')) {
			if (strchr(word, '/'))
				path = word;
			else if (asprintf(&path, "%s/../sim-%s/sched-sim", bin_dir, word) < 0)
				die("out of memory");
			continue;
		}
		if (n == MAX_ARGS / 2)
			die("arm \"%s\" is too long", arm);
		argv[n++] = word;
	}
	if (!path && asprintf(&path, "%s/sched-sim", bin_dir) < 0)
		die("out of memory");
	argv[0] = path;
	return n;
}

struct job {
	pid_t pid;
	FILE *out;
	char *command;
};

static void add(char **argv, int *n, const char *arg)
{
	if (*n >= MAX_ARGS - 1)
		die("too many arguments");
	argv[(*n)++] = strdup(arg);
	argv[*n] = NULL;
}

/* Start sched-sim for an arm; @more are further arguments, up to NULL. */
static struct job start(int arm, int seed, const char * const *more)
{
	struct job job = { .out = tmpfile() };
	char *argv[MAX_ARGS], number[32];
	int n = arm_argv(opt.arm[arm], argv);
	size_t len = 0;
	FILE *f;

	for (int i = 0; i < opt.nr_rest; i++)
		add(argv, &n, opt.rest[i]);
	snprintf(number, sizeof(number), "--seed=%d", seed);
	add(argv, &n, number);
	for (; more && *more; more++)
		add(argv, &n, *more);
	argv[n] = NULL;
	f = open_memstream(&job.command, &len);
	for (int i = 0; i < n; i++)
		fprintf(f, "%s%s", i ? " " : "", argv[i]);
	fclose(f);
	if (!job.out)
		die("cannot make a temporary file");
	job.pid = fork();
	if (job.pid < 0)
		die("cannot fork");
	if (!job.pid) {
		dup2(fileno(job.out), 1);
		execv(argv[0], argv);
		fprintf(stderr, "sched-sim-compare: %s: cannot be run; build it with schedfix/scripts/sim.sh\n", argv[0]);
		_exit(127);
	}
	return job;
}

static void finish(struct job *job)
{
	int status;

	if (waitpid(job->pid, &status, 0) < 0)
		die("lost a child");
	rewind(job->out);
	/* 1: warnings or violations; the figures are there all the same. */
	if (!WIFEXITED(status) || WEXITSTATUS(status) > 1)
		die("failed: %s", job->command);
	if (WEXITSTATUS(status))
		fprintf(stderr, "sched-sim-compare: warnings or violations in: %s\n", job->command);
}

static json_t **results[2];

static void run_all(void)
{
	static const char * const json[] = { "--json", NULL };
	int total = 2 * opt.seeds, started = 0, done = 0;
	struct job *jobs = calloc(total, sizeof(*jobs));

	for (int a = 0; a < 2; a++)
		results[a] = calloc(opt.seeds, sizeof(*results[a]));
	while (done < total) {
		while (started < total && started - done < opt.jobs) {
			jobs[started] = start(started % 2, started / 2 + 1, json);
			started++;
		}
		finish(&jobs[done]);
		results[done % 2][done / 2] = json_loadf(jobs[done].out, 0, NULL);
		if (!results[done % 2][done / 2])
			die("no result from: %s", jobs[done].command);
		fclose(jobs[done].out);
		done++;
	}
	free(jobs);
}

static double value(int arm, int seed, const char *metric)
{
	json_t *m = json_object_get(json_object_get(results[arm][seed], "metrics"), metric);

	if (!json_is_number(m))
		die("there is no metric %s", metric);
	return json_number_value(m);
}

/* Two-sided 95 % quantile of Student's t. */
static double t95(int df)
{
	static const double table[] = { 0, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447,
		2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
		2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
		2.052, 2.048, 2.045, 2.042 };

	return df <= 30 ? table[df] : 1.96 + 2.4 / df;
}

static void print_metric(const char *metric)
{
	double sum[2] = { 0 }, sq[2] = { 0 }, d = 0, dd = 0, mean[2], sd[2], half;
	int n = opt.seeds, up = 0, down = 0;

	for (int s = 0; s < n; s++) {
		double v[2] = { value(0, s, metric), value(1, s, metric) };

		for (int a = 0; a < 2; a++) {
			sum[a] += v[a];
			sq[a] += v[a] * v[a];
		}
		d += v[1] - v[0];
		dd += (v[1] - v[0]) * (v[1] - v[0]);
		up += v[1] > v[0];
		down += v[1] < v[0];
	}
	for (int a = 0; a < 2; a++) {
		mean[a] = sum[a] / n;
		sd[a] = n > 1 ? sqrt(fmax(0, (sq[a] - sum[a] * mean[a]) / (n - 1))) : 0;
	}
	d /= n;
	half = n > 1 ? t95(n - 1) * sqrt(fmax(0, (dd - n * d * d) / (n - 1)) / n) : 0;
	printf("%-18s %14.3f %10.3f %14.3f %10.3f", metric, mean[0], sd[0], mean[1], sd[1]);
	if (mean[0])
		printf(" %+8.2f%% [%+.2f, %+.2f]", 100 * d / mean[0],
		       100 * (d - half) / mean[0], 100 * (d + half) / mean[0]);
	else
		printf(" %+8.3f  [%+.3f, %+.3f]", d, d - half, d + half);
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
				json_t *o = json_pack("{s:s,s:O,s:O,s:s,s:i,s:s,s:s,s:O,s:s,s:s}",
					"run", opt.run,
					"workload", json_object_get(r, "workload"),
					"topo", json_object_get(r, "topo"),
					"arm", opt.arm[a], "rep", s + 1, "metric", key,
					"unit", "", "value", m,
					"kernel", json_string_value(json_object_get(r, "kernel")),
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
	for (int s = 0; s < opt.seeds; s++)
		same += !strcmp(json_string_value(json_object_get(results[0][s], "hash")),
				json_string_value(json_object_get(results[1][s], "hash")));
	printf("decisions are the same in %d of %d seeds\n", same, opt.seeds);
	if (opt.samples)
		write_samples();
}

/* The number of the first block of decisions whose hash differs, or -1. */
static long first_block(char paths[2][64])
{
	unsigned long long h[2];
	FILE *f[2];
	long block = 0;
	size_t n[2];

	for (int a = 0; a < 2; a++) {
		f[a] = fopen(paths[a], "r");
		if (!f[a])
			die("%s: cannot be read", paths[a]);
	}
	for (;; block++) {
		for (int a = 0; a < 2; a++)
			n[a] = fread(&h[a], sizeof(h[a]), 1, f[a]);
		if (!n[0] || !n[1] || h[0] != h[1])
			break;
	}
	for (int a = 0; a < 2; a++)
		fclose(f[a]);
	/* Both ended: the difference, if there is one, is behind the last one. */
	return block;
}

static void run_both(int seed, const char *option, char values[2][64], const char *window)
{
	for (int a = 0; a < 2; a++) {
		char text[128];
		const char *more[] = { "--no-check", text, window, NULL };
		struct job job;

		snprintf(text, sizeof(text), "%s%s", option, values[a]);
		job = start(a, seed, more);
		finish(&job);
		fclose(job.out);
	}
}

static void show_state(int seed, unsigned long long n)
{
	char text[64];
	const char *more[] = { "--no-check", text, NULL };

	snprintf(text, sizeof(text), "--state-at=%llu", n);
	for (int a = 0; a < 2; a++) {
		struct job job;

		printf("state behind decision %llu in %c:\n", n, 'A' + a);
		fflush(stdout);
		dup2(1, 2);	/* sched-sim prints the state to stderr */
		job = start(a, seed, more);
		finish(&job);
		fclose(job.out);
	}
}

static void first_difference(int seed)
{
	char paths[2][64], line[2][256] = { "", "" }, before[5][256] = { 0 };
	char window[64];
	FILE *f[2];
	long block, n = 0;

	for (int a = 0; a < 2; a++)
		snprintf(paths[a], sizeof(paths[a]), "/tmp/sched-sim-%d-%c", getpid(), 'a' + a);
	run_both(seed, "--checkpoints=", paths, NULL);
	block = first_block(paths);
	/* The n-th checkpoint covers decisions up to n * CHECKPOINT inclusive. */
	snprintf(window, sizeof(window), "--window=%ld:%ld",
		 block ? (block - 1) * CHECKPOINT + 1 : 0, block * CHECKPOINT + CHECKPOINT);
	run_both(seed, "--trace=", paths, window);
	for (int a = 0; a < 2; a++)
		f[a] = fopen(paths[a], "r");
	for (;; n++) {
		char *got[2];

		for (int a = 0; a < 2; a++)
			got[a] = fgets(line[a], sizeof(line[a]), f[a]);
		if (!got[0] && !got[1]) {
			printf("seed %d: no decision differs\n", seed);
			goto out;
		}
		if (!got[0] || !got[1] || strcmp(line[0], line[1]))
			break;
		strcpy(before[n % 5], line[0]);
	}
	printf("A: %s\nB: %s\nseed %d, first decision that differs:\n", opt.arm[0], opt.arm[1], seed);
	for (long i = n < 5 ? 0 : n - 5; i < n; i++)
		printf("    %s", before[i % 5]);
	printf("  A %s  B %s", line[0], line[1]);
	show_state(seed, strtoull(line[0], NULL, 10));
out:
	for (int a = 0; a < 2; a++) {
		fclose(f[a]);
		unlink(paths[a]);
	}
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
