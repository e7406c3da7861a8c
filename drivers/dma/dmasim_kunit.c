// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests for dmasim: transfers complete once, terminated ones not at all,
 * pause and residue mean what they say, and a channel can go at any time. They
 * take whatever parameters dmasim was loaded with, and use its first channel;
 * only of its tasklet=1 they have to be told. Interrupts are threads on PREEMPT_RT.
 */
#include <kunit/test.h>

#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/dmaengine.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/wait.h>

#define NR	256		/* transfers under way */
#define LEN	3000		/* of each, odd to pages */
#define BUF	(NR * LEN)

static bool tasklet;
module_param(tasklet, bool, 0444);
MODULE_PARM_DESC(tasklet, "Called back outside of hard interrupts, for dmasim has tasklet=1 or the kernel threadirqs (default: false)");

struct transfer {
	struct rig *rig;
	atomic_t completed;
	dma_cookie_t cookie;
};

struct rig {
	struct dma_chan *chan;
	struct device *dev;
	u8 *src, *dst;
	dma_addr_t src_dma, dst_dma;
	struct transfer t[NR];
	atomic_t completed;
	atomic_t hardirq;	/* of these in hard interrupt context */
	bool slow;		/* callbacks take longer than a test's own steps */
	wait_queue_head_t wait;
};

static bool is_dmasim(struct dma_chan *chan, void *unused)
{
	return !strcmp(dev_driver_string(chan->device->dev), "dmasim");
}

static struct dma_chan *request(void)
{
	dma_cap_mask_t mask;

	dma_cap_zero(mask);
	dma_cap_set(DMA_MEMCPY, mask);
	return dma_request_channel(mask, is_dmasim, NULL);
}

static void callback(void *arg)
{
	struct transfer *t = arg;

	if (READ_ONCE(t->rig->slow))
		mdelay(2);
	atomic_inc(&t->completed);
	if (in_hardirq())
		atomic_inc(&t->rig->hardirq);
	atomic_inc(&t->rig->completed);
	wake_up(&t->rig->wait);
}

/* Submit the @i-th transfer, from its place in the source to that in the destination. */
static void submit(struct kunit *test, struct rig *r, int i, size_t len, unsigned long flags)
{
	struct dma_async_tx_descriptor *tx;

	tx = dmaengine_prep_dma_memcpy(r->chan, r->dst_dma + i * LEN, r->src_dma + i * LEN,
				       len, flags);
	KUNIT_ASSERT_NOT_NULL(test, tx);
	if (flags & DMA_PREP_INTERRUPT) {
		tx->callback = callback;
		tx->callback_param = &r->t[i];
	}
	atomic_set(&r->t[i].completed, 0);
	r->t[i].rig = r;
	r->t[i].cookie = dmaengine_submit(tx);
	KUNIT_ASSERT_FALSE(test, dma_submit_error(r->t[i].cookie));
}

static void submit_all(struct kunit *test, struct rig *r)
{
	int i;

	atomic_set(&r->completed, 0);
	atomic_set(&r->hardirq, 0);
	for (i = 0; i < NR; i++) {
		submit(test, r, i, LEN, DMA_PREP_INTERRUPT | DMA_CTRL_ACK);
		if (i % 8 == 7)
			dma_async_issue_pending(r->chan);
	}
}

/* Do @nr transfers complete, in reasonable time? */
static bool have_completed(struct rig *r, int nr)
{
	return wait_event_timeout(r->wait, atomic_read(&r->completed) >= nr, 20 * HZ);
}

static int most_completions(struct rig *r)
{
	int i, most = 0;

	for (i = 0; i < NR; i++)
		most = max(most, atomic_read(&r->t[i].completed));
	return most;
}

static void all_complete_once(struct kunit *test)
{
	struct rig *r = test->priv;
	int round;

	for (round = 0; round < 5; round++) {
		memset(r->dst, 0, BUF);
		submit_all(test, r);
		KUNIT_EXPECT_TRUE(test, have_completed(r, NR));
		dmaengine_synchronize(r->chan);
		KUNIT_EXPECT_EQ(test, atomic_read(&r->completed), NR);
		KUNIT_EXPECT_EQ(test, most_completions(r), 1);
		KUNIT_EXPECT_EQ(test, memcmp(r->src, r->dst, BUF), 0);
	}
}

static void callback_context(struct kunit *test)
{
	struct rig *r = test->priv;

	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		kunit_skip(test, "interrupts are threads");
	submit_all(test, r);
	KUNIT_EXPECT_TRUE(test, have_completed(r, NR));
	KUNIT_EXPECT_EQ(test, atomic_read(&r->hardirq), tasklet ? 0 : NR);
}

