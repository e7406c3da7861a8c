// SPDX-License-Identifier: GPL-2.0
/*
 * What is read without zone->lock is on no cache line of the lock, nor of
 * free_area, which its owner writes; the lock is on none of the order-0 lists.
 *
 * The layout is the running kernel's: from its BTF or, where it has none, from a
 * module that was compiled against it (test_modules/zone_layout_probe.ko). BTF needs
 * debug information, which kernels for tests are often built without.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../kselftest_harness.h"
#include "btf_struct.h"

#define BTF		"/sys/kernel/btf/vmlinux"
#define PROBE		"zone_layout_probe"
#define LAYOUT		"/sys/module/" PROBE "/parameters/layout"
#define LINE_SIZE	"/sys/devices/system/cpu/cpu0/cache/index0/coherency_line_size"

/* Bytes of struct zone; end == 0: this kernel has no such member. */
struct range {
	size_t start, end;
};

FIXTURE(zone_layout) {
	struct range order0, free_area, flags, unaccepted_pages, trylock_free_pages,
		     lock, percpu_drift_mark;
	size_t line;
};

static int read_number(const char *path, size_t *number)
{
	FILE *f = fopen(path, "r");
	int n = 0;

	if (f) {
		n = fscanf(f, "%zu", number);
		fclose(f);
	}
	return n == 1 ? 0 : -1;
}

static int load_probe(void)
{
	char self[512], path[1024];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	int fd, err;

	if (n < 0)
		return -1;
	self[n] = '\0';
	snprintf(path, sizeof(path), "%s/test_modules/" PROBE ".ko", dirname(self));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	err = syscall(SYS_finit_module, fd, "", 0);
	close(fd);
	return err && errno != EEXIST ? -1 : 0;
}

static void from_btf(struct btf *btf, const char *member, struct range *r)
{
	size_t size, element;

	if (!btf_member(btf, "zone", member, &r->start, &size, &element))
		r->end = r->start + size;
}

static void from_module(const char *member, struct range *r)
{
	FILE *f = fopen(LAYOUT, "r");
	struct range seen;
	char name[64];

	while (f && fscanf(f, "%63s %zu %zu", name, &seen.start, &seen.end) == 3)
		if (!strcmp(name, member))
			*r = seen;
	if (f)
		fclose(f);
}

FIXTURE_SETUP(zone_layout)
{
	struct { const char *name; struct range *range; } members[] = {
		{ "free_area", &self->free_area },
		{ "flags", &self->flags },
		{ "unaccepted_pages", &self->unaccepted_pages },
		{ "trylock_free_pages", &self->trylock_free_pages },
		{ "lock", &self->lock },
		{ "percpu_drift_mark", &self->percpu_drift_mark },
	};
	struct btf *btf = btf_open(BTF);
	size_t i, size, element = 0;

	if (sysconf(_SC_NPROCESSORS_CONF) < 2)
		SKIP(return, "needs an SMP kernel and 2 CPUs");
	if (!btf && load_probe())
		SKIP(return, "no " BTF ", and cannot load test_modules/" PROBE ".ko: %s",
		     strerror(errno));
	for (i = 0; i < ARRAY_SIZE(members); i++) {
		if (btf)
			from_btf(btf, members[i].name, members[i].range);
		else
			from_module(members[i].name, members[i].range);
	}
	if (btf) {
		btf_member(btf, "zone", "free_area", &self->order0.start, &size, &element);
		self->order0.end = self->order0.start + element;
	} else {
		from_module("order0", &self->order0);
	}
	TH_LOG("from %s: flags %zu, free_area %zu..%zu, lock %zu..%zu", btf ? "BTF" : "the module",
	       self->flags.start, self->free_area.start, self->free_area.end - 1,
	       self->lock.start, self->lock.end - 1);
	btf_close(btf);

	/* The hardware's; a kernel may be built for longer ones. */
	if (read_number(LINE_SIZE, &self->line))
		self->line = 64;
	ASSERT_NE(0, self->lock.end);
	ASSERT_NE(0, self->flags.end);
	ASSERT_NE(0, self->order0.end);
	ASSERT_NE(0, self->free_area.end);
	ASSERT_NE(0, self->percpu_drift_mark.end);
}

FIXTURE_TEARDOWN(zone_layout)
{
	syscall(SYS_delete_module, PROBE, 0);
}

static bool share_a_line(struct range a, struct range b, size_t line)
{
	return a.start / line <= (b.end - 1) / line && b.start / line <= (a.end - 1) / line;
}

TEST_F(zone_layout, lock_off_order0_lists)
{
	EXPECT_FALSE(share_a_line(self->lock, self->order0, self->line));
}

TEST_F(zone_layout, flags_off_lock)
{
	EXPECT_FALSE(share_a_line(self->flags, self->lock, self->line));
}

TEST_F(zone_layout, flags_off_free_area)
{
	EXPECT_FALSE(share_a_line(self->flags, self->free_area, self->line));
}

TEST_F(zone_layout, unaccepted_pages_off_lock_and_free_area)
{
	if (!self->unaccepted_pages.end)	/* no CONFIG_UNACCEPTED_MEMORY */
		return;
	EXPECT_FALSE(share_a_line(self->unaccepted_pages, self->lock, self->line));
	EXPECT_FALSE(share_a_line(self->unaccepted_pages, self->free_area, self->line));
}

/* Written by those who do not get the lock. */
TEST_F(zone_layout, trylock_free_pages_off_lock)
{
	if (!self->trylock_free_pages.end)	/* 7.x has */
		return;
	EXPECT_FALSE(share_a_line(self->trylock_free_pages, self->lock, self->line));
}

TEST_F(zone_layout, nothing_behind_lock)
{
	EXPECT_FALSE(share_a_line(self->percpu_drift_mark, self->lock, self->line));
}

TEST_HARNESS_MAIN
