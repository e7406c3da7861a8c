// SPDX-License-Identifier: GPL-2.0
/*
 * WA_IRQ: a wakeup from an interrupt on an idle CPU pulls the wakee out of another
 * LLC if, and only if, the two are bound to each other.
 *
 * dmasim's interrupts wake dmatest's threads here; sched_waking and sched_wakeup,
 * which any kernel has, tell who woke whom and where the wakee was and went. Each
 * control runs with the bit off and on, and must not see more pulls with it on.
 * Needs two LLCs of two CPUs or more, dmasim and dmatest.
 *
 * On a kernel without the bit what is bound stays apart: that is the defect.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "../kselftest_harness.h"
#include "sched_util.h"

#define FEATURE		"WA_IRQ"
#define TRACE		"/sys/kernel/tracing/"
#define DMATEST		"/sys/module/dmatest/parameters/"
#define DMASIM		"/sys/module/dmasim/parameters/"
#define ENGINE		"/sys/devices/virtual/workqueue/dmasim/cpumask"
#define GROUP		"wa_irq_selftest"
#define WAKEES		"comm ~ \"dma*-copy*\" || comm ~ \"wa_irq-*\""

#define CHANNELS	4
#define MAX_CPUS	64
#define WARM_UP		200		/* wakeups, for streaks and moves after them */
#define WATCH		400		/* wakeups to judge by */
#define STEP_US		200000
#define MAX_STEPS	25		/* on a host so slow that there are fewer */
#define ENOUGH		50		/* ... there must be these */
#define TRIES		4
#define SLACK		10		/* pulls per 1000 wakeups more than without the bit */

/* Two LLCs, and two CPUs of each: [0] has the threads, [1] the interrupts. */
static int cpu[2][2], llc_of[MAX_CPUS];
static int irq_cpu;			/* where a fixed interrupt goes */

static bool find_llcs(void)
{
	int n, found[2] = { 0, 0 };

	for (n = 0; n < MAX_CPUS; n++) {
		int side;

		llc_of[n] = cpu_llc(n);
		if (llc_of[n] < 0)
			continue;
		side = found[0] && llc_of[n] != llc_of[cpu[0][0]];
		if (side && found[1] && llc_of[n] != llc_of[cpu[1][0]])
			continue;
		/* the last CPU of each; with SMT that is not its first one's sibling */
		cpu[side][!!found[side]] = n;
		found[side]++;
	}
	return found[0] > 1 && found[1] > 1;
}

static int write_value(const char *path, const char *format, long value)
{
	char text[32];

	snprintf(text, sizeof(text), format, value);
	return write_file(path, text);
}

static int interrupt_of(int channel)
{
	static char text[1 << 16];
	char name[24], *at;
	long n = read_file("/proc/interrupts", text, sizeof(text));

	snprintf(name, sizeof(name), "dmasim-chan%d", channel);
	at = n > 0 ? strstr(text, name) : NULL;
	while (at && at > text && at[-1] != '\n')
		at--;
	return at ? atoi(at) : -1;
}

static int set_interrupt(int channel, long mask)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/irq/%d/smp_affinity", interrupt_of(channel));
	return write_value(path, "%lx", mask);
}

static int set_interrupts(long mask, bool rotate)
{
	int i, err = write_file(DMASIM "rotate", rotate ? "Y" : "N");

	for (i = 0; i < CHANNELS && !err; i++)
		err = set_interrupt(i, mask);
	return err;
}

/* With such an interrupt a task wakes, not the idle one: the rule is inert. */
static bool threaded(void)
{
	char text[2048];
	struct utsname u;

	if (!uname(&u) && strstr(u.version, "PREEMPT_RT"))
		return true;
	return read_file("/proc/cmdline", text, sizeof(text)) > 0 && strstr(text, "threadirqs");
}

/* What the trace says of the wakees. */
struct seen {
	int wakeups, by_idle, pulls, lost;
	int landed[MAX_CPUS];
};

static int read_trace(struct seen *s)
{
	static char text[8 << 20];
	static int from[1 << 16], idle[1 << 16];
	char *line, *save, *at;
	int pid, to;

	memset(s, 0, sizeof(*s));
	memset(from, -1, sizeof(from));
	if (read_file(TRACE "trace", text, sizeof(text)) < 0)
		return -1;
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		s->lost += !!strstr(line, "LOST");
		at = strstr(line, " pid=");
		if (line[0] == '#' || !at || !strchr(line, '[') ||
		    sscanf(at, " pid=%d", &pid) != 1 || pid < 0 || pid >= 1 << 16 ||
		    !strstr(at, "target_cpu=") ||
		    sscanf(strstr(at, "target_cpu="), "target_cpu=%d", &to) != 1 ||
		    to >= MAX_CPUS)
			continue;
		if (strstr(line, " sched_waking:")) {
			from[pid] = to;
			idle[pid] = !!strstr(line, "<idle>-0");
		} else if (from[pid] >= 0) {
			s->wakeups++;
			s->by_idle += idle[pid];
			s->pulls += llc_of[from[pid]] != llc_of[to];
			s->landed[to]++;
			from[pid] = -1;
		}
	}
	return 0;
}

