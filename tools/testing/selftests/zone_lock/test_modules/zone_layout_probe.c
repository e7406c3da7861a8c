// SPDX-License-Identifier: GPL-2.0
/*
 * The layout of struct zone around its lock, for kernels without BTF: parameter
 * "layout" of this module, lines of NAME FIRST-BYTE END.
 */
#include <linux/mmzone.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sysfs.h>

static const struct {
	const char *name;
	size_t start, end;
} members[] = {
	{ "order0", offsetof(struct zone, free_area[0]), offsetofend(struct zone, free_area[0]) },
	{ "free_area", offsetof(struct zone, free_area), offsetofend(struct zone, free_area) },
	{ "flags", offsetof(struct zone, flags), offsetofend(struct zone, flags) },
#ifdef CONFIG_UNACCEPTED_MEMORY
	{ "unaccepted_pages", offsetof(struct zone, unaccepted_pages),
	  offsetofend(struct zone, unaccepted_pages) },
#endif
	{ "lock", offsetof(struct zone, lock), offsetofend(struct zone, lock) },
	{ "percpu_drift_mark", offsetof(struct zone, percpu_drift_mark),
	  offsetofend(struct zone, percpu_drift_mark) },
};

static int layout_get(char *buffer, const struct kernel_param *kp)
{
	int i, at = 0;

	for (i = 0; i < ARRAY_SIZE(members); i++)
		at += sysfs_emit_at(buffer, at, "%s %zu %zu\n", members[i].name,
				    members[i].start, members[i].end);
	return at;
}

static const struct kernel_param_ops layout_ops = {
	.get = layout_get,
};
module_param_cb(layout, &layout_ops, NULL, 0444);
MODULE_PARM_DESC(layout, "where the members are (read only)");

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
