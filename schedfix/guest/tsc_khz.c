// SPDX-License-Identifier: GPL-2.0
/*
 * Prints the frequency of this machine's TSC in kHz. QEMU hands the host's TSC to
 * emulated CPUs, and a guest that calibrates it while the host is busy may be wrong by
 * a factor of a hundred: its clock then races, and RCU sees stalls that never were.
 * vm.sh tells it instead (tsc_early_khz=).
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

#define TRIES		2000	/* readings; the tightest is taken */
#define APART_NS	30000000

static int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

/* A pair of clock and TSC, read with the least time between: no preemption in it. */
static void read_both(int64_t *ns, int64_t *tsc)
{
	int64_t best = INT64_MAX;
	int i;

	for (i = 0; i < TRIES; i++) {
		int64_t before = now_ns();
		int64_t t = (int64_t)__rdtsc();
		int64_t after = now_ns();

		if (after - before >= best)
			continue;
		best = after - before;
		*ns = before + best / 2;
		*tsc = t;
	}
}

int main(void)
{
	struct timespec apart = { .tv_nsec = APART_NS };
	int64_t ns0 = 0, ns1 = 0, tsc0 = 0, tsc1 = 0;

	read_both(&ns0, &tsc0);
	nanosleep(&apart, NULL);
	read_both(&ns1, &tsc1);
	printf("%lld\n", (long long)((tsc1 - tsc0) * 1000000 / (ns1 - ns0)));
	return 0;
}
