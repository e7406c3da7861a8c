// SPDX-License-Identifier: GPL-2.0
/* Triage of zone->lock: what shares its cacheline, from the compiled structure. */
#include <stdlib.h>
#include <string.h>

#include "triage.h"
#include "util.h"

static const char * const fields[] = {
	"free_area", "unaccepted_pages", "flags", "lock", "percpu_drift_mark",
};

#define COUNT(list)	(sizeof(list) / sizeof(*(list)))

struct zone {
	double at[COUNT(fields)], size[COUNT(fields)];
	double line, types, orders;
};

static int set_offset(void *ctx, const char *name, char *value)
{
	struct zone *z = ctx;
	double ignored;
	size_t i;

	for (i = 0; i < COUNT(fields); i++) {
		if (!strncmp(name, "zone_size_", 10) && !strcmp(name + 10, fields[i]))
			return !to_double(value, &z->size[i]);
		if (!strncmp(name, "zone_", 5) && !strcmp(name + 5, fields[i]))
			return !to_double(value, &z->at[i]);
	}
	if (!strcmp(name, "cacheline"))
		return !to_double(value, &z->line);
	if (!strcmp(name, "migrate_types"))
		return !to_double(value, &z->types);
	if (!strcmp(name, "zone_orders"))
		return !to_double(value, &z->orders);
	/* The rest is for the kprobes, but must be numbers too. */
	return !to_double(value, &ignored);
}

void triage_zone(const struct page *p)
{
	struct zone z = { .line = 0 };
	const size_t lock = 3, flags = 2;
	double first, last;
	int shares = 0;
	size_t i;

	fprintf(p->f, "\n5. zone-lock-cacheline: what shares the line of zone->lock, from the compiled struct zone\n");
	if (!p->offsets || read_pairs(p->offsets, set_offset, &z) || !z.line || !z.size[lock]) {
		page_answer(p, "zone_lock", "not measured", "offsets.sh gave no struct zone.");
		return;
	}
	first = (int)(z.at[lock] / z.line) * z.line;
	last = first + z.line - 1;
	fprintf(p->f, "     %.0f migrate types, %.0f orders, lines of %.0f bytes; the lock's line is bytes %.0f to %.0f\n",
		z.types, z.orders, z.line, first, last);
	for (i = 0; i < COUNT(fields); i++) {
		if (!z.size[i] || z.at[i] > last || z.at[i] + z.size[i] <= first)
			continue;
		fprintf(p->f, "     %-20s bytes %.0f to %.0f\n", fields[i], z.at[i],
			z.at[i] + z.size[i] - 1);
		shares += i == flags;
	}
	fprintf(p->f, "     again: tools/testing/sched-regress/offsets/offsets.sh O_DIR WORK_DIR\n");
	page_answer(p, "zone_lock", shares ? "there, in another form" : "gone",
		    "The report's own layout (lock on the line of the order-0 lists, byte %.0f) is gone since 2015. %s",
		    z.at[0], shares ?
		    "What is left in this configuration: zone->flags, which the fast paths read without the lock, shares its line." :
		    "In this configuration nothing that is read without the lock shares its line.");
}