/* What had not completed by now never does, and nobody writes. Return: how many had. */
static int terminate(struct kunit *test, struct rig *r)
{
	int before;

	dmaengine_terminate_async(r->chan);
	memset(r->dst, 0xa5, BUF);
	dmaengine_synchronize(r->chan);
	before = atomic_read(&r->completed);
	usleep_range(1000, 2000);
	KUNIT_EXPECT_NULL(test, memchr_inv(r->dst, 0xa5, BUF));
	KUNIT_EXPECT_EQ(test, atomic_read(&r->completed), before);
	return before;
}

static void terminate_under_load(struct kunit *test)
{
	struct rig *r = test->priv;
	int round;

	for (round = 0; round < 40; round++) {
		WRITE_ONCE(r->slow, round % 2);
		submit_all(test, r);
		udelay(get_random_u32_below(2000));
		terminate(test, r);
		KUNIT_EXPECT_LE(test, most_completions(r), 1);
	}
	WRITE_ONCE(r->slow, false);
	all_complete_once(test);
}

/* Wait until something has been written, but not for long. */
static void has_begun(struct rig *r)
{
	ktime_t until = ktime_add_ms(ktime_get(), 10);

	while (READ_ONCE(r->dst[0]) == 0xa5 && ktime_before(ktime_get(), until))
		cond_resched();
}

/* One long transfer: at least one of them is caught before its end. */
static void terminate_on_its_way(struct kunit *test)
{
	struct rig *r = test->priv;
	int round, completed = 0;

	r->src[0] = 0;
	atomic_set(&r->completed, 0);
	for (round = 0; round < 20; round++) {
		memset(r->dst, 0xa5, BUF);
		submit(test, r, 0, BUF, DMA_PREP_INTERRUPT | DMA_CTRL_ACK);
		dma_async_issue_pending(r->chan);
		has_begun(r);
		completed = terminate(test, r);
	}
	KUNIT_EXPECT_LT(test, completed, round);
}

/* A descriptor that was prepared, but not submitted, outlives that. */
static void terminate_spares_prepared(struct kunit *test)
{
	struct rig *r = test->priv;
	struct dma_async_tx_descriptor *tx;
	dma_cookie_t cookie;

	tx = dmaengine_prep_dma_memcpy(r->chan, r->dst_dma, r->src_dma, LEN, DMA_CTRL_ACK);
	KUNIT_ASSERT_NOT_NULL(test, tx);
	dmaengine_terminate_sync(r->chan);
	cookie = dmaengine_submit(tx);
	KUNIT_EXPECT_EQ(test, dma_sync_wait(r->chan, cookie), DMA_COMPLETE);
}

static void release_under_load(struct kunit *test)
{
	struct rig *r = test->priv;
	int round, before;

	for (round = 0; round < 20; round++) {
		submit_all(test, r);
		udelay(get_random_u32_below(1000));
		dma_release_channel(r->chan);
		before = atomic_read(&r->completed);
		usleep_range(100, 1000);
		KUNIT_EXPECT_EQ(test, atomic_read(&r->completed), before);
		KUNIT_EXPECT_LE(test, most_completions(r), 1);
		r->chan = request();
		KUNIT_ASSERT_NOT_NULL(test, r->chan);
	}
	all_complete_once(test);
}

static size_t residue(struct rig *r, dma_cookie_t cookie, enum dma_status *status)
{
	struct dma_tx_state state = { };

	*status = dmaengine_tx_status(r->chan, cookie, &state);
	return state.residue;
}

