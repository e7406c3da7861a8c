/* SPDX-License-Identifier: GPL-2.0 */
/* What the unit tests share: cmocka, and files of test input. */
#ifndef SCHED_REGRESS_UNIT_H
#define SCHED_REGRESS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* A folder of this test program's own under $TMPDIR, made on first use. */
static inline const char *scratch(void)
{
	static char dir[256];

	if (!*dir) {
		snprintf(dir, sizeof(dir), "%s/sched-regress-XXXXXX",
			 getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
		if (!mkdtemp(dir))
			abort();
	}
	return dir;
}

static inline const char *write_file(const char *name, const char *text)
{
	static char path[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", scratch(), name);
	f = fopen(path, "w");
	if (!f)
		abort();
	fputs(text, f);
	fclose(f);
	return path;
}

/* Between the two, stderr goes to a file; the second returns how many lines came. */
static int saved_stderr;

static inline void hear_errors(void)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/stderr", scratch());
	fflush(stderr);
	saved_stderr = dup(2);
	if (!freopen(path, "w", stderr))
		abort();
}

static inline int errors_heard(void)
{
	char path[512], line[4096];
	int n = 0;
	FILE *f;

	fflush(stderr);
	dup2(saved_stderr, 2);
	close(saved_stderr);
	snprintf(path, sizeof(path), "%s/stderr", scratch());
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f))
		n++;
	if (f)
		fclose(f);
	return n;
}

static inline int remove_scratch(void **state)
{
	char cmd[300];

	(void)state;
	snprintf(cmd, sizeof(cmd), "rm -rf %s", scratch());
	return system(cmd);
}

#endif
