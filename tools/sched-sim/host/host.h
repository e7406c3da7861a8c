/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The host half of sched-sim: files, command line, output.
 */
#ifndef SCHED_SIM_HOST_H
#define SCHED_SIM_HOST_H

#include <stdio.h>
#include "sim.h"

/* config.c */
void read_topology(const char *path, struct sim_topology *t);
void read_costs(const char *path, struct sim_costs *c);
void scale_costs(struct sim_costs *c, double factor);

/* runtime.c */
void runtime_init(void);
void runtime_open(const char *trace, const char *timeline);
void runtime_close(void);
void die(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/* output.c */
void print_text(FILE *f, double cpu);
void print_json(FILE *f, double cpu);

#endif