struct scenario {
	bool bound, tasklet;
	bool near;			/* interrupts in the threads' LLC */
	int channels, threads;		/* threads per channel; 0 is 1 */
	enum { FIXED, EACH, ONE_LLC, BOTH_LLCS } irqs;
	int buf_size;			/* of dmatest, its work per transfer */
	bool pinned;			/* to the other LLC */
	bool cpuset;			/* of the other LLC */
	void (*meanwhile)(void);	/* after the warm-up */
	void *(*sleeper)(void *stop);	/* a thread of ours instead of dmatest's */
};

static void move_interrupt(void)
{
	irq_cpu = cpu[0][1];
	set_interrupts(1L << irq_cpu, false);
}

static void unplug(void)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu[1][1]);
	write_file(path, "0");
	usleep(STEP_US);
	write_file(path, "1");
}

/* schedule_timeout(): the timer may be expired by another, idle CPU. */
static void *timeouts(void *stop)
{
	struct timeval t = { .tv_usec = 4000 };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	char c;

	prctl(PR_SET_NAME, "wa_irq-timeout");
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof(t));
	while (!__atomic_load_n((bool *)stop, __ATOMIC_RELAXED))
		if (recv(fd, &c, 1, 0) != -1)
			break;
	close(fd);
	return NULL;
}

/* Woken in softirq on top of the sending task. */
static void *loopback(void *stop)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	struct timeval t = { .tv_sec = 1 };
	socklen_t len = sizeof(to);
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	pid_t child;
	char c = 0;

	bind(fd, (struct sockaddr *)&to, sizeof(to));
	getsockname(fd, (struct sockaddr *)&to, &len);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof(t));
	prctl(PR_SET_NAME, "wa_irq-udp");
	child = fork();
	if (!child) {
		for (;;) {
			sendto(fd, &c, 1, 0, (struct sockaddr *)&to, sizeof(to));
			usleep(500);
		}
	}
	while (!__atomic_load_n((bool *)stop, __ATOMIC_RELAXED))
		recv(fd, &c, 1, 0);
	kill(child, SIGKILL);
	close(fd);
	return NULL;
}

static int start_dmatest(const struct scenario *sc)
{
	char name[24];
	int i, err;

	err = write_value(DMATEST "test_buf_size", "%ld", sc->buf_size ?: 4096);
	err |= write_value(DMATEST "threads_per_chan", "%ld", sc->threads ?: 1);
	err |= write_file(DMATEST "iterations", "0");
	for (i = 0; i < (sc->channels ?: 1); i++) {
		snprintf(name, sizeof(name), "dma0chan%d", i);
		err |= write_file(DMATEST "channel", name);
	}
	return err | write_file(DMATEST "run", "1");
}

/* The CPU that a thread ran on last. */
static int cpu_of(pid_t pid)
{
	char path[64], text[1024], *at;
	int n;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	if (read_file(path, text, sizeof(text)) < 0)
		return -1;
	/* Field 39; the second one, in parentheses, may hold anything. */
	at = strrchr(text, ')');
	for (n = 2; at && n < 39; n++)
		at = strchr(at + 1, ' ');
	return at ? atoi(at) : -1;
}

/* A group that may run on the CPUs of the other LLC only. */
static int confine(pid_t pid)
{
	char text[64];

	snprintf(text, sizeof(text), "%d,%d", cpu[0][0], cpu[0][1]);
	if (write_file("/sys/fs/cgroup/cgroup.subtree_control", "+cpuset") ||
	    cgroup_create(GROUP) || cgroup_write(GROUP, "cpuset.cpus", text))
		return -1;
	snprintf(text, sizeof(text), "%d", pid);
	return cgroup_write(GROUP, "cgroup.threads", text);
}

