// SPDX-License-Identifier: GPL-2.0
/* Triage of delayed requeues, of lag while delayed, and of wakeups by interrupts. */
#include <math.h>
#include <stdlib.h>

#include "triage.h"

static const char * const delay_loads[] = {
	"fio-thin", "fio-ext4", "fio-xfs", "stress-ng-pipe", "hackbench", "sleepers",
};

static const char * const irq_loads[] = {
	"fio-virtio", "fio-virtio-far", "fio-thin", "fio-ext4", "fio-xfs", "stress-ng-pipe",
};

#define COUNT(list)	(sizeof(list) / sizeof(*(list)))

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
	const char *worst, *worst_move, *grade, *move;
	char b1[96], b2[96];
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
	}
	fprintf(p->f, "     by other: woken from another CPU. bound: may use that CPU only. waits: something else is\n"
		"     runnable there, if only the waker. movable: waits, while a CPU of that LLC which it may use has nothing queued.\n");
	grade = page_grade(p, delay_loads, COUNT(delay_loads), "requeued", "wakeups", &worst);
	move = page_grade(p, delay_loads, COUNT(delay_loads), "requeued_movable", "wakeups", &worst_move);
	if (!worst || !worst_move) {
		page_answer(p, "delayed_requeue", grade, "The workloads did not run.");
		return;
	}
	page_answer(p, "delayed_requeue", grade,
		    "Wakees left on their CPU since delayed, of the wakeups: %s. Of these a fix that moves them (DELAY_MIGRATE) "
		    "could move, as they wait while an idle CPU is near: %s, %s.",
		    page_bounds(p, worst, "requeued", "wakeups", b1, sizeof(b1)),
		    page_bounds(p, worst_move, "requeued_movable", "wakeups", b2, sizeof(b2)), move);
}

void triage_lag(const struct page *p)
{
	const char *worst, *grade;
	double most = 0;
	char b[96];
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
		if (v[3] > most)
			most = v[3];
	}
	fprintf(p->f, "     pair: a delay (dequeue_task_fair returns false) and the requeue that ends it. grew: by more than\n"
		"     1 us of virtual time. The report itself compares CFS with a branch of 2023; no such pair is at hand.\n");
	grade = page_grade(p, delay_loads, COUNT(delay_loads), "lag_grew", "lag_pairs", &worst);
	if (!worst) {
		page_answer(p, "lag_while_delayed", grade, "No task was woken while delayed.");
		return;
	}
	page_answer(p, "lag_while_delayed", grade,
		    "Lag at the wakeup below that at the delay: %s, by up to %.0f us. DELAY_LAG is to make that 0.",
		    page_bounds(p, worst, "lag_grew", "lag_pairs", b, sizeof(b)), most);
}

void triage_irq(const struct page *p)
{
	const char *worst, *grade;
	char b1[96], b2[96];
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
	}
	fprintf(p->f, "     from idle: the idle task is current. pulled: in a hard interrupt the wakee was moved to its LLC.\n");
	grade = page_grade(p, irq_loads, COUNT(irq_loads), "idle_wakes_cross", "wakeups", &worst);
	if (!worst) {
		page_answer(p, "irq_cross_llc", grade, "The workloads did not run.");
		return;
	}
	page_answer(p, "irq_cross_llc", grade,
		    "An idle CPU's interrupt found the wakee in another LLC: %s; pulled over: %s. wake_affine_idle() still requires a "
		    "shared cache. What that costs is a matter of idle exit times, which TCG lacks: no DMA engine was measured here.",
		    page_bounds(p, worst, "idle_wakes_cross", "wakeups", b1, sizeof(b1)),
		    page_bounds(p, worst, "idle_pulls_cross", "wakeups", b2, sizeof(b2)));
}
