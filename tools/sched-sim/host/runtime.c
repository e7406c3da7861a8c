// SPDX-License-Identifier: GPL-2.0
/*
 * What the kernel half needs of the C library: memory, text output, and the
 * signals that WARN(), BUG() and mistakes end in.
 *
 * Kernel code keeps its stack on 8 bytes, the C library wants 16: functions
 * called from there realign it.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <asm/prctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include "host.h"

#define FROM_KERNEL	__attribute__((force_align_arg_pointer))

#define ARENA		((char *)0x200000000000UL)	/* the same in every run */
#define ARENA_SIZE	(64UL << 30)		/* reserved, not used */

static void print_backtrace(void *context);

static char *arena;
static FILE *trace_file, *timeline_file;

void die(const char *fmt, ...)
{
	va_list args;

	fprintf(stderr, "sched-sim: ");
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	exit(2);
}

FROM_KERNEL void *k_host_alloc(unsigned long bytes)
{
	char *p = arena;

	arena += (bytes + 63) & ~63UL;
	if (arena > ARENA + ARENA_SIZE)
		die("out of simulated memory");
	return p;
}

FROM_KERNEL void k_host_write(const char *text, int len)
{
	fwrite(text, 1, len, stderr);
}

FROM_KERNEL void k_host_trace(const char *text, int len)
{
	fwrite(text, 1, len, trace_file ? trace_file : stdout);
}

FROM_KERNEL void k_host_timeline(const char *text, int len)
{
	fwrite(text, 1, len, timeline_file);
}

FROM_KERNEL void k_host_fatal(const char *why)
{
	fflush(stdout);
	fprintf(stderr, "sched-sim: %s (at %llu ns)\n", why, k_sim_now);
	print_backtrace(NULL);
	_exit(3);
}

FROM_KERNEL void k_host_refuse(const char *why)
{
	fflush(stdout);
	fprintf(stderr, "sched-sim: %s\n", why);
	_exit(2);
}

FROM_KERNEL void *k_memcpy(void *to, const void *from, unsigned long n)
{
	return memcpy(to, from, n);
}

FROM_KERNEL void *k_memmove(void *to, const void *from, unsigned long n)
{
	return memmove(to, from, n);
}

FROM_KERNEL void *k_memset(void *to, int c, unsigned long n)
{
	return memset(to, c, n);
}

/*
 * The code is compiled without frame pointers, so this prints every word of
 * the stack that points behind a call in the program; addr2line names them.
 */
extern char __executable_start[], etext[];

static int behind_call(unsigned long ip)
{
	const unsigned char *p = (const unsigned char *)ip;

	if (ip < (unsigned long)__executable_start + 8 || ip >= (unsigned long)etext)
		return 0;
	return p[-5] == 0xe8 || (p[-2] == 0xff && (p[-1] & 0x38) == 0x10) ||
		(p[-3] == 0xff && (p[-2] & 0x38) == 0x10) ||
		(p[-6] == 0xff && (p[-5] & 0x38) == 0x10);
}

static void print_backtrace(void *context)
{
	unsigned long *sp = __builtin_frame_address(0);
	char command[4096];
	int n, found = 0;

	if (context)
		sp = (unsigned long *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RSP];
	n = snprintf(command, sizeof(command), "addr2line -e /proc/%d/exe -fips", getpid());
	if (context)
		n += snprintf(command + n, sizeof(command) - n, " %#llx",
			      (long long)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP]);
	for (int i = 0; i < 512 && found < 24 && n < 3800; i++) {
		if (((unsigned long)(sp + i) & 4095) == 4088 && i > 64)
			break;
		if (behind_call(sp[i])) {
			n += snprintf(command + n, sizeof(command) - n, " %#lx", sp[i] - 1);
			found++;
		}
	}
	snprintf(command + n, sizeof(command) - n, " >&2");
	fprintf(stderr, "backtrace (stack words behind calls; some may be stale):\n");
	if (system(command))
		fprintf(stderr, "no addr2line: %s\n", command);
}

static volatile int probing;
static char *percpu;
static unsigned long percpu_len;

/*
 * A host kernel that does not use FSGSBASE itself (in some virtual machines)
 * does not save the base of %gs that we set; when it gives the CPU back, it
 * restores the base that arch_prctl() set, or leaves one of another process.
 * So arch_prctl() sets one where nothing is mapped, and the first per-CPU
 * access after a context switch of the host faults: that is where the right
 * base is set again. With a kernel that does it right nothing ever faults.
 */
