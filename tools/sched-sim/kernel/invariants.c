// SPDX-License-Identifier: GPL-2.0
/*
 * Invariants of the scheduler, looked at between events every millisecond.
 */
#include "machine.h"
#include "kernel/sched/sched.h"

void sim_invariants_init(void)
{
}

void sim_invariants_sample(void)
{
}

void sim_dump_cpu(int cpu)
{
}
