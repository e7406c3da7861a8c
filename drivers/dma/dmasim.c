// SPDX-License-Identifier: GPL-2.0
/*
 * A DMA engine in software, to test and measure users of the dmaengine API on
 * machines that have none: see Documentation/driver-api/dmaengine/dmasim.rst.
 *
 * Each channel has an engine, a work item, and an interrupt of its own:
 *
 *	issue_pending() --> dmasim_work(): copy, wait as long as hardware would take
 *	                        |
 *	                        '--> dmasim_raise(): an interrupt on a CPU of the
 *	                             affinity mask --> dmasim_irq() --> callback
 *
 * A descriptor is on one of virt-dma's lists, or the active one, or on the list
 * of those whose interrupt is due. Whoever takes it off there, under vc.lock,
 * completes or frees it: so none is lost and none completes twice.
 */
#include <linux/cpumask.h>
#include <linux/dma-mapping.h>
#include <linux/dmaengine.h>
#include <linux/highmem.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/irq_work.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/workqueue.h>

#include "virt-dma.h"

#define DMASIM_NAME		"dmasim"
#define DMASIM_MAX_CHANNELS	64
#define DMASIM_MAX_LATENCY	NSEC_PER_SEC
#define DMASIM_LEAD		(50 * NSEC_PER_USEC)	/* ahead by less, it does not sleep */

static unsigned int channels = 2;
module_param(channels, uint, 0444);
MODULE_PARM_DESC(channels, "Number of channels (default: 2)");

static unsigned int latency_ns[DMASIM_MAX_CHANNELS] = { 10000 }, nr_latency = 1;
module_param_array(latency_ns, uint, &nr_latency, 0644);
MODULE_PARM_DESC(latency_ns, "Least duration of a transfer in ns, per channel; the last one counts for the rest (default: 10000)");

static unsigned int bandwidth[DMASIM_MAX_CHANNELS], nr_bandwidth = 1;
module_param_array(bandwidth, uint, &nr_bandwidth, 0644);
MODULE_PARM_DESC(bandwidth, "Most MB/s, per channel as above; 0: as fast as a CPU copies (default)");

static bool rotate;
module_param(rotate, bool, 0644);
MODULE_PARM_DESC(rotate, "Interrupt the CPUs of the affinity mask in turn, not the first one (default: false)");

static bool tasklet;
module_param(tasklet, bool, 0644);
MODULE_PARM_DESC(tasklet, "Call back from a tasklet, not from the interrupt (default: false)");

struct dmasim_desc {
	struct virt_dma_desc vd;
	dma_addr_t src, dst;
	size_t len, copied;
	bool terminated;	/* while active: the engine is to drop it */
};

struct dmasim_chan {
	struct virt_dma_chan vc;
	struct work_struct work;
	struct irq_work irq_work;
	int irq;
	int cpu;		/* last interrupted */

	/* protected by vc.lock */
	struct dmasim_desc *active;
	struct list_head finished;	/* complete once the interrupt comes */
	ktime_t issued;			/* when the engine was set going */
	bool paused;
};

struct dmasim {
	struct dma_device dma;
	struct workqueue_struct *engine;
	struct dmasim_chan chan[] __counted_by(dma.chancnt);
};

static struct dmasim_chan *to_dmasim_chan(struct dma_chan *chan)
{
	return container_of(chan, struct dmasim_chan, vc.chan);
}

static struct dmasim_desc *to_dmasim_desc(struct virt_dma_desc *vd)
{
	return container_of(vd, struct dmasim_desc, vd);
}

static struct dmasim *to_dmasim(struct dmasim_chan *c)
{
	return container_of(c->vc.chan.device, struct dmasim, dma);
}

/* Writing such a parameter counts its values anew, from zero. */
static unsigned int per_channel(const unsigned int *values, unsigned int nr, int id)
{
	return READ_ONCE(values[min_t(unsigned int, id, max(nr, 1U) - 1)]);
}

