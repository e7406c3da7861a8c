/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The lag of an entity whose dequeue is delayed (DELAY_LAG): the arithmetic,
 * apart from the runqueue so that it can be tested on its own.
 *
 * All lags here are virtual, vl = V - v, in nanoseconds of an entity of the
 * weight at hand. An entity falls asleep with vl < 0 and stays in the tree:
 *
 *	vl
 *	  0 -+------------------------------------------  zero: DELAY_ZERO clips
 *	     |                          ,-- picked: dequeued for good
 *	     |                  ___,---'
 *	     |       ___,------'          others run, V advances, debt is paid
 *	floor +-----'~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~  vl when it fell asleep
 *	     |         \__                others join and leave, V steps back:
 *	     |            `-- woken       debt the entity never made
 *	     +--------------------------------------------> t
 */
#ifndef _KERNEL_SCHED_DELAY_LAG_H
#define _KERNEL_SCHED_DELAY_LAG_H

#include <linux/math64.h>
#include <linux/types.h>

/**
 * delay_lag_bound - limit the lag of a delayed entity
 * @lag:   its virtual lag now, ns
 * @floor: its virtual lag when the dequeue was delayed, ns, at most 0
 * @zero:  whether positive lag is forfeited (DELAY_ZERO)
 *
 * An entity that does not run cannot come to owe more service than it owed
 * when it stopped. With @zero it is owed nothing either whenever it leaves the
 * queue, also for a moment; without the bound only when the delay ends.
 *
 * Return: @lag within [@floor, 0] or, if not @zero, [@floor, inf).
 */
static inline s64 delay_lag_bound(s64 lag, s64 floor, bool zero)
{
	if (lag < floor)
		return floor;
	if (zero && lag > 0)
		return 0;
	return lag;
}

/**
 * delay_lag_reweight - the same lag in the virtual time of another weight
 * @floor: virtual lag at weight @old, ns
 * @old:   weight before, not scaled down
 * @new:   weight after, not scaled down
 *
 * Lag proper, w * vl, survives a change of weight. The product fits: it is
 * service in ns times 2^20 (NICE_0_LOAD), whatever w is; an hour of debt is below 2^62.
 *
 * Return: @floor * @old / @new.
 */
static inline s64 delay_lag_reweight(s64 floor, unsigned long old, unsigned long new)
{
	return div_s64(floor * (s64)old, new);
}

#endif /* _KERNEL_SCHED_DELAY_LAG_H */
