/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parsers of what tools and tracefs print. Each reads a file and writes lines
 * "METRIC VALUE UNIT KIND" to @out, KIND being count or time (depends on how
 * fast the host is), or returns -1 after one line on stderr.
 */
#ifndef SCHED_REGRESS_PARSE_H
#define SCHED_REGRESS_PARSE_H

#include <stdio.h>

int parse_fio(const char *path, FILE *out);	/* --output-format=json */
int parse_netperf(const char *path, FILE *out);	/* omni output of UDP_STREAM */
int parse_hackbench(const char *path, FILE *out);	/* as it prints */
int parse_stress_ng(const char *path, FILE *out);	/* --yaml */
int parse_hist(const char *before, const char *path, FILE *out);	/* tracefs hist files, read twice */
int parse_lag(const char *path, FILE *out);	/* trace with delay: and requeue: lines */

/*
 * Turn the lines on @in into JSON samples on @out. @keys is "name=value;..."
 * of what all samples share. A fifth field of a line is how many events its
 * value lacks; a line "lost N" is not a sample but goes into all others.
 */
int emit_samples(FILE *in, const char *keys, FILE *out);

#endif