/* Under the lock. Device addresses are physical ones, dmasim_sees_memory() made sure. */
static size_t dmasim_copy_piece(struct dmasim_desc *d)
{
	dma_addr_t src = d->src + d->copied, dst = d->dst + d->copied;
	size_t n = min3(d->len - d->copied, PAGE_SIZE - offset_in_page(src),
			PAGE_SIZE - offset_in_page(dst));

	memcpy_page(pfn_to_page(PHYS_PFN(dst)), offset_in_page(dst),
		    pfn_to_page(PHYS_PFN(src)), offset_in_page(src), n);
	d->copied += n;
	return n;
}

static void dmasim_wait_until(ktime_t when, s64 lead)
{
	if (ktime_sub(when, ktime_get()) > lead) {
		set_current_state(TASK_IDLE);
		schedule_hrtimeout(&when, HRTIMER_MODE_ABS);
	} else {
		cond_resched();
	}
}

static void dmasim_irq_work(struct irq_work *work)
{
	generic_handle_irq_safe(container_of(work, struct dmasim_chan, irq_work)->irq);
}

/* As a call from another CPU may find a polling idle loop, not in an interrupt. */
static void dmasim_raise_here(void *c)
{
	irq_work_queue(&((struct dmasim_chan *)c)->irq_work);
}

static unsigned int dmasim_irq_target(struct dmasim_chan *c)
{
	const struct cpumask *mask = irq_data_get_affinity_mask(irq_get_irq_data(c->irq));
	unsigned int cpu = cpumask_next_and(READ_ONCE(rotate) ? c->cpu : -1, mask,
					    cpu_online_mask);

	if (cpu >= nr_cpu_ids)
		cpu = cpumask_first_and(mask, cpu_online_mask);
	return cpu < nr_cpu_ids ? cpu : cpumask_first(cpu_online_mask);
}

/* It waits for the target, so nothing is in flight when the work is done. */
static void dmasim_raise(struct dmasim_chan *c)
{
	do {
		c->cpu = dmasim_irq_target(c);
	} while (smp_call_function_single(c->cpu, dmasim_raise_here, c, 1));
}

/* Under the lock. Return: whether an interrupt is to tell of it. */
static bool dmasim_finish(struct dmasim_chan *c, struct dmasim_desc *d)
{
	c->active = NULL;
	/* Cookies complete in order, so not before one that waits for its interrupt. */
	if (!(d->vd.tx.flags & DMA_PREP_INTERRUPT) && list_empty(&c->finished)) {
		vchan_cookie_complete(&d->vd);
		return false;
	}
	list_add_tail(&d->vd.node, &c->finished);
	return true;
}

static struct dmasim_desc *dmasim_next(struct dmasim_chan *c)
{
	struct virt_dma_desc *vd = vchan_next_desc(&c->vc);

	if (!vd)
		return NULL;
	list_del(&vd->node);
	c->active = to_dmasim_desc(vd);
	return c->active;
}

static void dmasim_work(struct work_struct *work)
{
	struct dmasim_chan *c = container_of(work, struct dmasim_chan, work);
	int id = c->vc.chan.chan_id;
	struct dmasim_desc *d;
	unsigned int mbs;
	bool finished, irq;
	ktime_t clock;	/* of the hardware that we play */
	size_t n;

	spin_lock_irq(&c->vc.lock);
	clock = c->issued;
	for (;;) {
		d = c->active;
		if (d && d->terminated) {
			c->active = NULL;
			spin_unlock_irq(&c->vc.lock);
			vchan_vdesc_fini(&d->vd);
			spin_lock_irq(&c->vc.lock);
			continue;
		}
		if (c->paused)
			break;
		if (!d) {
			d = dmasim_next(c);
			if (!d)
				break;
			clock += min_t(u64, per_channel(latency_ns, nr_latency, id),
				       DMASIM_MAX_LATENCY);
		}
		finished = d->copied == d->len;
		irq = finished && dmasim_finish(c, d);
		n = finished ? 0 : dmasim_copy_piece(d);
		spin_unlock_irq(&c->vc.lock);

		if (irq)
			dmasim_raise(c);
		if (finished) {
			clock = ktime_get();
		} else {
			mbs = per_channel(bandwidth, nr_bandwidth, id);
			if (mbs)
				clock += div_u64(n * 1000ULL, mbs);
			dmasim_wait_until(clock, d->copied == d->len ? 0 : DMASIM_LEAD);
		}
		spin_lock_irq(&c->vc.lock);
	}
	spin_unlock_irq(&c->vc.lock);
}

