// SPDX-License-Identifier: GPL-2.0
/*
 * What the sched selftests share; see sched_util.h.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "sched_util.h"

#define CGROUP_ROOT	"/sys/fs/cgroup"

int write_file(const char *path, const char *text)
{
	size_t len = strlen(text);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = write(fd, text, len);
	close(fd);
	return n == (ssize_t)len ? 0 : -1;
}

ssize_t read_file(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t have = 0;
	ssize_t n;

	if (fd < 0)
		return -1;
	while ((n = read(fd, buf + have, size - 1 - have)) > 0)
		have += n;
	close(fd);
	buf[have] = '\0';
	return n < 0 ? -1 : (ssize_t)have;
}

/* The word @name in the feature list, with or without NO_; NULL if neither. */
static const char *feature_word(const char *name, char *list, size_t size)
{
	char *word, *save;

	if (read_file(SCHED_FEATURES, list, size) < 0)
		return NULL;
	for (word = strtok_r(list, "\n ", &save); word; word = strtok_r(NULL, "\n ", &save)) {
		const char *bare = strncmp(word, "NO_", 3) ? word : word + 3;

		if (!strcmp(bare, name))
			return word;
	}
	return NULL;
}

bool sched_feature_exists(const char *name)
{
	char list[4096];

	return feature_word(name, list, sizeof(list));
}

bool sched_feature_is_on(const char *name)
{
	char list[4096];
	const char *word = feature_word(name, list, sizeof(list));

	return word && !strcmp(word, name);
}

int sched_feature_set(const char *name, bool on)
{
	char text[64];

	snprintf(text, sizeof(text), "%s%s", on ? "" : "NO_", name);
	return write_file(SCHED_FEATURES, text);
}

int load_test_module(const char *name)
{
	char self[512], path[1024];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	int fd, err;

	if (n < 0)
		return -1;
	self[n] = '\0';
	snprintf(path, sizeof(path), "%s/test_modules/%s.ko", dirname(self), name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	err = syscall(SYS_finit_module, fd, "", 0);
	close(fd);
	if (err && errno == EEXIST)
		return 1;
	return err;
}

int unload_test_module(const char *name)
{
	return syscall(SYS_delete_module, name, 0);
}

int cgroup_create(const char *name)
{
	char path[256];

	if (write_file(CGROUP_ROOT "/cgroup.subtree_control", "+cpu"))
		return -1;
	snprintf(path, sizeof(path), CGROUP_ROOT "/%s", name);
	if (mkdir(path, 0755) && errno != EEXIST)
		return -1;
	return cgroup_write(name, "cgroup.type", "threaded");
}

int cgroup_write(const char *name, const char *file, const char *text)
{
	char path[256];

	snprintf(path, sizeof(path), CGROUP_ROOT "/%s/%s", name, file);
	return write_file(path, text);
}

int cgroup_remove(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), CGROUP_ROOT "/%s", name);
	return rmdir(path);
}

int cpu_nth_allowed(int n)
{
	cpu_set_t set;
	int cpu;

	if (sched_getaffinity(0, sizeof(set), &set))
		return -1;
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &set) && n-- == 0)
			return cpu;
	return -1;
}

int cpu_llc(int cpu)
{
	char path[96], list[256];

	snprintf(path, sizeof(path),
		 "/sys/devices/system/cpu/cpu%d/cache/index3/shared_cpu_list", cpu);
	return read_file(path, list, sizeof(list)) > 0 ? atoi(list) : -1;
}

int pin_thread(pid_t tid, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(tid, sizeof(set), &set);
}

bool thread_sleeps(pid_t tid)
{
	char path[64], text[512], *end;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	if (read_file(path, text, sizeof(text)) < 0)
		return false;
	end = strrchr(text, ')');	/* of its name */
	return end && end[1] == ' ' && end[2] == 'S';
}

unsigned int below(unsigned int *seed, unsigned int n)
{
	return (unsigned int)rand_r(seed) % n;
}

static long long now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000LL + ts.tv_nsec / 1000;
}

static bool stopped(struct load *load)
{
	return __atomic_load_n(&load->stop, __ATOMIC_RELAXED);
}

struct thread_arg {
	struct load *load;
	int index;
};

static void *load_thread(void *p)
{
	struct thread_arg *arg = p;
	struct load *load = arg->load;
	pid_t tid = syscall(SYS_gettid);
	unsigned int seed = tid;

	pin_thread(tid, load->cpu);
	setpriority(PRIO_PROCESS, tid, load->nice);
	/* last: load_start() waits for it, and a test may now disturb the thread */
	__atomic_store_n(&load->tid[arg->index], tid, __ATOMIC_RELEASE);
	free(arg);

	while (!stopped(load)) {
		long long until = now_us() + 1 + below(&seed, load->run_us);

		while (now_us() < until && !stopped(load))
			;
		if (load->sleep_us)
			usleep(1 + below(&seed, load->sleep_us));
	}
	return NULL;
}

int load_start(struct load *load)
{
	int i, started, err = 0;
	char tid[16];

	load->stop = false;
	memset(load->tid, 0, sizeof(load->tid));
	for (started = 0; started < load->nr; started++) {
		struct thread_arg *arg = malloc(sizeof(*arg));

		if (!arg)
			break;
		*arg = (struct thread_arg){ load, started };
		err = pthread_create(&load->thread[started], NULL, load_thread, arg);
		if (err) {
			free(arg);
			break;
		}
	}
	for (i = 0; i < started; i++)
		while (!__atomic_load_n(&load->tid[i], __ATOMIC_ACQUIRE))
			usleep(1000);
	for (i = 0; i < started && load->cgroup && !err; i++) {
		snprintf(tid, sizeof(tid), "%d", load->tid[i]);
		err = cgroup_write(load->cgroup, "cgroup.threads", tid);
	}
	if (started == load->nr && !err)
		return 0;
	load->nr = started;
	load_stop(load);
	return -1;
}

void load_stop(struct load *load)
{
	int i;

	__atomic_store_n(&load->stop, true, __ATOMIC_RELAXED);
	for (i = 0; i < load->nr; i++)
		pthread_join(load->thread[i], NULL);
}
