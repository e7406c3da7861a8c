// SPDX-License-Identifier: GPL-2.0
/*
 * Stands for the kernel half in tests of the host half, which can then be built
 * without a kernel and with sanitizers: see host.sh.
 *
 * An operation takes a nanosecond, more so with the feature "FAST", and a
 * decision is made each 10 ms; from the 8th on "FAST" decides otherwise.
 */
#include <stdio.h>
#include <string.h>
#include "sim.h"

struct sim_config k_sim_config;
struct sim_results k_sim_results;
unsigned long long k_sim_now;
unsigned long k_sim_gs_base;
int k_sim_locks_start[1];
extern int k_sim_locks_end[1] __attribute__((alias("k_sim_locks_start")));

static int fast(void)
{
	return strstr(k_sim_config.features, "FAST") != NULL;
}

void k_sim_boot(void)
{
	memset(k_host_alloc(100), 1, 100);
	if (!strcmp(k_sim_config.workload, "refused"))
		k_host_refuse("no workload refused; see --list");
	if (!strcmp(k_sim_config.workload, "fatal"))
		k_host_fatal("something must not be reached");
}

void k_sim_run(unsigned long long until)
{
	struct sim_results *r = &k_sim_results;
	char line[200];

	for (; (r->decisions + 1) * 10000000 <= until; r->decisions++) {
		int n = snprintf(line, sizeof(line), "%llu enqueue task/1 on cpu%d\n",
				 r->decisions, fast() && r->decisions >= 7);

		if (r->decisions >= k_sim_config.trace_from &&
		    r->decisions < k_sim_config.trace_to)
			k_host_trace(line, n);
		if (r->decisions == k_sim_config.state_at)
			k_host_write("the state\n", 10);
		n = snprintf(line, sizeof(line),
			     "{\"name\":\"task 1\",\"ph\":\"X\",\"pid\":0,\"tid\":0,\"ts\":%llu.000,\"dur\":9.500},\n",
			     r->decisions * 10);
		if (k_sim_config.timeline)
			k_host_timeline(line, n);
	}
	k_sim_now = until;
}

void k_sim_reset_results(void)
{
}

void k_sim_finish(void)
{
	struct sim_results *r = &k_sim_results;

	r->ops = k_sim_config.run_ns * (fast() ? 1.1 : 1) + 1000000 * k_sim_config.seed;
	r->hash = fast();
	r->wakeup.bucket[40] = r->wakeup.count = 10;
	r->wakeup.max = 40;
}

void k_sim_invariants_sample(void)
{
}

int k_sim_task_info(int index, struct sim_task_info *info)
{
	if (index)
		return 0;
	memset(info, 0, sizeof(*info));
	strcpy(info->comm, "fifteen letters");
	return 1;
}

int k_sim_describe_ud2(unsigned long ip, int *warning)
{
	(void)ip;
	*warning = 1;
	return 0;
}

int k_sim_list_features(int index, const char **name, int *on)
{
	*name = "FAST";
	*on = 0;
	return !index;
}

const char *k_sim_workload_at(int index, const char **about)
{
	*about = "does nothing";
	return index ? NULL : "nothing";
}