static irqreturn_t dmasim_irq(int irq, void *data)
{
	struct dmasim_chan *c = data;
	struct virt_dma_desc *vd, *next;
	unsigned long flags;
	LIST_HEAD(done);

	spin_lock_irqsave(&c->vc.lock, flags);
	list_for_each_entry_safe(vd, next, &c->finished, node) {
		list_del(&vd->node);
		if (READ_ONCE(tasklet)) {
			vchan_cookie_complete(vd);
		} else {
			dma_cookie_complete(&vd->tx);
			list_add_tail(&vd->node, &done);
		}
	}
	spin_unlock_irqrestore(&c->vc.lock, flags);

	list_for_each_entry_safe(vd, next, &done, node) {
		list_del(&vd->node);
		dmaengine_desc_get_callback_invoke(&vd->tx, &vd->tx_result);
		vchan_vdesc_fini(vd);
	}
	return IRQ_HANDLED;
}

static struct dma_async_tx_descriptor *
dmasim_prep_memcpy(struct dma_chan *chan, dma_addr_t dst, dma_addr_t src, size_t len,
		   unsigned long flags)
{
	struct dmasim_desc *d;

	if (!len)
		return NULL;
	d = kzalloc(sizeof(*d), GFP_NOWAIT);
	if (!d)
		return NULL;
	d->src = src;
	d->dst = dst;
	d->len = len;
	return vchan_tx_prep(to_virt_chan(chan), &d->vd, flags);
}

static void dmasim_desc_free(struct virt_dma_desc *vd)
{
	kfree(to_dmasim_desc(vd));
}

/* Under the lock. */
static void dmasim_start(struct dmasim_chan *c)
{
	c->issued = ktime_get();
	queue_work(to_dmasim(c)->engine, &c->work);
}

static void dmasim_issue_pending(struct dma_chan *chan)
{
	struct dmasim_chan *c = to_dmasim_chan(chan);
	unsigned long flags;

	spin_lock_irqsave(&c->vc.lock, flags);
	if (vchan_issue_pending(&c->vc))
		dmasim_start(c);
	spin_unlock_irqrestore(&c->vc.lock, flags);
}

static int dmasim_pause(struct dma_chan *chan)
{
	struct dmasim_chan *c = to_dmasim_chan(chan);
	unsigned long flags;

	spin_lock_irqsave(&c->vc.lock, flags);
	c->paused = true;
	spin_unlock_irqrestore(&c->vc.lock, flags);
	return 0;
}

static int dmasim_resume(struct dma_chan *chan)
{
	struct dmasim_chan *c = to_dmasim_chan(chan);
	unsigned long flags;

	spin_lock_irqsave(&c->vc.lock, flags);
	c->paused = false;
	dmasim_start(c);
	spin_unlock_irqrestore(&c->vc.lock, flags);
	return 0;
}

/*
 * When it returns the engine touches no buffer of these any more: pieces are copied
 * under the lock. Descriptors that are prepared but not submitted are their owner's.
 */
static int dmasim_terminate_all(struct dma_chan *chan)
{
	struct dmasim_chan *c = to_dmasim_chan(chan);
	unsigned long flags;
	LIST_HEAD(head);

	spin_lock_irqsave(&c->vc.lock, flags);
	list_splice_tail_init(&c->vc.desc_submitted, &head);
	list_splice_tail_init(&c->vc.desc_issued, &head);
	list_splice_tail_init(&c->vc.desc_completed, &head);
	list_splice_tail_init(&c->finished, &head);
	c->paused = false;
	if (c->active) {
		c->active->terminated = true;
		dmasim_start(c);
	}
	spin_unlock_irqrestore(&c->vc.lock, flags);

	vchan_dma_desc_free_list(&c->vc, &head);
	return 0;
}

