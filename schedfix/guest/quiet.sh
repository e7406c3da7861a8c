# SPDX-License-Identifier: GPL-2.0
# For what patches the kernel's text (arming a kprobe, enabling an event), in a guest. Sourced.
# shellcheck shell=sh
#
#   alone COMMAND...        with CPU 0 alone online
#   hold_events EVENT...    so that others enabling and disabling them patches nothing
#
# QEMU's multi-threaded TCG (7.2 to 10.0, at least) drops the translation of an
# instruction that is about to be written before it writes it. A CPU that runs there in
# between translates the old one again, and that stays: an int3 that the kernel has long
# removed. It ends in "Oops: int3" or, on a kprobe of ftrace, in a jump to 0. Where the
# host preempts the writing thread the time between is long: 4 of 8 runs of delay_lag died
# so on two host CPUs. With one CPU there is nobody to translate.

alone()
{
	set_online 0
	"$@"
	set_online 1
}

# A tracepoint's calls are patched when its first or second user comes or goes, not its
# third: here are two, which record nothing.
hold_events()
{
	for i in held1 held2; do
		i=/sys/kernel/tracing/instances/$i
		mkdir "$i"
		echo 0 >"$i/tracing_on"
		echo 4 >"$i/buffer_size_kb"
		for e; do echo 1 >"$i/events/$e/enable"; done
	done
}

set_online() # 0 or 1: all CPUs that can go offline
{
	for f in /sys/devices/system/cpu/cpu[1-9]*/online; do
		[ ! -e "$f" ] || echo "$1" >"$f" || return
	done
}