#define LOST_BASE	0x300000000000UL

FROM_KERNEL void k_host_guard_percpu(void *start, unsigned long len)
{
	percpu = (char *)LOST_BASE + (unsigned long)start;
	percpu_len = len;
	if (mmap(percpu, len, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS |
		 MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) != percpu ||
	    syscall(SYS_arch_prctl, ARCH_SET_GS, LOST_BASE))
		die("cannot guard the base of %%gs");
	asm volatile("wrgsbase %0" : : "r" (k_sim_gs_base));
}

static int lost_gs_base(void *address)
{
	if ((char *)address < percpu || (char *)address >= percpu + percpu_len)
		return 0;
	asm volatile("wrgsbase %0" : : "r" (k_sim_gs_base));
	return 1;
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
	greg_t *ip = &((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
	int warning;

	if (probing)
		die("this CPU or kernel has no FSGSBASE; sched-sim needs x86-64 with it (since 2012), and Linux 5.9");
	if (sig == SIGSEGV && lost_gs_base(info->si_addr))
		return;
	if (sig == SIGILL && k_sim_describe_ud2(*ip, &warning)) {
		if (warning) {
			*ip += 2;	/* the length of ud2 */
			return;
		}
	} else {
		fprintf(stderr, "sched-sim: signal %d at %#llx, address %p, %llu ns\n",
			sig, (long long)*ip, info->si_addr, k_sim_now);
	}
	print_backtrace(context);
	_exit(3);
}

/*
 * One thread simulates all CPUs: lock prefixes cost a third of the speed and
 * do nothing. The kernel does the same on a machine with one CPU.
 */
static void drop_lock_prefixes(void)
{
	extern int k_sim_locks_start[], k_sim_locks_end[];
	unsigned long start = (unsigned long)__executable_start & ~4095UL;

	if (mprotect((void *)start, (unsigned long)etext - start,
		     PROT_READ | PROT_WRITE | PROT_EXEC))
		return;		/* slower, but right */
	for (int *p = k_sim_locks_start; p < k_sim_locks_end; p++) {
		unsigned char *text = (unsigned char *)p + *p;

		if (*text == 0xf0)
			*text = 0x3e;	/* a segment override that is ignored */
	}
	mprotect((void *)start, (unsigned long)etext - start, PROT_READ | PROT_EXEC);
}

/* An instruction that needs FSGSBASE; on_fault() says so if there is none. */
static void probe_fsgsbase(void)
{
	unsigned long base;

	probing = 1;
	asm volatile("rdgsbase %0" : "=r" (base));
	probing = 0;
}

void runtime_init(void)
{
	static char stack[65536];
	stack_t alternate = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction action = {
		.sa_sigaction = on_fault,
		.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER,
	};

	arena = mmap(ARENA, ARENA_SIZE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
		     -1, 0);
	if (arena != ARENA)
		die("cannot reserve memory at %p", ARENA);
	/* Most of a stack is never touched, and huge pages are no faster here. */
	madvise(ARENA, ARENA_SIZE, MADV_NOHUGEPAGE);
	sigaltstack(&alternate, NULL);
	sigaction(SIGILL, &action, NULL);
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
	sigaction(SIGFPE, &action, NULL);
	probe_fsgsbase();
	drop_lock_prefixes();
}

static FILE *create(const char *path)
{
	FILE *f = fopen(path, "w");

	if (!f)
		die("%s: cannot be written", path);
	return f;
}

void runtime_open(const char *trace, const char *timeline)
{
	if (trace)
		trace_file = create(trace);
	if (!timeline)
		return;
	timeline_file = create(timeline);
	fprintf(timeline_file, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
	for (int cpu = 0; cpu < k_sim_config.topo.cpus; cpu++)
		fprintf(timeline_file,
			"{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":0,\"tid\":%d,\"args\":{\"name\":\"CPU %d\"}},\n",
			cpu, cpu);
}

void runtime_close(void)
{
	if (trace_file)
		fclose(trace_file);
	if (!timeline_file)
		return;
	fprintf(timeline_file,
		"{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":0,\"args\":{\"name\":\"sched-sim\"}}\n]}\n");
	fclose(timeline_file);
}