static void dmasim_synchronize(struct dma_chan *chan)
{
	struct dmasim_chan *c = to_dmasim_chan(chan);

	synchronize_irq(c->irq);
	vchan_synchronize(&c->vc);
}

static void dmasim_free_chan_resources(struct dma_chan *chan)
{
	struct dmasim_chan *c = to_dmasim_chan(chan);

	dmasim_terminate_all(chan);
	flush_work(&c->work);
	irq_work_sync(&c->irq_work);
	dmasim_synchronize(chan);
	vchan_free_chan_resources(&c->vc);
}

/* Under the lock. Bytes of the transfer that are not copied yet. */
static size_t dmasim_residue(struct dmasim_chan *c, dma_cookie_t cookie)
{
	struct dmasim_desc *d = c->active;
	struct virt_dma_desc *vd;

	if (d && d->vd.tx.cookie == cookie)
		return d->len - d->copied;
	vd = vchan_find_desc(&c->vc, cookie);
	return vd ? to_dmasim_desc(vd)->len : 0;
}

static enum dma_status dmasim_tx_status(struct dma_chan *chan, dma_cookie_t cookie,
					struct dma_tx_state *state)
{
	struct dmasim_chan *c = to_dmasim_chan(chan);
	enum dma_status status;
	unsigned long flags;

	spin_lock_irqsave(&c->vc.lock, flags);
	status = dma_cookie_status(chan, cookie, state);
	if (status != DMA_COMPLETE) {
		dma_set_residue(state, dmasim_residue(c, cookie));
		if (c->paused)
			status = DMA_PAUSED;
	}
	spin_unlock_irqrestore(&c->vc.lock, flags);
	return status;
}

static int dmasim_irq_set_affinity(struct irq_data *data, const struct cpumask *mask,
				   bool force)
{
	unsigned int cpu = cpumask_first_and(mask, cpu_online_mask);

	if (cpu >= nr_cpu_ids)
		return -EINVAL;
	irq_data_update_effective_affinity(data, cpumask_of(cpu));
	return IRQ_SET_MASK_OK;
}

static void dmasim_irq_ack(struct irq_data *data)
{
}

static struct irq_chip dmasim_irq_chip = {
	.name = DMASIM_NAME,
	.irq_ack = dmasim_irq_ack,
	.irq_set_affinity = dmasim_irq_set_affinity,
};

/*
 * Can a CPU find what a device is told to read? Not behind an IOMMU, and not where
 * bus addresses are others than the CPU's. A bounce buffer (swiotlb=force) is fine.
 */
static bool dmasim_sees_memory(struct device *dev)
{
	struct page *page = alloc_page(GFP_KERNEL), *seen;
	u8 token[16];
	dma_addr_t addr;
	bool ok = false;
	void *p;

	if (!page)
		return false;
	get_random_bytes(token, sizeof(token));
	memcpy_to_page(page, 0, token, sizeof(token));
	addr = dma_map_page(dev, page, 0, sizeof(token), DMA_TO_DEVICE);
	if (!dma_mapping_error(dev, addr)) {
		if (!device_iommu_mapped(dev) && pfn_valid(PHYS_PFN(addr))) {
			seen = pfn_to_page(PHYS_PFN(addr));
			p = kmap_local_page(seen);
			ok = !memcmp(p + offset_in_page(addr), token, sizeof(token));
			kunmap_local(p);
		}
		dma_unmap_page(dev, addr, sizeof(token), DMA_TO_DEVICE);
	}
	__free_page(page);
	return ok;
}

static int dmasim_init_chan(struct dmasim *s, struct dmasim_chan *c, int irq)
{
	struct device *dev = s->dma.dev;
	char *name = devm_kasprintf(dev, GFP_KERNEL, DMASIM_NAME "-chan%d", (int)(c - s->chan));

	if (!name)
		return -ENOMEM;
	c->irq = irq;
	c->cpu = -1;
	c->vc.desc_free = dmasim_desc_free;
	INIT_LIST_HEAD(&c->finished);
	INIT_WORK(&c->work, dmasim_work);
	c->irq_work = IRQ_WORK_INIT_HARD(dmasim_irq_work);
	vchan_init(&c->vc, &s->dma);

	/* Edge: one that comes while another CPU still handles the last is not lost. */
	irq_set_chip_and_handler(irq, &dmasim_irq_chip, handle_edge_irq);
	irq_modify_status(irq, IRQ_NOREQUEST, IRQ_NOPROBE | IRQ_MOVE_PCNTXT);
	return devm_request_irq(dev, irq, dmasim_irq, 0, name, c);
}