static void pause_and_residue(struct kunit *test)
{
	struct rig *r = test->priv;
	int round, on_its_way = 0;
	enum dma_status status;
	size_t left;

	r->src[0] = 0;
	for (round = 0; round < 20 || (!on_its_way && round < 500); round++) {
		/* paused before it starts: all of it is left */
		KUNIT_EXPECT_EQ(test, dmaengine_pause(r->chan), 0);
		atomic_set(&r->completed, 0);
		memset(r->dst, 0xa5, BUF);
		submit(test, r, 0, BUF, DMA_PREP_INTERRUPT | DMA_CTRL_ACK);
		dma_async_issue_pending(r->chan);
		usleep_range(100, 500);
		KUNIT_EXPECT_EQ(test, residue(r, r->t[0].cookie, &status), BUF);
		KUNIT_EXPECT_EQ(test, status, DMA_PAUSED);

		/* paused on its way: it stays where it is, with just so much written */
		KUNIT_EXPECT_EQ(test, dmaengine_resume(r->chan), 0);
		if (round % 2)
			has_begun(r);
		else
			udelay(get_random_u32_below(1000));
		dmaengine_pause(r->chan);
		left = residue(r, r->t[0].cookie, &status);
		if (status != DMA_COMPLETE) {
			on_its_way += r->dst[0] != 0xa5;
			KUNIT_EXPECT_EQ(test, status, DMA_PAUSED);
			KUNIT_EXPECT_EQ(test, memcmp(r->src, r->dst, BUF - left), 0);
			KUNIT_EXPECT_NULL(test, memchr_inv(r->dst + BUF - left, 0xa5, left));
			usleep_range(100, 500);
			KUNIT_EXPECT_EQ(test, residue(r, r->t[0].cookie, &status), left);
		}

		dmaengine_resume(r->chan);
		KUNIT_EXPECT_TRUE(test, have_completed(r, 1));
		KUNIT_EXPECT_EQ(test, residue(r, r->t[0].cookie, &status), 0);
		KUNIT_EXPECT_EQ(test, status, DMA_COMPLETE);
		KUNIT_EXPECT_EQ(test, memcmp(r->src, r->dst, BUF), 0);
	}
	KUNIT_EXPECT_GT(test, on_its_way, 0);
	/* terminated while paused, the channel runs on */
	dmaengine_pause(r->chan);
	submit_all(test, r);
	dmaengine_terminate_sync(r->chan);
	all_complete_once(test);
}

static void polled(struct kunit *test)
{
	struct rig *r = test->priv;
	int i;

	memset(r->dst, 0, BUF);
	for (i = 0; i < NR; i++) {
		/* some with an interrupt, so that cookies have to wait for one another */
		submit(test, r, i, LEN, DMA_CTRL_ACK | (i % 3 ? 0 : DMA_PREP_INTERRUPT));
		if (i % 4 == 3)
			KUNIT_EXPECT_EQ(test, dma_sync_wait(r->chan, r->t[i].cookie), DMA_COMPLETE);
	}
	KUNIT_EXPECT_EQ(test, memcmp(r->src, r->dst, BUF), 0);
}

static void no_empty_transfer(struct kunit *test)
{
	struct rig *r = test->priv;

	KUNIT_EXPECT_NULL(test, dmaengine_prep_dma_memcpy(r->chan, r->dst_dma, r->src_dma, 0, 0));
}

static int setup(struct kunit *test)
{
	struct rig *r = kunit_kzalloc(test, sizeof(*r), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, r);
	test->priv = r;
	init_waitqueue_head(&r->wait);
	r->chan = request();
	if (!r->chan)
		kunit_skip(test, "no channel of dmasim");
	r->dev = dmaengine_get_dma_device(r->chan);
	r->src = dma_alloc_coherent(r->dev, BUF, &r->src_dma, GFP_KERNEL);
	r->dst = dma_alloc_coherent(r->dev, BUF, &r->dst_dma, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, r->src);
	KUNIT_ASSERT_NOT_NULL(test, r->dst);
	get_random_bytes(r->src, BUF);
	return 0;
}

static void teardown(struct kunit *test)
{
	struct rig *r = test->priv;

	if (!r || !r->chan)
		return;
	dmaengine_terminate_sync(r->chan);
	if (r->dst)
		dma_free_coherent(r->dev, BUF, r->dst, r->dst_dma);
	if (r->src)
		dma_free_coherent(r->dev, BUF, r->src, r->src_dma);
	dma_release_channel(r->chan);
}

static struct kunit_case dmasim_cases[] = {
	KUNIT_CASE(all_complete_once),
	KUNIT_CASE(callback_context),
	KUNIT_CASE(polled),
	KUNIT_CASE(pause_and_residue),
	KUNIT_CASE(terminate_under_load),
	KUNIT_CASE(terminate_on_its_way),
	KUNIT_CASE(terminate_spares_prepared),
	KUNIT_CASE(release_under_load),
	KUNIT_CASE(no_empty_transfer),
	{}
};

static struct kunit_suite dmasim_suite = {
	.name = "dmasim",
	.init = setup,
	.exit = teardown,
	.test_cases = dmasim_cases,
};

kunit_test_suite(dmasim_suite);

MODULE_SOFTDEP("pre: dmasim");
MODULE_DESCRIPTION("KUnit tests for the DMA engine in software");
MODULE_LICENSE("GPL");
