// SPDX-License-Identifier: GPL-2.0
/* The parsers on output of the shape the tools print, whole and damaged. */
#include "unit.h"

#include "parse.h"

/* Runs a parser on @text; its output, or NULL if it refused. */
static const char *parsed(int (*parse)(const char *, FILE *), const char *text)
{
	static char out[4096];
	FILE *f = fmemopen(out, sizeof(out), "w");
	int ret;

	memset(out, 0, sizeof(out));
	hear_errors();
	ret = parse(write_file("in", text), f);
	assert_int_equal(errors_heard(), ret ? 1 : 0);
	fclose(f);
	return ret ? NULL : out;
}

#define FIO(error, ios) \
	"{\"jobs\":[{\"error\":" error ",\"write\":{\"total_ios\":" ios ",\"bw_bytes\":51200000," \
	"\"clat_ns\":{\"percentile\":{\"99.000000\":4200}}},\"read\":{\"total_ios\":0,\"bw_bytes\":0}}]}"

static void test_fio(void **state)
{
	(void)state;
	assert_string_equal(parsed(parse_fio, FIO("0", "12500")),
		"bw 51.200 MB/s time\nios 12500 ios count\nclat_p99 4.2 us time\n");
	assert_non_null(parsed(parse_fio, "note: both iodepth >= 1\n" FIO("0", "1") "\n"));
	assert_null(parsed(parse_fio, ""));
	assert_null(parsed(parse_fio, "fio: no such file\n"));
	assert_null(parsed(parse_fio, "{\"jobs\":[{\"error\":0,\"wri"));
	assert_null(parsed(parse_fio, "{\"jobs\":[]}"));
	assert_null(parsed(parse_fio, FIO("28", "12500")));
	assert_null(parsed(parse_fio, FIO("0", "0")));
}

static void test_netperf(void **state)
{
	(void)state;
	assert_string_equal(parsed(parse_netperf, "212992 1024 2.00 48211 0 197.50\n212992 2.00 48100 197.05\n\n"),
		"tput 197.50 Mbit/s time\nsent 48211 messages count\nreceived 48100 messages count\n");
	assert_null(parsed(parse_netperf, ""));
	assert_null(parsed(parse_netperf, "establish control: are you sure there is a netserver?\n"));
	assert_null(parsed(parse_netperf, "212992 1024 2.00 48211 0 197.50\n"));
	assert_null(parsed(parse_netperf, "212992 1024 2.00 0 0 0.00\n212992 2.00 0 0.00\n"));
}

static void test_stress_ng(void **state)
{
	(void)state;
	assert_string_equal(parsed(parse_stress_ng, "metrics:\n    - stressor: pipe\n      bogo-ops: 900\n"
		"      bogo-ops-per-second-usr-sys-time: 70.5\n      bogo-ops-per-second-real-time: 300.25\n"),
		"ops_rate 300.25 bogo-ops/s time\nops 900 bogo-ops count\n");
	assert_null(parsed(parse_stress_ng, ""));
	assert_null(parsed(parse_stress_ng, "      bogo-ops: 900\n"));
	assert_null(parsed(parse_stress_ng, "      bogo-ops: nan\n      bogo-ops-per-second-real-time: nan\n"));
}

#define HACKBENCH	"Running in process mode with 2 groups using 10 file descriptors each (== 20 tasks)\n" \
	"Each sender will pass 60 messages of 100 bytes\nTime: 1.250\n"

static void test_hackbench(void **state)
{
	(void)state;
	assert_string_equal(parsed(parse_hackbench, HACKBENCH), "time 1.250 s time\nmessages 3000 messages count\n");
	assert_null(parsed(parse_hackbench, ""));
	assert_null(parsed(parse_hackbench, "Time: 1.250\n"));
	assert_null(parsed(parse_hackbench, "fork: Resource temporarily unavailable\n"));
}

#define HIST(name, hits, drops) \
	"# event histogram\n#\n# trigger info: hist:name=" name ":keys=common_cpu:vals=hitcount:size=2048 if pid==0 [active]\n#\n\n" \
	"{ common_cpu:          1 } hitcount:          7\n\nTotals:\n    Hits: " hits "\n    Entries: 1\n    Dropped: " drops "\n"

/* As the guest does it, with a first reading in which all is 0. */
static int hist_from_zero(const char *path, FILE *out)
{
	char before[512], line[512];
	FILE *in = fopen(path, "r"), *f;

	snprintf(before, sizeof(before), "%s/before", scratch());
	f = fopen(before, "w");
	while (in && f && fgets(line, sizeof(line), in))
		fputs(strstr(line, "Hits:") ? "    Hits: 0\n" : line, f);
	fclose(in);
	fclose(f);
	return parse_hist(before, path, out);
}

static void test_hist(void **state)
{
	char before[512];

	(void)state;
	assert_string_equal(parsed(hist_from_zero, HIST("a", "7", "0") "\n\n" HIST("b", "0", "3")),
		"a 7 events count\nb 0 events count\nlost 0\n");
	assert_null(parsed(hist_from_zero, ""));
	assert_null(parsed(hist_from_zero, "# trigger info: hist:name=a:keys=common_cpu\n#\nTotals:\n    Hits: 7\n"));
	assert_null(parsed(hist_from_zero, "# trigger info: hist:name=a:keys=x\n" HIST("b", "1", "0")));

	snprintf(before, sizeof(before), "%s", write_file("first", HIST("a", "7", "1")));
	assert_int_equal(parse_hist(before, write_file("second", HIST("a", "9", "4")), stdout), 0);
	hear_errors();
	assert_int_equal(parse_hist(before, write_file("second", HIST("a", "6", "1")), stdout), -1);
	assert_int_equal(parse_hist(before, write_file("second", HIST("b", "9", "1")), stdout), -1);
	assert_int_equal(errors_heard(), 2);
}