static int dmasim_probe(struct platform_device *pdev)
{
	struct device *dev = &pdev->dev;
	struct dma_device *dma;
	struct dmasim *s;
	int i, irq, ret;

	if (!channels || channels > DMASIM_MAX_CHANNELS)
		return dev_err_probe(dev, -EINVAL, "channels=%u: not 1 to %u\n", channels,
				     DMASIM_MAX_CHANNELS);
	ret = dma_coerce_mask_and_coherent(dev, DMA_BIT_MASK(64));
	if (ret)
		return ret;
	if (!dmasim_sees_memory(dev))
		return dev_err_probe(dev, -ENODEV, "DMA addresses are translated: cannot copy\n");

	s = devm_kzalloc(dev, struct_size(s, chan, channels), GFP_KERNEL);
	if (!s)
		return -ENOMEM;
	dma = &s->dma;
	dma->dev = dev;
	INIT_LIST_HEAD(&dma->channels);
	dma_cap_set(DMA_MEMCPY, dma->cap_mask);
	dma_cap_set(DMA_PRIVATE, dma->cap_mask);	/* only for who asks for it */
	dma->residue_granularity = DMA_RESIDUE_GRANULARITY_BURST;
	dma->directions = BIT(DMA_MEM_TO_MEM);
	dma->device_free_chan_resources = dmasim_free_chan_resources;
	dma->device_prep_dma_memcpy = dmasim_prep_memcpy;
	dma->device_issue_pending = dmasim_issue_pending;
	dma->device_tx_status = dmasim_tx_status;
	dma->device_pause = dmasim_pause;
	dma->device_resume = dmasim_resume;
	dma->device_terminate_all = dmasim_terminate_all;
	dma->device_synchronize = dmasim_synchronize;

	/* Without an owner: their own actions would keep this module from being unloaded. */
	irq = __devm_irq_alloc_descs(dev, -1, 0, channels, NUMA_NO_NODE, NULL, NULL);
	if (irq < 0)
		return irq;
	for (i = 0; i < channels; i++) {
		ret = dmasim_init_chan(s, &s->chan[i], irq + i);
		if (ret)
			return ret;
	}
	s->engine = alloc_workqueue(DMASIM_NAME, WQ_UNBOUND | WQ_HIGHPRI | WQ_SYSFS, 0);
	if (!s->engine)
		return -ENOMEM;
	ret = dma_async_device_register(dma);
	if (ret) {
		destroy_workqueue(s->engine);
		return ret;
	}
	platform_set_drvdata(pdev, s);
	return 0;
}

/* No channel is in use: each holds a reference to the module. */
static void dmasim_remove(struct platform_device *pdev)
{
	struct dmasim *s = platform_get_drvdata(pdev);

	dma_async_device_unregister(&s->dma);
	destroy_workqueue(s->engine);
}

static struct platform_driver dmasim_driver = {
	.driver = {
		.name = DMASIM_NAME,
		.suppress_bind_attrs = true,
	},
	.remove = dmasim_remove,
};

static struct platform_device *dmasim_device;

static int __init dmasim_init(void)
{
	dmasim_device = platform_create_bundle(&dmasim_driver, dmasim_probe, NULL, 0, NULL, 0);
	return PTR_ERR_OR_ZERO(dmasim_device);
}
module_init(dmasim_init);

static void __exit dmasim_exit(void)
{
	platform_device_unregister(dmasim_device);
	platform_driver_unregister(&dmasim_driver);
}
module_exit(dmasim_exit);

MODULE_DESCRIPTION("DMA engine in software");
MODULE_LICENSE("GPL");
