/* SPDX-License-Identifier: GPL-2.0 */
/* The verbs of sched-regress, each in the file of its name. */
#ifndef SCHED_REGRESS_VERBS_H
#define SCHED_REGRESS_VERBS_H

int cmd_plan(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_table(int argc, char **argv);
int cmd_triage(int argc, char **argv);

#endif
