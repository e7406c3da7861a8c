// SPDX-License-Identifier: GPL-2.0
/* Triage of how wakeups reach another CPU: by its wakelist and an IPI, or directly. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "triage.h"

static const int sizes[] = { 64, 128, 256, 1024, 2048, 3312, 4096, 8192, 16384 };
static const char * const idle[] = { "hlt", "poll" };

#define COUNT(list)	(sizeof(list) / sizeof(*(list)))

struct kinds {
	double messages, wakeups, same_idle, same_busy, direct_idle, direct_busy, delayed;
	double cross, ipi, resched, saved;
};

/* All but messages are per 1000 messages that the receiver got. */
static struct kinds count(const struct page *p, const char *workload, const char *arm)
{
	struct kinds k = { .messages = page_sum(p, workload, arm, "received") };
	double m = k.messages > 0 ? k.messages / 1000 : NAN;

	k.wakeups = page_sum(p, workload, arm, "wakeups") / m;
	k.same_idle = page_sum(p, workload, arm, "queued_same_idle") / m;
	k.same_busy = page_sum(p, workload, arm, "queued_same_busy") / m;
	k.direct_idle = page_sum(p, workload, arm, "direct_same_idle") / m;
	k.direct_busy = page_sum(p, workload, arm, "direct_same_busy") / m;
	k.delayed = page_sum(p, workload, arm, "requeued_remote") / m;
	k.cross = (page_sum(p, workload, arm, "queued_cross_idle") +
		   page_sum(p, workload, arm, "queued_cross_busy") +
		   page_sum(p, workload, arm, "direct_cross_idle") +
		   page_sum(p, workload, arm, "direct_cross_busy")) / m;
	k.ipi = page_sum(p, workload, arm, "ipi_call") / m;
	k.resched = page_sum(p, workload, arm, "ipi_resched") / m;
	k.saved = page_sum(p, workload, arm, "ipi_saved") / m;
	return k;
}

static void row(const struct page *p, int size, const char *arm, const struct kinds *k)
{
	const double v[] = {
		k->wakeups, k->same_idle, k->same_busy, k->direct_idle, k->direct_busy,
		k->delayed, k->cross, k->ipi, k->resched, k->saved,
	};
	size_t i;

	fprintf(p->f, "     %5d %-4s", size, arm);
	page_cell(p, k->messages, 9, 0);
	for (i = 0; i < COUNT(v); i++)
		page_cell(p, v[i], 8, 1);
	fputc('\n', p->f);
}

/* The question of the report: inside an LLC, does a wakeup ever go by the wakelist? */
static void answer(const struct page *p, double queued, double direct, double busy)
{
	double all = queued + direct;

	if (!(all > 0)) {
		page_answer(p, "wakelist", "not measured", "No wakeup between CPUs was counted.");
		return;
	}
	page_answer(p, "wakelist", queued > 0 ? "gone" : "there",
		    "The report's kernel never used the wakelist inside an LLC; this one queues %.1f %% of the wakeups that "
		    "cross CPUs inside it, to targets with nothing queued. %.1f %% are done directly, %.1f %% of all to a busy target. "
		    "A new rule (TTWU_COND) could change no more than these and the delayed ones: with both ends pinned there is nothing left to gain by queueing more.",
		    100 * queued / all, 100 * direct / all, 100 * busy / all);
}

void triage_wakelist(const struct page *p)
{
	double queued = 0, direct = 0, busy = 0;
	char workload[32];
	size_t s, i;

	fprintf(p->f, "\n3. ttwu-ipi-udp-stream: netperf UDP_STREAM, receiver on CPU 0, sender on CPU 1 of one LLC;\n"
		"   per 1000 messages received\n"
		"     %5s %-4s %9s %8s %8s %8s %8s %8s %8s %8s %8s %8s %8s\n"
		"     %5s %-4s %9s %8s %8s %8s %8s %8s %8s %8s %8s %8s %8s\n",
		"bytes", "idle", "messages", "wakeups", "queued", "queued", "direct", "direct", "delayed",
		"cross", "IPI", "IPI", "IPI",
		"", "", "", "", "idle", "busy", "idle", "busy", "", "LLC", "call", "resched", "saved");
	for (s = 0; s < COUNT(sizes); s++)
		for (i = 0; i < COUNT(idle); i++) {
			struct kinds k;

			snprintf(workload, sizeof(workload), "netperf-udp:%d", sizes[s]);
			k = count(p, workload, idle[i]);
			row(p, sizes[s], idle[i], &k);
			if (isnan(k.wakeups))
				continue;
			queued += k.same_idle + k.same_busy;
			direct += k.direct_idle + k.direct_busy;
			busy += k.direct_busy;
		}
	fprintf(p->f, "     idle/busy: nothing/something queued on the target. saved: the target polls, no IPI is sent.\n"
		"     HLT does not poll, MWAIT does; poll is idle=poll. IPI call: all of call_function_single, not wakeups only.\n");
	answer(p, queued, direct, busy);
}