/* Put dmatest's threads on a CPU of the other LLC, and let them go unless they are to stay. */
static int place(const struct scenario *sc)
{
	char path[64], comm[32];
	cpu_set_t all;
	DIR *proc = opendir("/proc");
	struct dirent *d;
	int nr = 0, tries;

	memset(&all, -1, sizeof(all));
	while (proc && (d = readdir(proc))) {
		pid_t pid = atoi(d->d_name);

		snprintf(path, sizeof(path), "/proc/%d/comm", pid);
		if (pid <= 0 || read_file(path, comm, sizeof(comm)) < 0 ||
		    strncmp(comm, "dma0chan", 8))
			continue;
		pin_thread(pid, cpu[0][1]);
		/* One that sleeps moves when it is woken. */
		for (tries = 0; tries < 1000 && cpu_of(pid) != cpu[0][1]; tries++)
			usleep(1000);
		if (!sc->pinned)
			sched_setaffinity(pid, sizeof(all), &all);
		if (sc->cpuset && confine(pid))
			break;
		nr++;
	}
	if (proc)
		closedir(proc);
	return nr == (sc->channels ?: 1) * (sc->threads ?: 1) ? 0 : -1;
}

static int route(const struct scenario *sc)
{
	long llc = 1L << cpu[1][0] | 1L << cpu[1][1];
	int i, err;

	if (sc->irqs == ONE_LLC)
		return set_interrupts(llc, true);
	if (sc->irqs == BOTH_LLCS)
		return set_interrupts(llc | 1L << cpu[0][0] | 1L << cpu[0][1], true);
	err = set_interrupts(1L << irq_cpu, false);
	for (i = 1; sc->irqs == EACH && i < CHANNELS; i += 2)
		err |= set_interrupt(i, 1L << cpu[1][0]);
	return err;
}

/* Count until there were so many wakeups. */
static int watch(struct seen *s, int wakeups)
{
	int step;

	close(open(TRACE "trace", O_WRONLY | O_TRUNC));
	write_file(TRACE "tracing_on", "1");
	for (step = 0; step < MAX_STEPS; step++) {
		usleep(STEP_US);
		if (read_trace(s))
			return -1;
		if (s->wakeups >= wakeups)
			break;
	}
	write_file(TRACE "tracing_on", "0");
	return 0;
}

FIXTURE(wa_irq) {
	bool was_on, stop;
	pthread_t thread;
};

FIXTURE_VARIANT(wa_irq) {
	struct scenario s;
};

FIXTURE_VARIANT_ADD(wa_irq, hardirq) { .s = { .bound = true, } };
FIXTURE_VARIANT_ADD(wa_irq, tasklet) { .s = { .bound = true, .tasklet = true } };
FIXTURE_VARIANT_ADD(wa_irq, same_llc) { .s = { .bound = true, .near = true } };
FIXTURE_VARIANT_ADD(wa_irq, moved) { .s = { .bound = true, .meanwhile = move_interrupt } };
FIXTURE_VARIANT_ADD(wa_irq, rotating_in_one_llc) { .s = { .irqs = ONE_LLC } };
FIXTURE_VARIANT_ADD(wa_irq, rotating_over_both) { .s = { .irqs = BOTH_LLCS } };
FIXTURE_VARIANT_ADD(wa_irq, eight_behind_one) { .s = { .threads = 8 } };
FIXTURE_VARIANT_ADD(wa_irq, four_channels_on_one_cpu) { .s = { .channels = 4 } };
FIXTURE_VARIANT_ADD(wa_irq, pairs_on_one_llc) { .s = { .channels = 2, .irqs = EACH } };
FIXTURE_VARIANT_ADD(wa_irq, pinned) { .s = { .pinned = true } };
FIXTURE_VARIANT_ADD(wa_irq, cpuset) { .s = { .cpuset = true } };
FIXTURE_VARIANT_ADD(wa_irq, unplugged) { .s = { .meanwhile = unplug } };
FIXTURE_VARIANT_ADD(wa_irq, schedule_timeout) { .s = { .sleeper = timeouts } };
FIXTURE_VARIANT_ADD(wa_irq, loopback) { .s = { .sleeper = loopback } };
FIXTURE_VARIANT_ADD(wa_irq, pairs_with_work) {
	.s = { .channels = 2, .irqs = EACH, .buf_size = 65536 },
};

