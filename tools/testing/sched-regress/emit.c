// SPDX-License-Identifier: GPL-2.0
/* Turns the lines of the parsers into JSON samples. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"
#include "util.h"

#define MAX_METRICS	128

/* "block=3" becomes a number, everything else a string. */
static int add_keys(json_t *sample, const char *keys)
{
	char *copy = strdup(keys), *save = NULL, *pair;
	int ret = 0;

	for (pair = strtok_r(copy, ";", &save); pair && !ret; pair = strtok_r(NULL, ";", &save)) {
		char *eq = strchr(pair, '=');

		if (!eq) {
			ret = complain("emit", "'%s' is not name=value", pair);
			break;
		}
		*eq = '\0';
		if (!strcmp(pair, "block"))
			json_object_set_new(sample, pair, json_integer(atoi(eq + 1)));
		else if (!strcmp(pair, "warmup"))
			json_object_set_new(sample, pair, json_boolean(!strcmp(eq + 1, "1")));
		else
			json_object_set_new(sample, pair, json_string(eq + 1));
	}
	free(copy);
	return ret;
}

int emit_samples(FILE *in, const char *keys, FILE *out)
{
	char line[256], metric[64], unit[32], kind[16], number[64];
	json_t *list[MAX_METRICS];
	double value, own[MAX_METRICS] = { 0 }, lost = 0;
	int i, n = 0, ret = 0, fields;

	while (!ret && fgets(line, sizeof(line), in)) {
		if (sscanf(line, "lost %lf", &value) == 1) {
			lost += value;
			continue;
		}
		fields = n < MAX_METRICS ? sscanf(line, "%63s %63s %31s %15s %lf", metric, number, unit,
						  kind, &own[n]) : 0;
		if (fields < 4 || !to_double(number, &value)) {
			ret = complain("emit", "no 'METRIC VALUE UNIT KIND [LOST]': %s", trim(line));
			break;
		}
		list[n] = json_object();
		ret = add_keys(list[n], keys);
		json_object_set_new(list[n], "metric", json_string(metric));
		json_object_set_new(list[n], "unit", json_string(unit));
		json_object_set_new(list[n], "kind", json_string(kind));
		json_object_set_new(list[n], "value", json_real(value));
		n++;
	}
	for (i = 0; i < n; i++) {
		if (!ret) {
			json_object_set_new(list[i], "lost", json_real(lost + own[i]));
			json_dumpf(list[i], out, JSON_REAL_PRECISION(12));
			fputc('\n', out);
		}
		json_decref(list[i]);
	}
	return ret;
}
