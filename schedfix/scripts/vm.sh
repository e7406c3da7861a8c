#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Runs one command in a guest with our kernel and tells how that went.
# shellcheck disable=SC2054 # the commas are QEMU's
set -euo pipefail
here=$(dirname "$0")
. "$here/lib.sh"
. "$here/topo.sh"

# Whatever keeps the guest from running is exit code 2, not COMMAND's failure.
die() { printf 'schedfix: %s\n' "$*" >&2; exit 2; }

usage()
{
	cat >&2 <<-'END'
	usage: vm.sh [OPTION]... --out DIR -- COMMAND...
	  --tree src|base        kernel built from that tree (src)
	  --config NAME          ... with that configuration (test)
	  --topo NAME            schedfix/topologies/NAME.topo (2l4c)
	  --cpus N               cut the topology down to N CPUs (8)
	  --guest initramfs|debian
	  --timeout SEC          kill the guest after that time (120)
	  --append "ARGS"        more kernel arguments
	  --mem SIZE             as 512M or 4G (2G)
	  --disk SIZE[:SERIAL]   an empty disk, /dev/disk/SERIAL in the guest
	  --add HOST:GUEST       a file or directory to put into the guest
	  --shell                a shell on this terminal instead of COMMAND
	  --dry-run              print QEMU's command line, run nothing
	DIR is made anew: output, results.jsonl (the guest's $RESULTS), console, status.json.
	exit: 0 done, 1 COMMAND failed, 2 could not run, 3 kernel bug, 4 out of time
	END
	exit 2
}

tree=src config=test topo=2l4c cpus=8 guest=initramfs timeout=120 append='' mem=2G out='' shell='' dry=''
disks=() adds=()

options()
{
	while [ $# -gt 0 ]; do
		case $1 in
		--tree | --config | --topo | --cpus | --guest | --timeout | --append | --mem | --out)
			[ $# -gt 1 ] || usage
			printf -v "${1#--}" %s "$2"; shift 2 ;;
		--disk) disks+=("${2?}"); shift 2 ;;
		--add) adds+=("${2?}"); shift 2 ;;
		--shell) shell=$(stty size 2>/dev/null) || shell="24 80"; shift ;;
		--dry-run) dry=1; shift ;;
		--) shift; break ;;
		*) usage ;;
		esac
	done
	[ -n "$out" ] || usage
	[ $# -gt 0 ] || [ -n "$shell" ] || usage
	[[ $timeout =~ ^[1-9][0-9]*$ ]] || die "--timeout $timeout: not a number of seconds"
	[[ $cpus =~ ^[1-9][0-9]*$ ]] || die "--cpus $cpus: not a number"
	[[ $mem =~ ^([0-9]+)([MG])$ ]] || die "--mem $mem: not a size like 512M or 4G"
	mb=${BASH_REMATCH[1]}
	[ "${BASH_REMATCH[2]}" = M ] || mb=$((mb * 1024))
	command=$*
}

