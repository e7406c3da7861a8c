// SPDX-License-Identifier: GPL-2.0
/* Triage of delayed requeues, of lag while delayed, and of wakeups by interrupts. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "triage.h"

static const char * const delay_loads[] = {
	"fio-thin", "fio-ext4", "fio-xfs", "stress-ng-pipe", "hackbench", "sleepers",
};

static const char * const irq_loads[] = {
	"fio-virtio", "fio-virtio-far", "fio-thin", "fio-ext4", "fio-xfs", "stress-ng-pipe",
};

#define COUNT(list)	(sizeof(list) / sizeof(*(list)))

static double larger(double a, double b)
{
	return isnan(b) || a > b ? a : b;
}

/* "gone" is exactly none: a few are rare, and one that nobody looked for is neither. */
static const char *grade(double most)
{
	if (most == 0)
		return "gone";
	return most < FEW ? "rare" : "there";
}

static bool unmeasured(const struct page *p, const char *section, double most)
{
	if (isnan(most))
		page_answer(p, section, "not measured",
			    "The workloads did not run, or left fewer than %d events.", ENOUGH);
	return isnan(most);
}

static void row(const struct page *p, const char *name, const double *v, size_t n)
{
	size_t i;

	if (isnan(v[0])) {
		fprintf(p->f, "     %-20s not measured\n", name);
		return;
	}
	fprintf(p->f, "     %-20s", name);
	for (i = 0; i < n; i++)
		page_cell(p, v[i], 9, i ? 2 : 0);
	fputc('\n', p->f);
}

/* Shares are of the wakeups or of the requeues; see guest/counters for each. */
void triage_delay(const struct page *p)
{
	double share = NAN, movable = NAN;
	size_t i;

	fprintf(p->f, "\n1. delayed-dequeue-fio: a wakee whose dequeue is delayed is requeued where it slept\n"
		"     %-20s %9s %9s %9s %9s %9s %9s %9s\n     %-20s %9s %9s %9s %9s %9s %9s %9s\n",
		"", "wakeups", "delayed", "requeued", "by other", "bound", "waits", "movable",
		"", "", "%wakeups", "%wakeups", "%requeue", "%requeue", "%requeue", "%wakeups");
	for (i = 0; i < COUNT(delay_loads); i++) {
		const char *w = delay_loads[i];
		double v[] = {
			page_sum(p, w, "hlt", "wakeups"),
			page_share(p, w, "hlt", "delayed", "wakeups"),
			page_share(p, w, "hlt", "requeued", "wakeups"),
			page_share(p, w, "hlt", "requeued_remote", "requeued"),
			page_share(p, w, "hlt", "requeued_bound", "requeued"),
			page_share(p, w, "hlt", "requeued_waits", "requeued"),
			page_share(p, w, "hlt", "requeued_movable", "wakeups"),
		};

		row(p, w, v, COUNT(v));
		if (v[0] >= ENOUGH) {
			share = larger(v[2], share);
			movable = larger(v[6], movable);
		}
	}
	fprintf(p->f, "     by other: woken from another CPU. bound: may use that CPU only. waits: something else is\n"
		"     runnable there, if only the waker. movable: waits, while a CPU of that LLC which it may use has nothing queued.\n");
	if (unmeasured(p, "delayed_requeue", share))
		return;
	page_answer(p, "delayed_requeue", grade(share),
		    "Up to %.2f %% of wakeups find the wakee delayed and leave it on its CPU; up to %.2f %% wait there "
		    "although an idle CPU is near. A fix that moves them (DELAY_MIGRATE) can change no more than that; "
		    "%s", share, movable, movable >= FEW ? "it is worth trying." : "it is hardly worth its cost.");
}

void triage_lag(const struct page *p)
{
	double most = NAN, worst = NAN;
	size_t i;

	fprintf(p->f, "\n2. eevdf-lag-placement: lag that grows more negative while the dequeue is delayed\n"
		"     %-20s %9s %9s %9s %9s\n", "", "pairs", "grew", "grew %", "worst us");
	for (i = 0; i < COUNT(delay_loads); i++) {
		const char *w = delay_loads[i];
		double v[] = {
			page_sum(p, w, "hlt", "lag_pairs"),
			page_sum(p, w, "hlt", "lag_grew"),
			page_share(p, w, "hlt", "lag_grew", "lag_pairs"),
			page_max(p, w, "hlt", "lag_worst"),
		};

		row(p, w, v, COUNT(v));
		if (v[0] >= ENOUGH)
			most = larger(v[2], most);
		worst = larger(v[3], worst);
	}
	fprintf(p->f, "     pair: a delay (dequeue_task_fair returns false) and the requeue that ends it. grew: by more than\n"
		"     1 us of virtual time. The report itself compares CFS with a branch of 2023; no such pair is at hand.\n");
	if (unmeasured(p, "lag_while_delayed", most))
		return;
	page_answer(p, "lag_while_delayed", grade(most),
		    "In up to %.2f %% of delayed wakeups (workloads with %d pairs or more) the lag fell below that at the delay, "
		    "by up to %.0f us. DELAY_LAG is to make that 0.", most, ENOUGH, worst);
}

void triage_irq(const struct page *p)
{
	double most = NAN, pulled = NAN;
	size_t i;

	fprintf(p->f, "\n4. dma-engine-wake-affine: an interrupt on an idle CPU wakes a task that slept in another LLC\n"
		"     %-20s %9s %9s %9s %9s %9s\n     %-20s %9s %9s %9s %9s %9s\n",
		"", "wakeups", "from idle", "hard irq", "other LLC", "pulled",
		"", "", "%wakeups", "%wakeups", "%wakeups", "%wakeups");
	for (i = 0; i < COUNT(irq_loads); i++) {
		const char *w = irq_loads[i];
		double v[] = {
			page_sum(p, w, "hlt", "wakeups"),
			page_share(p, w, "hlt", "idle_wakes", "wakeups"),
			page_share(p, w, "hlt", "idle_wakes_hardirq", "wakeups"),
			page_share(p, w, "hlt", "idle_wakes_cross", "wakeups"),
			page_share(p, w, "hlt", "idle_pulls_cross", "wakeups"),
		};

		row(p, w, v, COUNT(v));
		if (v[0] >= ENOUGH) {
			most = larger(v[3], most);
			pulled = larger(v[4], pulled);
		}
	}
	fprintf(p->f, "     from idle: the idle task is current. pulled: in a hard interrupt the wakee was moved to its LLC.\n");
	if (unmeasured(p, "irq_cross_llc", most))
		return;
	page_answer(p, "irq_cross_llc", grade(most),
		    "Up to %.2f %% of wakeups come from an idle CPU's interrupt and find the wakee in another LLC; %.2f %% are "
		    "pulled over. wake_affine_idle() still requires a shared cache. What it costs is a matter of idle exit "
		    "times, which TCG lacks: no DMA engine was measured here.", most, pulled);
}