/*
 * One task of weight 1024 (1048576 unscaled) at v = 5000000 beside curr at
 * 0 with the same weight: V = 2500000, lag -2500000.
 */
#define DELAY(pid) \
	" a-1 [000] d..3. 1.000001: delay: (x <- dequeue_task_fair) pid=" pid " vr=5000000 w=1048576 slice=3000000" \
	" sum=5120000000 load=1024 zero=0 cvr=0 cw=1048576 on=1 ok=0\n"
#define REQUEUE(pid, lag) \
	" a-1 [000] d..3. 1.000002: requeue: (x <- enqueue_task_fair) pid=" pid " vlag=" lag " fl=521\n"

static void test_lag(void **state)
{
	(void)state;
	/* Grew by 500 us; then the same again but not grown; one requeue without its delay. */
	assert_string_equal(parsed(parse_lag, "# hz 250\n" DELAY("7") REQUEUE("7", "-3000000") DELAY("7")
		REQUEUE("7", "-2500000") REQUEUE("9", "-9000000")),
		"lag_delays 2 events count\nlag_requeues 3 events count\nlag_pairs 2 events count\n"
		"lag_grew 1 events count\nlag_grew_share 50.0000 % count\nlag_worst 500.000 us count\n");
	/* Within the grain: V is rounded. */
	assert_non_null(strstr(parsed(parse_lag, "# hz 250\n" DELAY("7") REQUEUE("7", "-2500900")),
			       "lag_grew 0 "));
	/* V = -1/1024 is rounded down to -1, so 1000 ns below that is still the grain. */
	assert_non_null(strstr(parsed(parse_lag, "# hz 250\n x delay: pid=7 vr=0 w=1048576 slice=1 sum=-1"
		" load=1024 zero=0 cvr=0 cw=0 on=0\n" REQUEUE("7", "-1001")), "lag_grew 0 "));
	assert_null(strstr(parsed(parse_lag, "# hz 250\n"), "share"));
	assert_null(parsed(parse_lag, DELAY("7")));	/* without hz the clamp is unknown */
	assert_null(parsed(parse_lag, "# hz 250\n x delay: pid=7 vr=50\n"));
	assert_null(parsed(parse_lag, "# hz 250\n x requeue: pid=7 vlag=(fault)\n"));
}

static const char *emitted(const char *lines, const char *keys)
{
	static char out[4096];
	FILE *in = fmemopen((char *)lines, strlen(lines), "r"), *f = fmemopen(out, sizeof(out), "w");
	int ret;

	memset(out, 0, sizeof(out));
	hear_errors();
	ret = emit_samples(in, keys, f);
	assert_int_equal(errors_heard(), ret ? 1 : 0);
	fclose(f);
	fclose(in);
	return ret ? NULL : out;
}

static void test_emit(void **state)
{
	(void)state;
	assert_string_equal(emitted("m 1.5 MB/s time\nlost 2\nlost 1\n", "workload=w;block=3;warmup=1"),
		"{\"workload\": \"w\", \"block\": 3, \"warmup\": true, \"metric\": \"m\", \"unit\": \"MB/s\", "
		"\"kind\": \"time\", \"value\": 1.5, \"lost\": 3.0}\n");
	assert_string_equal(emitted("m 1.5 x count 4\nlost 1\n", "workload=w"),
		"{\"workload\": \"w\", \"metric\": \"m\", \"unit\": \"x\", \"kind\": \"count\", \"value\": 1.5, "
		"\"lost\": 5.0}\n");
	assert_null(emitted("m nan MB/s time\n", "workload=w"));
	assert_null(emitted("m 1.5\n", "workload=w"));
	assert_null(emitted("m 1.5 x count\n", "workload"));
}

/* Output cut off anywhere is either refused with one line or makes whole lines. */
static void test_cut_off(void **state)
{
	static const struct {
		int (*parse)(const char *path, FILE *out);
		const char *text;
	} whole[] = {
		{ parse_fio, FIO("0", "12500") },
		{ parse_netperf, "212992 1024 2.00 48211 0 197.50\n212992 2.00 48100 197.05\n" },
		{ parse_stress_ng, "bogo-ops: 900\nbogo-ops-per-second-real-time: 300.25\n" },
		{ parse_hackbench, HACKBENCH },
		{ hist_from_zero, HIST("a", "7", "0") HIST("b", "1", "0") },
		{ parse_lag, "# hz 250\n" DELAY("7") REQUEUE("7", "-3000000") },
	};
	char text[2048];
	size_t i, len;

	(void)state;
	for (i = 0; i < sizeof(whole) / sizeof(*whole); i++) {
		assert_non_null(parsed(whole[i].parse, whole[i].text));
		for (len = strlen(whole[i].text); len; len--) {
			const char *out;

			snprintf(text, len, "%s", whole[i].text);
			out = parsed(whole[i].parse, text);
			assert_true(!out || (*out && out[strlen(out) - 1] == '\n'));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fio),
		cmocka_unit_test(test_netperf),
		cmocka_unit_test(test_stress_ng),
		cmocka_unit_test(test_hackbench),
		cmocka_unit_test(test_hist),
		cmocka_unit_test(test_lag),
		cmocka_unit_test(test_emit),
		cmocka_unit_test(test_cut_off),
	};

	return cmocka_run_group_tests(tests, NULL, remove_scratch);
}
