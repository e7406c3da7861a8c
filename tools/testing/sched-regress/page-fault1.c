// SPDX-License-Identifier: GPL-2.0
/*
 * Page faults from many processes at once, as will-it-scale page_fault1: each maps
 * anonymous memory, touches every page once and unmaps it, without huge pages. The
 * workload of that name, in the guest:
 *     page-fault1 PROCESSES MEGABYTES LOOPS
 * Each process does LOOPS rounds, after one that is not counted; all start together.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long page, length;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void die(const char *what)
{
	fprintf(stderr, "schedfix: page-fault1: ");
	perror(what);
	exit(1);
}

static void round_of_faults(void)
{
	char *p = mmap(NULL, length, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long i;

	if (p == MAP_FAILED)
		die("mmap");
	for (i = 0; i < length; i += page)
		p[i] = 1;
	munmap(p, length);
}

static void child(int start, int ready, int loops)
{
	char c = 0;

	round_of_faults();
	if (write(ready, &c, 1) != 1 || read(start, &c, 1) != 0)
		die("pipe");
	while (loops--)
		round_of_faults();
	exit(0);
}

int main(int argc, char **argv)
{
	int n, loops, i, start[2], ready[2], status, failed = 0;
	struct rusage r;
	double t;
	char c;

	page = sysconf(_SC_PAGESIZE);
	n = argc == 4 ? atoi(argv[1]) : 0;
	length = argc == 4 ? atol(argv[2]) << 20 : 0;
	loops = argc == 4 ? atoi(argv[3]) : 0;
	if (n < 1 || length < 1 || loops < 1) {
		fprintf(stderr, "usage: page-fault1 PROCESSES MEGABYTES LOOPS\n");
		return 1;
	}
	/* A kernel without huge pages does not know it. */
	if (prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) &&
	    !access("/sys/kernel/mm/transparent_hugepage", F_OK))
		die("PR_SET_THP_DISABLE");
	if (pipe(start) || pipe(ready))
		die("pipe");
	for (i = 0; i < n; i++) {
		pid_t pid = fork();

		if (pid < 0)
			die("fork");
		if (!pid) {
			close(start[1]);
			child(start[0], ready[1], loops);
		}
	}
	close(ready[1]);
	for (i = 0; i < n; i++)
		if (read(ready[0], &c, 1) != 1)
			die("a process has ended early");
	t = now();
	close(start[1]);	/* all see the end of file */
	for (i = 0; i < n; i++)
		failed += wait(&status) < 0 || status;
	t = now() - t;
	if (failed)
		return 1;
	getrusage(RUSAGE_CHILDREN, &r);
	printf("time %.3f s time\npages %ld pages count\nfaults %ld faults count\n",
	       t, n * loops * (length / page), r.ru_minflt);
	printf("pages_rate %.0f pages/s time\n", n * loops * (length / page) / t);
	return 0;
}
