// SPDX-License-Identifier: GPL-2.0
/* Errors and the files of name = value lines that claims and descriptions are. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "util.h"

int complain(const char *file, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "schedfix: %s: ", file);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	return -1;
}

char *trim(char *s)
{
	char *e;

	while (isspace((unsigned char)*s))
		s++;
	e = s + strlen(s);
	while (e > s && isspace((unsigned char)e[-1]))
		e--;
	*e = '\0';
	return s;
}

bool to_double(const char *s, double *v)
{
	char *end;
	double d;

	if (!*s)
		return false;
	d = strtod(s, &end);
	if (*end || !isfinite(d))
		return false;
	*v = d;
	return true;
}

static int set_pair(const char *path, char *pair, int (*set)(void *, const char *, char *),
		    void *ctx)
{
	char *eq = strchr(pair, '=');

	if (!eq)
		return complain(path, "'%s' is not name = value", pair);
	*eq = '\0';
	if (set(ctx, trim(pair), trim(eq + 1)))
		return complain(path, "'%s' is no name or value known here", trim(pair));
	return 0;
}

int read_pairs(const char *path, int (*set)(void *ctx, const char *name, char *value), void *ctx)
{
	char line[1024], pair[4096] = "";
	FILE *f = fopen(path, "r");
	int ret = 0;

	if (!f)
		return complain(path, "%s", strerror(errno));
	while (!ret && fgets(line, sizeof(line), f)) {
		bool more = isspace((unsigned char)line[0]);
		char *s = trim(line);

		if (!*s || *s == '#')
			continue;
		if (strlen(pair) + strlen(s) + 2 > sizeof(pair)) {
			ret = complain(path, "a value longer than %zu bytes", sizeof(pair));
			break;
		}
		if (more && *pair) {
			strcat(pair, " ");
			strcat(pair, s);
			continue;
		}
		if (*pair)
			ret = set_pair(path, pair, set, ctx);
		strcpy(pair, s);
	}
	if (!ret && *pair)
		ret = set_pair(path, pair, set, ctx);
	fclose(f);
	return ret;
}

static void tmp_name(char *buf, size_t len, const char *path)
{
	snprintf(buf, len, "%s.tmp", path);
}

FILE *begin_file(const char *path)
{
	char tmp[4096];
	FILE *f;

	tmp_name(tmp, sizeof(tmp), path);
	f = fopen(tmp, "w");
	if (!f)
		complain(tmp, "%s", strerror(errno));
	return f;
}

int end_file(FILE *f, const char *path)
{
	char tmp[4096];
	bool bad = ferror(f);

	tmp_name(tmp, sizeof(tmp), path);
	if (fclose(f) || bad || rename(tmp, path)) {
		complain(path, "%s", strerror(errno));
		remove(tmp);
		return -1;
	}
	return 0;
}
