// SPDX-License-Identifier: GPL-2.0
/* The report as one HTML page, with a chart if gnuplot is at hand. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report.h"

static void put_escaped(const char *s, FILE *f)
{
	for (; *s; s++)
		switch (*s) {
		case '&':
			fputs("&amp;", f);
			break;
		case '<':
			fputs("&lt;", f);
			break;
		case '"':
			fputs("&quot;", f);
			break;
		default:
			fputc(*s, f);
		}
}

/* One line an item: its gain as an interval, in per cent. */
void report_chart(const struct report *r, FILE *f)
{
	char tmp[] = "/tmp/sched-regress-XXXXXX", cmd[128], buf[4096];
	int i, fd, drawn = 0;
	FILE *data, *svg;
	size_t n;

	if (system("command -v gnuplot > /dev/null 2>&1"))
		return;
	fd = mkstemp(tmp);
	data = fd < 0 ? NULL : fdopen(fd, "w");
	if (!data)
		return;
	fprintf(data, "set terminal svg size 800,%d\nset xlabel 'gain, %%'\nset xzeroaxis\n"
		"set arrow from 0,graph 0 to 0,graph 1 nohead lt 0\n"
		"set yrange [-1:%d] reverse\nunset key\n$d << E\n", 90 + 22 * r->n, r->n);
	for (i = 0; i < r->n; i++) {
		const struct item *it = &r->items[i];

		if (!it->relative || !it->gain.method)
			continue;
		fprintf(data, "%g %d %g %g \"%s %s\"\n", (it->gain.lo + it->gain.hi) / 2, drawn++,
			it->gain.lo, it->gain.hi, it->workload, it->metric);
	}
	fprintf(data, "E\nplot $d using 1:2:3:4:yticlabels(5) with xerrorbars pt 7\n");
	fclose(data);
	snprintf(cmd, sizeof(cmd), "gnuplot %s 2> /dev/null", tmp);
	svg = drawn ? popen(cmd, "r") : NULL;
	/* The XML prologue of a file of its own has no place inside a page. */
	while (svg && fgets(buf, sizeof(buf), svg) && !strstr(buf, "<svg"))
		;
	if (svg && strstr(buf, "<svg")) {
		fputs(buf, f);
		while ((n = fread(buf, 1, sizeof(buf), svg)))
			fwrite(buf, 1, n, f);
	}
	if (svg)
		pclose(svg);
	unlink(tmp);
}

static void put_arm(const struct arm_summary *a, FILE *f)
{
	if (a->n)
		fprintf(f, "<td>%.6g &plusmn; %.3g (%zu)</td>", a->median, a->mad, a->n);
	else
		fprintf(f, "<td>none</td>");
}

static void put_item(const struct item *it, FILE *f)
{
	fprintf(f, "<tr class=%s><td>%s</td><td>", verdict_name[it->verdict],
		verdict_name[it->verdict]);
	put_escaped(it->what, f);
	fprintf(f, "</td><td>");
	put_escaped(it->workload, f);
	fprintf(f, "</td><td>");
	put_escaped(it->unit, f);
	fprintf(f, "</td>");
	put_arm(&it->off, f);
	put_arm(&it->on, f);
	if (it->gain.method)
		fprintf(f, "<td>%.4g..%.4g%s</td><td>", it->gain.lo, it->gain.hi,
			it->relative ? " %" : "");
	else
		fprintf(f, "<td></td><td>");
	put_escaped(it->reason, f);
	fprintf(f, "</td></tr>\n");
}

void report_html(const struct report *r, FILE *f)
{
	int i;

	fputs("<!doctype html>\n<meta charset=utf-8>\n<title>sched-regress</title>\n<style>\n"
	      "body { font: 14px sans-serif; margin: 2em }\n"
	      "table { border-collapse: collapse } td, th { padding: 2px 8px; text-align: left }\n"
	      ".pass td:first-child { background: #cec } .fail td:first-child { background: #ecc }\n"
	      ".inconclusive td:first-child { background: #eec }\n"
	      "</style>\n<h1>sched-regress</h1>\n<pre>", f);
	print_kernel(r->samples, f);
	print_summary(r, f);
	fputs("</pre>\n", f);
	report_chart(r, f);
	for (i = 0; i < r->n; i++) {
		const struct item *it = &r->items[i];

		if (!i || strcmp(it->claim, r->items[i - 1].claim)) {
			fprintf(f, "%s<h2>", i ? "</table>\n" : "");
			put_escaped(it->claim, f);
			fprintf(f, "</h2>\n<p>");
			put_escaped(it->proves, f);
			fputs("\n<table><tr><th>verdict<th>what<th>workload<th>unit"
			      "<th>off: median &plusmn; MAD (n)<th>on<th>gain<th>why</tr>\n", f);
		}
		put_item(it, f);
	}
	fputs("</table>\n", f);
}
