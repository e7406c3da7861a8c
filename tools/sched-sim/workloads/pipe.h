/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A pipe, or one direction of a local socket: a ring of messages with the
 * wakeups of fs/pipe.c, or those of a socket. Used by several workloads.
 */
#ifndef SCHED_SIM_PIPE_H
#define SCHED_SIM_PIPE_H

#include <linux/wait.h>
#include <uapi/linux/eventpoll.h>

#define SIM_PIPE_MAX	512

struct sim_pipe {
	wait_queue_head_t readers, writers;
	unsigned int head, tail, slots;
	bool socket;
	u64 message[SIM_PIPE_MAX];
};

static inline void sim_pipe_init(struct sim_pipe *p, unsigned int slots)
{
	init_waitqueue_head(&p->readers);
	init_waitqueue_head(&p->writers);
	p->slots = clamp(slots, 1U, (unsigned int)SIM_PIPE_MAX);
}

static inline bool sim_pipe_empty(struct sim_pipe *p)
{
	return p->head == p->tail;
}

static inline bool sim_pipe_full(struct sim_pipe *p)
{
	return p->head - p->tail >= p->slots;
}

/*
 * pipe_write(): a reader is woken only if the pipe was empty, and the next
 * writer only by one that had itself waited. A socket wakes its reader for each
 * message (sock_def_readable(), also sync).
 */
static inline void sim_pipe_write(struct sim_pipe *p, u64 message)
{
	bool was_empty, waited = sim_pipe_full(p);

	wait_event_interruptible_exclusive(p->writers, !sim_pipe_full(p));
	was_empty = sim_pipe_empty(p);
	p->message[p->head++ % SIM_PIPE_MAX] = message;
	if (was_empty || p->socket)
		wake_up_interruptible_sync_poll(&p->readers, EPOLLIN | EPOLLRDNORM);
	if (!p->socket && waited && !sim_pipe_full(p))	/* the next writer */
		wake_up_interruptible_sync_poll(&p->writers, EPOLLOUT | EPOLLWRNORM);
	sim_syscall_exit();
}

/*
 * pipe_read(): a writer is woken only if the pipe was full, the next reader only
 * by one that had waited. A socket wakes its
 * writers at each message once three quarters of its buffer are free
 * (unix_writable()).
 */
static inline u64 sim_pipe_read(struct sim_pipe *p)
{
	bool was_full, waited = sim_pipe_empty(p);
	u64 message;

	wait_event_interruptible_exclusive(p->readers, !sim_pipe_empty(p));
	was_full = sim_pipe_full(p);
	message = p->message[p->tail++ % SIM_PIPE_MAX];
	if (p->socket) {
		if (p->head - p->tail <= p->slots / 4)
			wake_up_interruptible_sync_poll(&p->writers, EPOLLOUT);
		sim_syscall_exit();
		return message;
	}
	if (was_full)
		wake_up_interruptible_sync_poll(&p->writers, EPOLLOUT | EPOLLWRNORM);
	if (waited && !sim_pipe_empty(p))	/* the next reader */
		wake_up_interruptible_sync_poll(&p->readers, EPOLLIN | EPOLLRDNORM);
	sim_syscall_exit();
	return message;
}

#endif
