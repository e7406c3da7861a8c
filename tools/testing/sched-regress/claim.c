// SPDX-License-Identifier: GPL-2.0
/* Reads a claim; claims/FORMAT says what each line means. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "claim.h"
#include "util.h"

static int set_string(char **p, const char *value)
{
	free(*p);
	*p = strdup(value);
	return *p ? 0 : -1;
}

static int set_direction(bool *higher, const char *value)
{
	*higher = !strcmp(value, "higher");
	return !*higher && strcmp(value, "lower");
}

/* "5%" is of the value with the bit off, "1" is in the metric's unit. */
static int set_smallest(struct claim *c, char *value)
{
	size_t len = strlen(value);

	c->relative = len && value[len - 1] == '%';
	if (c->relative)
		value[len - 1] = '\0';
	return !to_double(value, &c->smallest) || c->smallest < 0;
}

static int set_bool(bool *b, const char *value)
{
	*b = !strcmp(value, "yes");
	return !*b && strcmp(value, "no");
}

static int set_int(int *n, const char *value)
{
	char *end;

	*n = strtol(value, &end, 10);
	return *end || *n < 1;
}

/* "[WORKLOAD:]METRIC higher|lower MARGIN%" */
static int add_control(struct claim *c, const char *value)
{
	struct control *ctl = &c->control[c->nr_controls];
	char name[128], dir[16], *colon;

	if (c->nr_controls == MAX_CONTROLS)
		return -1;
	if (sscanf(value, "%127s %15s %lf%%", name, dir, &ctl->margin) != 3 ||
	    !(ctl->margin > 0) || set_direction(&ctl->higher_better, dir))
		return -1;
	c->nr_controls++;
	/* The last colon: a workload may carry a ":PARAM" of its own. */
	colon = strrchr(name, ':');
	if (colon) {
		*colon = '\0';
		ctl->workload = strdup(name);
	}
	ctl->metric = strdup(colon ? colon + 1 : name);
	return 0;
}

static int set_line(void *ctx, const char *name, char *value)
{
	struct claim *c = ctx;
	const struct {
		const char *name;
		char **p;
	} strings[] = {
		{ "name", &c->name }, { "proves", &c->proves }, { "report", &c->report },
		{ "workload", &c->workload }, { "workload_short", &c->workload_short },
		{ "topology", &c->topology },
		{ "engines", &c->engines }, { "guest", &c->guest }, { "fixed", &c->fixed },
		{ "off", &c->off }, { "on", &c->on }, { "metric", &c->metric },
	};
	size_t i;

	for (i = 0; i < sizeof(strings) / sizeof(*strings); i++)
		if (!strcmp(name, strings[i].name))
			return set_string(strings[i].p, value);
	if (!strcmp(name, "direction"))
		return set_direction(&c->higher_better, value);
	if (!strcmp(name, "smallest"))
		return set_smallest(c, value);
	if (!strcmp(name, "exact_on"))
		return !to_double(value, &c->exact_on);
	if (!strcmp(name, "blocks"))
		return set_int(&c->blocks, value);
	if (!strcmp(name, "blocks_short"))
		return set_int(&c->blocks_short, value);
	if (!strcmp(name, "required"))
		return set_bool(&c->required, value);
	if (!strcmp(name, "control"))
		return add_control(c, value);
	return -1;
}

int claim_load(struct claim *c, const char *path)
{
	*c = (struct claim){ .exact_on = NAN, .smallest = NAN, .blocks = 8, .blocks_short = 3,
			     .required = true };
	if (read_pairs(path, set_line, c))
		return -1;
	if (!c->fixed)
		c->fixed = strdup("");
	if (!c->guest)
		c->guest = strdup("debian");
	if (!c->name || !c->proves || !c->report || !c->workload || !c->topology ||
	    !c->engines || !c->off || !c->on || !c->metric || isnan(c->smallest))
		return complain(path, "a claim needs name, proves, report, workload, topology, engines, off, on, metric, direction and smallest");
	return 0;
}

void claim_shorten(struct claim *c)
{
	c->blocks = c->blocks_short;
	if (c->workload_short) {
		free(c->workload);
		c->workload = c->workload_short;
		c->workload_short = NULL;
	}
}

void claim_free(struct claim *c)
{
	int i;

	free(c->name);
	free(c->proves);
	free(c->report);
	free(c->workload);
	free(c->workload_short);
	free(c->topology);
	free(c->engines);
	free(c->guest);
	free(c->fixed);
	free(c->off);
	free(c->on);
	free(c->metric);
	for (i = 0; i < c->nr_controls; i++) {
		free(c->control[i].workload);
		free(c->control[i].metric);
	}
}

void claim_arm(const struct claim *c, bool on, char *buf, int len)
{
	snprintf(buf, len, "%s%s%s", c->fixed, *c->fixed ? "," : "", on ? c->on : c->off);
}
