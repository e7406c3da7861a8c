// SPDX-License-Identifier: GPL-2.0
/*
 * Runs the twin of a simulator's workload on a real kernel and prints what
 * the kernel counted: twin WORKLOAD NAME=VALUE... -> one line of JSON.
 *
 * Counts come from /proc/PID/task/TID/sched, for the workload's tasks alone,
 * and from two probes; see Documentation/scheduler/sched-sim-trust.rst.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include "twin.h"

#define MAX_TASKS	256
#define TRACE		"/sys/kernel/tracing/"
#define GAP_NS		2000	/* something else had the CPU, perhaps */
#define START_NS	10000000 /* tasks start within it: the simulator's --jitter */

int nr_cpus;

static const struct twin {
	const char *name;
	void (*start)(void);
} twins[] = {
	{ "pipe", start_pipe }, { "context1", start_context1 }, { "hackbench", start_hackbench },
	{ "udp_rr", start_udp_rr }, { "futex", start_futex }, { "schbench", start_schbench },
	{ "nanosleep", start_nanosleep }, { "dmatest", start_dmatest }, { "fork", start_fork },
	{ "hogs", start_hogs }, { "mixed", start_mixed }, { NULL, NULL }
};

static struct task tasks[MAX_TASKS];
static int nr_tasks, nr_params;
static char **params;
static u64 spread, seed;
static pthread_barrier_t ready;

void die(const char *fmt, ...)
{
	va_list ap;

	fputs("twin: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	_exit(1);
}

void *zalloc(unsigned long size)
{
	void *p = calloc(1, size);

	if (!p)
		die("out of memory");
	return p;
}

static const char *find_param(const char *name)
{
	size_t n = strlen(name);

	for (int i = 0; i < nr_params; i++)
		if (!strncmp(params[i], name, n) && params[i][n] == '=')
			return params[i] + n + 1;
	return NULL;
}

u64 param(const char *name)
{
	const char *text = find_param(name);
	char *end;
	u64 value;

	if (!text)
		die("%s= is missing", name);
	value = strtoull(text, &end, 0);
	if (end == text || *end)
		die("%s=%s: not a number", name, text);
	return value;
}

int param_cpu(const char *name)
{
	return find_param(name) ? (int)param(name) : -1;
}

static u64 rng_next(u64 *state)
{
	u64 z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

u64 vary(struct task *t, u64 ns)
{
	u64 part = ns * spread / 100;

	return part ? ns - part + rng_next(&t->rng) % (2 * part + 1) : ns;
}

static u64 now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

static long preempted(void)
{
	struct rusage r;

	getrusage(RUSAGE_THREAD, &r);
	return r.ru_nivcsw;
}

/*
 * Not CLOCK_THREAD_CPUTIME_ID: each read of it takes the run queue's lock and
 * calls update_curr(), and slices would end at a read instead of a tick. The
 * time from one look at the clock to the next is left out if the task was
 * preempted in between.
 *
 * The pause hint lets an emulator that runs one CPU at a time go to the next.
 */
void work(struct task *t, u64 ns)
{
	u64 last = now(), done = t->debt_ns;
	long before = preempted();

	while (done < ns) {
		u64 gap, time;

		for (int i = 0; i < 100; i++)
			asm volatile("");
		if (nr_cpus > 1)
			asm volatile("pause");
		time = now();
		gap = time - last;
		last = time;
		if (gap > GAP_NS) {
			long after = preempted();

			if (after != before)
				gap = 0;
			before = after;
		}
		done += gap;
	}
	t->debt_ns = done - ns;
}

struct task *spawn(const char *comm, void (*fn)(struct task *, void *), void *arg)
{
	struct task *t = &tasks[nr_tasks];

	if (nr_tasks++ == MAX_TASKS)
		die("more than %d tasks", MAX_TASKS);
	snprintf(t->comm, sizeof(t->comm), "%s", comm);
	t->fn = fn;
	t->arg = arg;
	t->cpu = -1;
	t->rng = seed * 1000003 + nr_tasks;
	return t;
}

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		die("%s: cannot write '%s': %s", path, text, strerror(errno));
	close(fd);
}

static void sleep_ns(u64 ns)
{
	struct timespec ts = { ns / 1000000000, ns % 1000000000 };

	clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL);
}

static void *task_main(void *arg)
{
	struct task *t = arg;
	char path[128];
	cpu_set_t set;

	t->tid = gettid();
	prctl(PR_SET_NAME, t->comm);
	prctl(PR_SET_TIMERSLACK, 1);
	if (t->nice && setpriority(PRIO_PROCESS, t->tid, t->nice))
		die("cannot set nice %d", t->nice);
	if (t->group) {
		snprintf(path, sizeof(path), "/sys/fs/cgroup/%s/cgroup.threads", t->group);
		write_file(path, "0");
	}
	CPU_ZERO(&set);
	CPU_SET(t->cpu < 0 ? 0 : t->cpu, &set);
	if (t->cpu >= 0 && sched_setaffinity(0, sizeof(set), &set))
		die("cannot run on CPU %d", t->cpu);
	pthread_barrier_wait(&ready);
	sleep_ns(1 + rng_next(&t->rng) % START_NS);
	t->fn(t, t->arg);
	return NULL;
}

struct counts {
	u64 ops, wakeups, migrations, voluntary, involuntary;
	double run_ms;
};

