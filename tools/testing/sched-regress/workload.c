// SPDX-License-Identifier: GPL-2.0
/* Reads workloads/NAME/description. */
#include <stdlib.h>
#include <string.h>

#include "util.h"
#include "workload.h"

static int set_line(void *ctx, const char *name, char *value)
{
	struct workload *w = ctx;
	const struct {
		const char *name;
		char **p;
	} strings[] = {
		{ "title", &w->title }, { "metric", &w->metric }, { "unit", &w->unit },
		{ "report", &w->report }, { "bad_at", &w->bad_at }, { "ops", &w->ops },
	};
	size_t i;

	for (i = 0; i < sizeof(strings) / sizeof(*strings); i++)
		if (!strcmp(name, strings[i].name)) {
			free(*strings[i].p);
			*strings[i].p = strdup(value);
			return 0;
		}
	return -1;
}

int workload_load(struct workload *w, const char *dir, const char *name)
{
	char path[4096];

	memset(w, 0, sizeof(*w));
	snprintf(path, sizeof(path), "%s/%.*s/description", dir, (int)strcspn(name, ":"), name);
	if (read_pairs(path, set_line, w))
		return -1;
	if (!w->title || !w->metric || !w->unit || !w->report || !w->bad_at || !w->ops)
		return complain(path, "a description needs title, metric, unit, ops, report and bad_at");
	return 0;
}

void workload_free(struct workload *w)
{
	free(w->title);
	free(w->metric);
	free(w->unit);
	free(w->report);
	free(w->bad_at);
	free(w->ops);
}
