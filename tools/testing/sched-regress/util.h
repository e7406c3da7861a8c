/* SPDX-License-Identifier: GPL-2.0 */
/* Errors and the files of name = value lines that claims and descriptions are. */
#ifndef SCHED_REGRESS_UTIL_H
#define SCHED_REGRESS_UTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* One line on stderr: "schedfix: FILE: cause"; returns -1 for the caller. */
int complain(const char *file, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

char *trim(char *s);

/* Strict: the whole of @s is a finite number; otherwise @v is left alone. */
bool to_double(const char *s, double *v);

/*
 * Calls @set for each "name = value" line of @path; '#' begins a comment line,
 * an indented line continues the value before. A non-zero return of @set, an
 * unreadable file or a line without '=' ends it with -1 and one line of why.
 */
int read_pairs(const char *path, int (*set)(void *ctx, const char *name, char *value), void *ctx);

/* Write to PATH.tmp and rename: a reader never sees half a file. */
FILE *begin_file(const char *path);
int end_file(FILE *f, const char *path);

#endif