static void count_task(struct task *t, struct counts *c)
{
	char path[64], line[256], name[128];
	double value;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%d/sched", t->tid);
	f = fopen(path, "r");
	if (!f)
		die("%s: %s; CONFIG_SCHED_DEBUG?", path, strerror(errno));
	memset(c, 0, sizeof(*c));
	c->ops = t->ops;
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%127s : %lf", name, &value) != 2)
			continue;
		if (!strcmp(name, "se.sum_exec_runtime"))
			c->run_ms = value;
		else if (!strcmp(name, "se.nr_migrations"))
			c->migrations = value;
		else if (!strcmp(name, "nr_wakeups"))
			c->wakeups = value;
		else if (!strcmp(name, "nr_voluntary_switches"))
			c->voluntary = value;
		else if (!strcmp(name, "nr_involuntary_switches"))
			c->involuntary = value;
	}
	fclose(f);
}

/* Hits of a histogram without end: the sum is in its last lines. */
static u64 count_probe(const char *event)
{
	char path[128], line[256];
	u64 hits = 0;
	FILE *f;

	snprintf(path, sizeof(path), TRACE "events/twin/%s/hist", event);
	f = fopen(path, "r");
	if (!f)
		die("%s: %s", path, strerror(errno));
	while (fgets(line, sizeof(line), f))
		sscanf(line, " Hits: %lu", &hits);
	fclose(f);
	return hits;
}

/*
 * dequeue_task_fair() returns false if it left the entity on the run queue;
 * a wakeup of such an entity is an enqueue_task_fair() with ENQUEUE_DELAYED,
 * which is 0x200 in 6.12.
 */
static void probe(bool on)
{
	static const char requeued[] = "!hist:keys=flags if flags & 0x200";
	char delayed[128];

	snprintf(delayed, sizeof(delayed), "!hist:keys=done if done == 0 && common_pid >= %d",
		 getpid());
	if (on)
		write_file(TRACE "kprobe_events",
			   "r:twin/delayed dequeue_task_fair done=$retval:u8\n"
			   "p:twin/requeued enqueue_task_fair flags=%dx:u32\n");
	write_file(TRACE "events/twin/delayed/trigger", delayed + on);
	write_file(TRACE "events/twin/requeued/trigger", requeued + on);
	if (!on)
		write_file(TRACE "kprobe_events", "-:twin/delayed\n-:twin/requeued\n");
}

struct snapshot {
	struct counts task[MAX_TASKS];
	u64 delayed, requeued, time;
};

static void take(struct snapshot *s)
{
	s->time = now();
	for (int i = 0; i < nr_tasks; i++)
		count_task(&tasks[i], &s->task[i]);
	s->delayed = count_probe("delayed");
	s->requeued = count_probe("requeued");
}

/* A line of the same form as trust.py makes of the simulator's output. */
static void print(const char *name, struct snapshot *a, struct snapshot *b)
{
	struct utsname u;

	uname(&u);
	printf("{\"row\":\"%s\",\"workload\":\"%s\",\"engine\":\"guest\",\"kernel\":\"%s\",",
	       find_param("row"), name, u.release);
	printf("\"cpus\":%d,\"seed\":%lu,", nr_cpus, seed);
	printf("\"seconds\":%.6f,\"delayed\":%lu,\"requeued\":%lu,\"tasks\":[",
	       (b->time - a->time) / 1e9, b->delayed - a->delayed, b->requeued - a->requeued);
	for (int i = 0; i < nr_tasks; i++) {
		struct counts *x = &a->task[i], *y = &b->task[i];

		printf("%s{\"comm\":\"%s\",\"nice\":%d,\"run_us\":%.0f,\"ops\":%lu,",
		       i ? "," : "", tasks[i].comm, tasks[i].nice,
		       (y->run_ms - x->run_ms) * 1e3, y->ops - x->ops);
		printf("\"wakeups\":%lu,\"migrations\":%lu,\"voluntary\":%lu,\"involuntary\":%lu}",
		       y->wakeups - x->wakeups, y->migrations - x->migrations, y->voluntary - x->voluntary,
		       y->involuntary - x->involuntary);
	}
	printf("]}\n");
	fflush(stdout);
}

int main(int argc, char **argv)
{
	static struct snapshot first, last;
	struct sched_param fifo = { .sched_priority = 50 };
	const struct twin *w = twins;
	pthread_attr_t attr;
	pthread_t thread;

	if (argc < 2)
		die("usage: twin WORKLOAD NAME=VALUE...");
	params = argv + 2;
	nr_params = argc - 2;
	nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	seed = param("seed");
	if (!find_param("row"))
		die("row= is missing: the name of the result");
	spread = param("spread");
	while (w->name && strcmp(w->name, argv[1]))
		w++;
	if (!w->name)
		die("no twin of %s", argv[1]);
	w->start();
	write_file("/proc/sys/kernel/sched_schedstats", "1");
	write_file("/proc/sys/kernel/sched_rt_runtime_us", "-1");
	probe(true);

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 65536);
	pthread_barrier_init(&ready, NULL, nr_tasks + 1);
	for (int i = 0; i < nr_tasks; i++)
		if (pthread_create(&thread, &attr, task_main, &tasks[i]))
			die("cannot start a task");
	/* Count between two moments in which, on one CPU, none of them runs. */
	if (sched_setscheduler(0, SCHED_FIFO, &fifo))
		die("cannot become a real-time task");
	pthread_barrier_wait(&ready);
	sleep_ns(param("warmup_ms") * 1000000);
	take(&first);
	sleep_ns(param("run_ms") * 1000000);
	take(&last);
	print(w->name, &first, &last);
	probe(false);
	_exit(0);
}
