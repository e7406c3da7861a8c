// SPDX-License-Identifier: GPL-2.0
/*
 * The layout of struct zone around its lock, in one configuration. Never run:
 * compiled to assembler, from which zone-layout.sh takes the numbers. It may include
 * another mmzone.h ahead (-include), for the layout of another tree.
 */
#include <linux/kbuild.h>
#include <linux/mmzone.h>

int main(void)
{
	DEFINE(line, SMP_CACHE_BYTES);
	DEFINE(types, MIGRATE_TYPES);
	DEFINE(size, sizeof(struct zone));
	DEFINE(order0, offsetof(struct zone, free_area[0]));
	DEFINE(order0_end, offsetofend(struct zone, free_area[0]));
	DEFINE(areas_end, offsetofend(struct zone, free_area));
	DEFINE(flags, offsetof(struct zone, flags));
#ifdef CONFIG_UNACCEPTED_MEMORY
	DEFINE(unaccepted, offsetof(struct zone, unaccepted_pages));
#endif
#ifdef CONFIG_ZONE_ORDER_UPSTREAM
	DEFINE(trylock, offsetof(struct zone, trylock_free_pages));
#endif
	DEFINE(lock, offsetof(struct zone, lock));
	DEFINE(lock_end, offsetofend(struct zone, lock));
	DEFINE(next, offsetof(struct zone, percpu_drift_mark));
	return 0;
}
