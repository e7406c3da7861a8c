// SPDX-License-Identifier: GPL-2.0
/*
 * Twins of hogs.c and mixed.c: shares of the CPU by nice value and cgroup.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "twin.h"

/* hogs */
static void hog(struct task *t, void *ns)
{
	for (;; t->ops++)
		work(t, vary(t, *(u64 *)ns));
}

void start_hogs(void)
{
	u64 *slice_ns = zalloc(sizeof(u64));

	*slice_ns = param("slice_us") * 1000;
	for (u64 i = 0; i < param("tasks"); i++)
		spawn("hog", hog, slice_ns)->nice = i * param("nice_step");
}

/* mixed */
static void cgroup_write(const char *group, const char *file, const char *text)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "/sys/fs/cgroup/%s/%s", group, file);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		die("%s: cannot write '%s': %s", path, text, strerror(errno));
	close(fd);
}

static void start_group(const char *name, const char *weight, u64 quota_us)
{
	u64 *ns = zalloc(sizeof(u64));
	char text[128];

	*ns = 2000000;
	snprintf(text, sizeof(text), "/sys/fs/cgroup/%s", name);
	if (mkdir(text, 0755) && errno != EEXIST)
		die("%s: %s", text, strerror(errno));
	cgroup_write(name, "cgroup.type", "threaded");
	cgroup_write(name, "cpu.weight", weight);
	snprintf(text, sizeof(text), "%lu 100000", quota_us);
	if (quota_us)
		cgroup_write(name, "cpu.max", text);
	for (u64 i = 0; i < param("tasks"); i++)
		spawn(name, hog, ns)->group = name;
}

void start_mixed(void)
{
	cgroup_write(".", "cgroup.subtree_control", "+cpu");
	start_group("weight-1", "100", 0);
	start_group("weight-3", "300", 0);
	if (param("quota_us"))
		start_group("quota", "100", param("quota_us"));
}
