// SPDX-License-Identifier: GPL-2.0
/* Parsers of tracefs: named hist triggers, and the lag at delay and at requeue. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"
#include "util.h"

#define MAX_HISTS	128

struct hists {
	struct {
		char name[64];
		unsigned long long hits;
	} h[MAX_HISTS];
	int n;
	unsigned long long lost;
};

/*
 * Of each histogram only its name and its totals matter: a counter is a hist
 * trigger whose filter says what it counts, see guest/counters.
 */
static int read_hists(const char *path, struct hists *hs)
{
	static const char info[] = "# trigger info: hist:name=";
	unsigned long long hits = 0, dropped;
	char line[8192], name[64] = "";
	bool have_hits = false;
	FILE *f = fopen(path, "r");

	*hs = (struct hists){ .n = 0 };
	if (!f)
		return complain(path, "%s", strerror(errno));
	while (hs->n < MAX_HISTS && fgets(line, sizeof(line), f)) {
		char *s = trim(line);

		if (!strncmp(s, info, sizeof(info) - 1)) {
			if (*name)
				break;	/* the one before had no totals */
			if (sscanf(s + sizeof(info) - 1, "%63[^: ]", name) != 1)
				break;
			have_hits = false;
		} else if (sscanf(s, "Hits: %llu", &hits) == 1) {
			have_hits = true;
		} else if (*name && have_hits && sscanf(s, "Dropped: %llu", &dropped) == 1) {
			strcpy(hs->h[hs->n].name, name);
			hs->h[hs->n++].hits = hits;
			hs->lost += dropped;
			*name = '\0';
		}
	}
	fclose(f);
	if (*name)
		return complain(path, "histogram %s has no totals; the file is cut off", name);
	return hs->n ? 0 : complain(path, "no named histogram in it");
}

/* The difference of two readings: setting up triggers anew costs a guest seconds. */
int parse_hist(const char *before_path, const char *path, FILE *out)
{
	struct hists before, after;
	int i;

	if (read_hists(before_path, &before) || read_hists(path, &after))
		return -1;
	if (before.n != after.n)
		return complain(path, "%d histograms, but %d before", after.n, before.n);
	for (i = 0; i < after.n; i++) {
		if (strcmp(before.h[i].name, after.h[i].name) ||
		    before.h[i].hits > after.h[i].hits)
			return complain(path, "histogram %s does not continue %s", after.h[i].name,
					before.h[i].name);
		fprintf(out, "%s %llu events count\n", after.h[i].name,
			after.h[i].hits - before.h[i].hits);
	}
	fprintf(out, "lost %llu\n", after.lost - before.lost);
	return 0;
}

#define LAG_GRAIN	1000	/* ns of virtual time: less is rounding of V, not growth */
#define TICK_NSEC(hz)	(1000000000LL / (hz))
#define NICE_0_LOAD	(1 << 20)	/* as se->load.weight has it: with 10 bits of fraction */

struct delay {
	int pid;
	int64_t lag;
	bool open;
};

struct lag_stats {
	unsigned long long delays, requeues, pairs, grew;
	int64_t worst;
};

static int64_t scale_load_down(int64_t w)
{
	return w >> 10 > 2 ? w >> 10 : 2;
}

/* entity_lag() of the kernel: V - v within what a task may owe or be owed. */
static int64_t lag_of(int64_t vr, int64_t w, int64_t slice, int64_t sum, int64_t load,
		      int64_t zero, int64_t cvr, int64_t cw, int64_t on, int hz)
{
	int64_t v = zero, lag, limit, q;

	if (on) {
		sum += (cvr - zero) * scale_load_down(cw);
		load += scale_load_down(cw);
	}
	if (load) {
		q = sum / load;
		if (sum % load && sum < 0)
			q--;	/* the kernel rounds down, C towards zero */
		v += q;
	}
	lag = v - vr;
	limit = 2 * slice > TICK_NSEC(hz) ? 2 * slice : TICK_NSEC(hz);
	limit = limit * NICE_0_LOAD / w;
	return lag < -limit ? -limit : lag > limit ? limit : lag;
}

static struct delay *find(struct delay **d, size_t *n, int pid)
{
	size_t i;

	for (i = 0; i < *n; i++)
		if ((*d)[i].pid == pid)
			return &(*d)[i];
	*d = realloc(*d, (*n + 1) * sizeof(**d));
	if (!*d)
		abort();
	(*d)[*n] = (struct delay){ .pid = pid };
	return &(*d)[(*n)++];
}

static void lag_close(struct lag_stats *st, struct delay *d, int64_t lag)
{
	st->requeues++;
	if (!d->open)
		return;		/* delayed before the count began */
	d->open = false;
	st->pairs++;
	if (lag < d->lag - LAG_GRAIN) {
		st->grew++;
		if (d->lag - lag > st->worst)
			st->worst = d->lag - lag;
	}
}

/*
 * Lines of the kprobe events of guest/counters.sh, in time order:
 *   ... delay: (...) pid=1 vr=.. w=.. slice=.. sum=.. load=.. zero=.. cvr=.. cw=.. on=..
 *   ... requeue: (...) pid=1 vlag=..
 * A line "# hz N" gives the tick. The lag at delay is computed from the fields,
 * the lag at requeue is the one the kernel stored.
 */
int parse_lag(const char *path, FILE *out)
{
	int64_t vr, w, slice, sum, load, zero, cvr, cw, on, vlag;
	struct lag_stats st = {};
	struct delay *d = NULL;
	size_t n = 0;
	int pid, hz = 0, ret = 0;
	char line[1024];
	FILE *f = fopen(path, "r");

	if (!f)
		return complain(path, "%s", strerror(errno));
	while (!ret && fgets(line, sizeof(line), f)) {
		char *s;

		if (sscanf(line, "# hz %d", &hz) == 1)
			continue;
		s = strstr(line, " delay: ");
		if (s && (s = strstr(s, "pid="))) {
			struct delay *one;

			if (hz <= 0 || sscanf(s, "pid=%d vr=%" SCNd64 " w=%" SCNd64 " slice=%" SCNd64
					      " sum=%" SCNd64 " load=%" SCNd64 " zero=%" SCNd64 " cvr=%" SCNd64
					      " cw=%" SCNd64 " on=%" SCNd64, &pid, &vr, &w, &slice, &sum, &load,
					      &zero, &cvr, &cw, &on) != 10 || w <= 0) {
				ret = complain(path, "damaged line: %s", trim(line));
				break;
			}
			one = find(&d, &n, pid);
			one->lag = lag_of(vr, w, slice, sum, load, zero, cvr, cw, on, hz);
			one->open = true;
			st.delays++;
			continue;
		}
		s = strstr(line, " requeue: ");
		if (s && (s = strstr(s, "pid="))) {
			if (sscanf(s, "pid=%d vlag=%" SCNd64, &pid, &vlag) != 2)
				ret = complain(path, "damaged line: %s", trim(line));
			else
				lag_close(&st, find(&d, &n, pid), vlag);
		}
	}
	fclose(f);
	free(d);
	if (ret)
		return ret;
	fprintf(out, "lag_delays %llu events count\nlag_requeues %llu events count\n",
		st.delays, st.requeues);
	fprintf(out, "lag_pairs %llu events count\nlag_grew %llu events count\n", st.pairs, st.grew);
	if (st.pairs)
		fprintf(out, "lag_grew_share %.4f %% count\n", 100.0 * st.grew / st.pairs);
	fprintf(out, "lag_worst %.3f us count\n", st.worst / 1e3);
	return 0;
}