# QEMU's command line but for what depends on the accelerator.
machine()
{
	local line i

	# An 8250 for the console, as it works from the first line to the last of a panic. The
	# rest is virtio: port 0 carries results, 1 what init says, 2 output; a file
	# chardev writes each of them out as it comes.
	args=(-nodefaults -no-user-config -display none -no-reboot -machine q35
		-chardev "file,id=console,path=$out/console" -serial chardev:console
		-device virtio-serial-pci,max_ports=8
		-chardev "file,id=results,path=$out/results.jsonl" -device virtconsole,chardev=results,nr=0
		-chardev "file,id=control,path=$out/control" -device virtserialport,chardev=control,nr=1
		-chardev "file,id=output,path=$out/output" -device virtserialport,chardev=output,nr=2)
	[ -z "$shell" ] || args+=(-chardev stdio,id=shell,signal=off -device virtconsole,chardev=shell,nr=3)
	while read -r line; do
		# shellcheck disable=SC2206 # words by intent
		args+=($line)
	done < <(topo_qemu "$mb")
	if [ "$guest" = debian ]; then
		args+=(-drive "file=$image,if=none,id=guest,format=raw,readonly=on"
			-device virtio-blk-pci,drive=guest,serial=guest)
	elif [ "$guest" != initramfs ]; then
		die "--guest $guest: neither initramfs nor debian"
	fi
	for i in "${!disks[@]}"; do
		args+=(-drive "file=$out/disk$i,if=none,id=disk$i,format=raw,cache=unsafe"
			-device "virtio-blk-pci,drive=disk$i$([[ ${disks[i]} != *:* ]] || echo ",serial=${disks[i]#*:}")")
	done
	# A smaller BIOS, where QEMU has it: half a second.
	[ ! -f /usr/share/qemu/qboot.rom ] || args+=(-bios /usr/share/qemu/qboot.rom)
	# panic=-1 and -no-reboot end QEMU at a panic, and at an oops, after which what waits
	# for the dead task would only wait for the limit. sched_verbose fills sched/domains.
	cmdline="console=ttyS0 panic=-1 oops=panic sched_verbose"
}

# Emulated CPUs read the host's TSC; let it be the clock instead of the HPET, each read
# of which leaves the emulated CPU. On a busy host a guest may calibrate it wrong by a
# factor of a hundred, and then its clock races and RCU stalls: so tell its frequency.
# lpj (loops per jiffy at HZ=250) spares each CPU three tenths of a second, and
# no_timer_check a panic where the timer's first ten ticks come late.
accelerate()
{
	if [ "$1" = kvm ]; then
		args+=(-accel kvm -cpu host)
	else
		args+=(-accel tcg,thread=multi -cpu max)
		cmdline+=" tsc=reliable tsc_early_khz=$2 lpj=$(($2 * 4)) no_timer_check"
	fi
	args+=(-kernel "$kernel" -initrd "$out/initramfs" -append "$cmdline${append:+ $append}")
}

# Of this host.
tsc_khz()
{
	local c=$TOP/schedfix/guest/tsc_khz.c bin=$BUILD/cache/tsc_khz

	[ "$bin" -nt "$c" ] || { gcc -O2 -o "$bin.$$" "$c" && mv "$bin.$$" "$bin"; } || die "$bin: cannot be built"
	"$bin"
}

# One line that a shell can run again.
command_line()
{
	local a line=()

	for a in "$qemu" "${args[@]}"; do
		[[ $a =~ ^[A-Za-z0-9_.,:=/@+-]+$ ]] || a=${a@Q}
		line+=("$a")
	done
	echo "${line[*]}"
}

# QEMU must not outlive us, however we go: it is killed by the kernel if we are killed
# (pdeathsig), and by us if we are told to stop. No timeout(1): it would move QEMU to a
# process group of its own, out of reach of the terminal's Ctrl-C.
guest_pid='' timer=''
stop()
{
	[ -z "$timer" ] || kill "$timer" 2>/dev/null || true
	[ -z "$guest_pid" ] || kill -KILL "$guest_pid" 2>/dev/null || true
	wait $guest_pid $timer 2>/dev/null || true
}
# shellcheck disable=SC2317 # called by trap
tidy() { stop; rm -rf "$out"/initramfs* "$out"/disk*; }

# All that must be there before QEMU can start.
prepare()
{
	local i khz

	[ -n "${QEMU:-}" ] || need_packages vm
	command -v "$qemu" >/dev/null || die "$qemu: not found; install qemu-system-x86"
	[ -f "$kernel" ] || die "$kernel: no such kernel; run 'make kernel'"
	[ "$guest" != debian ] || [ -f "$image" ] || die "$image: no such image; run 'make guest'"
	mkdir -p "$out" 2>/dev/null || die "$out: cannot be made"
	rm -f "$out"/{console,results.jsonl,control,output,status.json,initramfs,disk*}

	accel=$("$here/accel.sh" "$kernel") || exit 2
	khz=$(tsc_khz) || exit 2
	accelerate "$accel" "$khz"
	{ command_line >"$out/qemu.cmd"; } 2>/dev/null || die "$out: cannot be written; is the disk full?"
	"$here/initramfs.sh" "$guest" "$(topo_want)" "${kernel%/vmlinux}/mods" "$out/initramfs" \
		"$shell" "${adds[@]}" <<<"$command" || exit 2
	for i in "${!disks[@]}"; do
		truncate -s "${disks[i]%%:*}" "$out/disk$i" || die "--disk ${disks[i]}: no such size"
	done
}

# Sets rc, QEMU's exit code or "timeout", and seconds.
run_guest()
{
	local start=$EPOCHREALTIME ended=''

	# Plain commands, not functions: else a subshell of bash would be their parent.
	setpriv --pdeathsig KILL "$qemu" "${args[@]}" <&0 2>"$out/qemu.err" &
	guest_pid=$!
	setpriv --pdeathsig KILL sleep "$timeout" &
	timer=$!
	rc=0
	wait -n -p ended $guest_pid $timer || rc=$?
	[ "$ended" = $guest_pid ] || rc=timeout
	stop
	seconds=$(awk "BEGIN { printf \"%.1f\", $EPOCHREALTIME - $start }")
}

main()
{
	options "$@"
	topo_read "$topo"
	topo_fit "$cpus" "$topo"
	qemu=${QEMU:-qemu-system-x86_64}
	kernel=$BUILD/$BASE/out-$tree-$config/vmlinux
	image=$BUILD/guest/guest.squashfs
	machine
	if [ -n "$dry" ]; then
		accelerate tcg 2000000
		command_line
		exit
	fi
	trap tidy EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	prepare
	[ "$V" != 1 ] || command_line >&2
	run_guest
	"$here/verdict.sh" "$out" "$rc" "$accel" "$seconds" "$timeout"
}

# Read to its end before it runs, so that an edit meanwhile does no harm.
main "$@"; exit
