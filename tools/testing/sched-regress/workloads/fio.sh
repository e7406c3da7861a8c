# SPDX-License-Identifier: GPL-2.0
# What the fio workloads share: the null_blk drive and the report's fio line. Sourced.
# shellcheck shell=sh
#
# Scaled from reports/delayed-dequeue-fio (EPYC 7313P, 32 CPUs, an LLC per 8 of
# them, NVMe drive) to a guest of 8 CPUs, an LLC per 4, and memory:
#     taskset -c 1,2,3,4,5,6,7,8 --numjobs 8   ->   -c 1,2,3,4 --numjobs 4
#     --size 30g --runtime 1m                  ->   --size 128m --runtime $FIO_SECONDS (3)
#     Samsung NVMe                             ->   null_blk, memory_backed, timer interrupt
#                                                   after 50 us (assumed; no figure in the report)

DRIVE_MB=1536
COMPLETION_NSEC=50000

# Makes /dev/NAME and prints it.
drive() # NAME
{
	d=/sys/kernel/config/nullb/$1
	mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config
	modprobe null_blk nr_devices=0 2>/dev/null || true
	mkdir "$d"
	echo 1 > "$d/memory_backed"
	echo 1 > "$d/discard"
	echo $DRIVE_MB > "$d/size"
	echo 4096 > "$d/blocksize"
	echo 2 > "$d/irqmode"
	echo $COMPLETION_NSEC > "$d/completion_nsec"
	nproc --all > "$d/submit_queues"
	echo 1 > "$d/power"
	echo "/dev/$1"
}

# The files are made anew for each execution: like the report's first minute on
# 240 GB, most writes then meet blocks that the pool has not given out yet.
fresh() # DIRECTORY
{
	rm -f "$1"/default.*
	fstrim "$1"
	sync
}

fio_randwrite() # DIRECTORY
{
	taskset -c 1,2,3,4 fio --rw randwrite --bs 4k --runtime "${FIO_SECONDS:-3}" --fsync 0 \
		--iodepth 32 --direct 1 --ioengine libaio --numjobs 4 --size 128m --nrfiles 1 \
		--loops 1 --name default --randrepeat 1 --time_based --group_reporting \
		--directory "$1" --output-format=json --output "$OUT"
}
