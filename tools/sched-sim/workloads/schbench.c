// SPDX-License-Identifier: GPL-2.0
/*
 * schbench-like: message threads wake their workers and wait for them.
 *
 * A worker does a request, queues itself with its message thread, wakes that
 * and sleeps; the message thread wakes all workers that are queued. Latency is
 * from that wakeup until the worker runs, as schbench measures it.
 */
#include "workload.h"
#include <linux/wait.h>

struct worker {
	struct list_head queued;
	struct messenger *messenger;
	wait_queue_head_t wait;
	u64 woken_at;
	bool go;
};

struct messenger {
	wait_queue_head_t wait;
	struct list_head queue;
};

static void worker_main(void *arg)
{
	struct worker *w = arg;

	for (;;) {
		list_add_tail(&w->queued, &w->messenger->queue);
		wake_up_interruptible(&w->messenger->wait);
		sim_syscall_exit();
		wait_event_interruptible(w->wait, w->go);
		w->go = false;
		sim_op(sim_now - w->woken_at);
		sim_consume(sim_vary(sim_param("work_us") * 1000));
		if (sim_param("think_us"))
			sim_sleep(sim_vary(sim_param("think_us") * 1000));
	}
}

static void messenger_main(void *arg)
{
	struct messenger *m = arg;

	for (;;) {
		wait_event_interruptible(m->wait, !list_empty(&m->queue));
		while (!list_empty(&m->queue)) {
			struct worker *w = list_first_entry(&m->queue,
							    struct worker, queued);

			sim_consume(sim_vary(sim_param("message_ns")));
			list_del(&w->queued);
			w->go = true;
			w->woken_at = sim_now;
			wake_up_interruptible(&w->wait);
			sim_syscall_exit();
		}
	}
}

static void start(void)
{
	u64 i, j, n = sim_param("messengers"), workers = sim_param("workers");

	for (i = 0; i < n; i++) {
		struct messenger *m = kzalloc(sizeof(*m), GFP_KERNEL);

		init_waitqueue_head(&m->wait);
		INIT_LIST_HEAD(&m->queue);
		sim_spawn("schb-message", messenger_main, m, NULL);
		for (j = 0; j < workers; j++) {
			struct worker *w = kzalloc(sizeof(*w), GFP_KERNEL);

			w->messenger = m;
			init_waitqueue_head(&w->wait);
			sim_spawn("schb-worker", worker_main, w, NULL);
		}
	}
}

SIM_WORKLOAD(schbench, "message threads and workers; latency is wakeup to run of a worker",
	     "messengers=2; workers=4 per message thread; work_us=300 per request; think_us=0 sleep between requests; message_ns=1000 work to send one message",
	     start);