FIXTURE_SETUP(wa_irq)
{
	char channels[16] = "";

	if (geteuid())
		SKIP(return, "needs root");
	if (!find_llcs())
		SKIP(return, "needs two LLCs of two CPUs");
	/* Another test may have left it with fewer channels. */
	read_file("/sys/module/dmasim/parameters/channels", channels, sizeof(channels));
	if (atoi(channels) != CHANNELS)
		system("modprobe -r dmasim_kunit 2>/dev/null; modprobe -r dmasim 2>/dev/null");
	if (system("modprobe dmasim channels=4 latency_ns=50000 && modprobe dmatest"))
		SKIP(return, "needs dmasim and dmatest");
	self->was_on = sched_feature_is_on(FEATURE);
	sched_feature_set(FEATURE, false);
	ASSERT_EQ(0, write_file(DMASIM "tasklet", variant->s.tasklet ? "Y" : "N"));
	irq_cpu = variant->s.near ? cpu[0][0] : cpu[1][1];
	ASSERT_EQ(0, write_value(ENGINE, "%lx", 1L << cpu[variant->s.near][0]));
	ASSERT_EQ(0, route(&variant->s));

	write_file(TRACE "tracing_on", "0");
	ASSERT_EQ(0, write_file(TRACE "buffer_size_kb", "4096"));
	ASSERT_EQ(0, write_file(TRACE "events/sched/sched_waking/filter", WAKEES));
	ASSERT_EQ(0, write_file(TRACE "events/sched/sched_wakeup/filter", WAKEES));
	ASSERT_EQ(0, write_file(TRACE "events/sched/sched_waking/enable", "1"));
	ASSERT_EQ(0, write_file(TRACE "events/sched/sched_wakeup/enable", "1"));

	if (variant->s.sleeper) {
		ASSERT_EQ(0, pthread_create(&self->thread, NULL, variant->s.sleeper, &self->stop));
	} else {
		ASSERT_EQ(0, start_dmatest(&variant->s));
		ASSERT_EQ(0, place(&variant->s));
	}
}

FIXTURE_TEARDOWN(wa_irq)
{
	if (variant->s.sleeper) {
		__atomic_store_n(&self->stop, true, __ATOMIC_RELAXED);
		pthread_join(self->thread, NULL);
	} else {
		write_file(DMATEST "run", "0");
	}
	if (variant->s.cpuset)
		cgroup_remove(GROUP);
	write_file(TRACE "events/sched/enable", "0");
	write_file(TRACE "tracing_on", "1");
	sched_feature_set(FEATURE, self->was_on);
}

static void tell(struct __test_metadata *_metadata, const char *when, const struct seen *s)
{
	TH_LOG("%s: %d wakeups, %d by idle CPUs, %d at the interrupt's CPU, %d to another LLC",
	       when, s->wakeups, s->by_idle, s->landed[irq_cpu], s->pulls);
}

static int at_interrupt(const struct seen *s)	/* per cent of the wakeups */
{
	return s->wakeups ? s->landed[irq_cpu] * 100 / s->wakeups : 0;
}

/*
 * On a busy host the balancer brings the thread to the interrupt, too, or away from it,
 * but not each time: what is bound is put back and looked at again, TRIES times at most.
 */
TEST_F_TIMEOUT(wa_irq, wakeups, 180)
{
	const struct scenario *sc = &variant->s;
	bool judged = sc->bound && !threaded();
	/* Within the LLC any kernel moves it there once its own CPU is busy. */
	bool away = judged && !sc->near;
	struct seen off, on;
	int tries = 0;

	do {
		ASSERT_EQ(0, tries ? place(sc) : 0);
		ASSERT_EQ(0, watch(&off, WARM_UP));
		ASSERT_EQ(0, watch(&off, WATCH));
		tell(_metadata, "off", &off);
	} while (away && at_interrupt(&off) >= 5 && ++tries < TRIES);
	EXPECT_GT(TRIES, tries);

	/* Without the bit go on all the same: the defect is worth seeing. */
	EXPECT_TRUE(sched_feature_exists(FEATURE));
	sched_feature_set(FEATURE, true);
	tries = 0;
	do {
		ASSERT_EQ(0, tries ? place(sc) : 0);
		ASSERT_EQ(0, watch(&on, WARM_UP));
		if (sc->meanwhile) {
			sc->meanwhile();
			ASSERT_EQ(0, watch(&on, WARM_UP));
		}
		ASSERT_EQ(0, watch(&on, WATCH));
		tell(_metadata, "on ", &on);
	} while (judged && at_interrupt(&on) < 95 && ++tries < TRIES);
	EXPECT_GT(TRIES, tries);

	EXPECT_EQ(0, off.lost + on.lost);
	EXPECT_LT(ENOUGH, off.wakeups);
	EXPECT_LT(ENOUGH, on.wakeups);
	if (!judged)
		EXPECT_LE(on.pulls * 1000 / on.wakeups, off.pulls * 1000 / off.wakeups + SLACK);
}

TEST_HARNESS_MAIN
