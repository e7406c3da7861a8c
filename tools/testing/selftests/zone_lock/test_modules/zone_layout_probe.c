// SPDX-License-Identifier: GPL-2.0
/*
 * The layout of struct zone around its lock, in bytes, as parameters of this module:
 * /sys/module/zone_layout_probe/parameters/. For kernels without BTF.
 */
#include <linux/mmzone.h>
#include <linux/module.h>

#define START_END(name, start, end)				\
	static int name = start, name ## _end = end;		\
	module_param(name, int, 0444);				\
	module_param(name ## _end, int, 0444)
#define FIELD(field)	START_END(field, offsetof(struct zone, field), \
				  offsetofend(struct zone, field))

START_END(order0, offsetof(struct zone, free_area[0]),
	  offsetofend(struct zone, free_area[0]));
FIELD(free_area);
FIELD(flags);
FIELD(lock);
FIELD(percpu_drift_mark);
#ifdef CONFIG_UNACCEPTED_MEMORY
FIELD(unaccepted_pages);
#endif

static int __init zone_layout_probe_init(void)
{
	return 0;
}

static void __exit zone_layout_probe_exit(void)
{
}

module_init(zone_layout_probe_init);
module_exit(zone_layout_probe_exit);

MODULE_DESCRIPTION("Offsets of struct zone");
MODULE_LICENSE("GPL");
