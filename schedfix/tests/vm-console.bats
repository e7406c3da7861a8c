# SPDX-License-Identifier: GPL-2.0
# The console scan: a sample for each pattern, and consoles that are clean. The lines
# are ours, in the form that the kernel prints them.

setup()
{
	TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	console=$BATS_TEST_TMPDIR/console
}

scan() { "$TOP/schedfix/scripts/console.sh" "$console"; }
boot() { printf '[    0.0] Linux version 6.12.0\n[    0.5] smp: Brought up 2 nodes, 8 CPUs\n'; }

finds()
{
	local sample

	while IFS= read -r sample; do
		{ boot; printf '%s\r\n' "$sample"; } >"$console"
		run scan
		[ "$status" -eq 3 ] || { echo "missed: $sample"; return 1; }
		[[ $output == *"$sample"* ]] || { echo "not printed: $sample"; return 1; }
	done
}

@test "what a bug prints is found" {
	finds <<-'END'
	[    1.0] Kernel panic - not syncing: Attempted to kill init! exitcode=0x00000100
	[    1.0] WARNING: CPU: 3 PID: 77 at kernel/sched/fair.c:729 update_entity_lag+0x10/0x20
	[    1.0] BUG: kernel NULL pointer dereference, address: 0000000000000008
	[    1.0] BUG: unable to handle page fault for address: ffffffffdeadbeef
	[    1.0] BUG: sleeping function called from invalid context at mm/slab.h:1
	[    1.0] BUG: scheduling while atomic: stress/77/0x00000002
	[    1.0] BUG: workqueue lockup - pool cpus=0 node=0 flags=0x0 nice=0 stuck for 31s!
	[    1.0] kernel BUG at kernel/sched/core.c:1!
	[    1.0] Oops: 0000 [#1] PREEMPT SMP
	[    1.0] Oops: general protection fault, probably for non-canonical address 0x1: 0000 [#1]
	[    1.0] watchdog: BUG: soft lockup - CPU#2 stuck for 22s! [fio:77]
	[    1.0] watchdog: Watchdog detected hard LOCKUP on cpu 2
	[    1.0] INFO: task fio:77 blocked for more than 120 seconds.
	[    1.0] rcu: INFO: rcu_preempt self-detected stall on CPU
	[    1.0] rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:
	[    1.0] rcu: INFO: rcu_preempt detected expedited stalls on CPUs/tasks: { 1-.... }
	[    1.0] rcu: rcu_preempt kthread starved for 5250 jiffies!
	[    1.0] WARNING: possible circular locking dependency detected
	[    1.0] WARNING: possible recursive locking detected
	[    1.0] WARNING: inconsistent lock state
	[    1.0] WARNING: bad unlock balance detected!
	[    1.0] WARNING: suspicious RCU usage
	[    1.0] WARNING: lock held when returning to user space!
	[    1.0] list_add corruption. prev->next should be next (1), but was 2.
	[    1.0] refcount_t: underflow; use-after-free.
	[    1.0] UBSAN: array-index-out-of-bounds in kernel/sched/topology.c:1:2
	[    1.0] ODEBUG: free active (active state 0) object: 1 object type: timer_list
	BUG: KASAN: slab-use-after-free in pick_eevdf+0x1/0x2
	END
}

@test "a console without a bug passes, and prints nothing" {
	{
		boot
		echo '[    0.1] debug: unmapping init memory'
		echo '[    0.2] pci 0000:00:1f.0: quirk: [BUG] is no word of its own here: DEBUG: x'
		echo '[    0.3] WARNING: sched_verbose is a word'
		echo '[    0.4] sched_debug: BUGS: none'
	} >"$console"
	run scan
	[ "$status" -eq 0 ]
	[ -z "$output" ]
}

@test "the block is printed from two lines before to the end of the trace, and no more" {
	{
		boot
		echo 'line before'
		echo '======================='
		echo 'WARNING: possible circular locking dependency detected'
		echo ' fair_lock+0x1/0x2'
		echo '---[ end trace 0000000000000000 ]---'
		echo 'line after'
	} >"$console"
	run scan
	[ "$status" -eq 3 ]
	[ "${lines[0]}" = 'line before' ]
	[ "${#lines[@]}" -eq 5 ]
}


@test "a console that is not there is an error, not a pass" {
	run scan
	[ "$status" -eq 1 ]
	[[ $output == *"cannot be read"* ]]
}
