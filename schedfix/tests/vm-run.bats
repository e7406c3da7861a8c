# SPDX-License-Identifier: GPL-2.0
# vm.sh around a QEMU that is a shell script of ours: exit codes, status.json, and that
# nothing is left running. What a real guest does is tested by make test.

setup()
{
	TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	vm=$TOP/schedfix/scripts/vm.sh
	unset V BASE
	export BUILD=$BATS_TEST_TMPDIR/build KVM=/nonexistent QEMU=$BATS_TEST_TMPDIR/qemu
	out=$BATS_TEST_TMPDIR/out
	mkdir -p "$BUILD/6.12/out-src-test" "$BATS_TEST_TMPDIR/bin"
	touch "$BUILD/6.12/out-src-test/vmlinux"
	mkdir -p "$BUILD/cache"
	printf '#!/bin/sh\necho 2000000\n' >"$BUILD/cache/tsc_khz"
	chmod +x "$BUILD/cache/tsc_khz"
	# The real ones may not be installed where only the host tests run.
	printf '#!/bin/sh\ncat >/dev/null\n' >"$BATS_TEST_TMPDIR/bin/cpio"
	printf '#!/bin/sh\n' >"$BATS_TEST_TMPDIR/bin/busybox"
	chmod +x "$BATS_TEST_TMPDIR"/bin/*
	PATH=$BATS_TEST_TMPDIR/bin:$PATH
	topo='{"cpus":8,"shape":"2 LLCs x 4 cores x 1 threads, 2 nodes"}'
	went_up="echo kernel 6.12.0-test >control; echo 'topo $topo' >>control; echo start >>control"
}

# A QEMU that does what the arguments say, in DIR.
fake()
{
	printf '#!/bin/sh\n[ "$1" = --version ] && exec echo fake 1\ncd %s || exit\n: >console\n%s\n' "$out" "$*" >"$QEMU"
	chmod +x "$QEMU"
}

field() { sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p" "$out/status.json"; }

# Run a guest: exit code, status and a word of what is said.
ends()
{
	run "$vm" --timeout 2 --out "$out" -- true
	[ "$status" -eq "$1" ] || { echo "exit $status, not $1: $output"; return 1; }
	[ "$(field status)" = "$2" ] || { cat "$out/status.json"; return 1; }
	[[ $output == *"$3"* ]] || { echo "$output"; return 1; }
}

@test "0: the command did and the console is clean" {
	fake "$went_up; echo exit 0 >>control"
	ends 0 ok ""
	[ "$(field kernel)" = 6.12.0-test ]
	[ "$(field cpus)" = 8 ]
	[ "$(field exit)" = 0 ]
	[[ $output != *schedfix:* ]]
}

@test "1: the command failed, or was not found" {
	fake "$went_up; echo 'sh: fio: not found' >output; echo exit 127 >>control"
	ends 1 failed "exit code 127 in the guest: sh: fio: not found"
	[ "$(field exit)" = 127 ]
}

@test "1: the guest went down in the middle" {
	fake "$went_up"
	ends 1 failed "before the command ended"
}

@test "2: another topology than asked for" {
	fake "echo 'topo {\"shape\":\"1 LLCs\"}' >control; echo mismatch asked for 2 LLCs >>control"
	ends 2 skip "guest got 1 LLCs but was asked for 2 LLCs"
}

@test "2: init could not go on" {
	fake "echo error guest image cannot be mounted >control"
	ends 2 noboot "guest image cannot be mounted"
}

@test "2: the guest image is damaged" {
	fake "echo '[    1.0] SQUASHFS error: Unable to read inode' >console; $went_up; echo exit 1 >>control"
	ends 2 noboot "guest image is damaged"
}

@test "2: QEMU does not start" {
	fake "echo 'qemu: no such machine' >&2; exit 1"
	ends 2 noboot "QEMU: qemu: no such machine"
}

# bats test_tags=slow
@test "2: the kernel said nothing until the limit" {
	fake "exec sleep 60"
	ends 2 noboot "did not come up in 2 s"
}

@test "2: killed from outside" {
	fake "$went_up; kill -KILL \$\$"
	ends 2 killed "killed by signal 9"
}

@test "2: QEMU, kernel or image missing" {
	fake true
	run env QEMU=/nonexistent/qemu "$vm" --out "$out" -- true
	[[ $status -eq 2 && $output == *"/nonexistent/qemu: not found"* ]]
	run "$vm" --config none --out "$out" -- true
	[[ $status -eq 2 && $output == *"no such kernel"* ]]
	run "$vm" --guest debian --out "$out" -- true
	[[ $status -eq 2 && $output == *"make guest"* ]]
	run "$vm" --topo none --out "$out" -- true
	[[ $status -eq 2 && $output == *"no such topology"* ]]
}

@test "3: a panic, even if the command had exited 0" {
	fake "$went_up; echo exit 0 >>control; echo '[    9.0] Kernel panic - not syncing: test' >console"
	ends 3 panic "Kernel panic - not syncing: test"
}

@test "3: a panic that follows on an oops" {
	fake "$went_up; printf '%s\\n' 'Oops: int3: 0000' '---[ end trace 0 ]---' 'Kernel panic - not syncing: Fatal exception' >console"
	ends 3 panic "Oops: int3"
}

@test "3: a warning" {
	fake "$went_up; echo exit 0 >>control; echo '[    9.0] WARNING: CPU: 0 PID: 1 at x.c:1 f+0x1/0x2' >console"
	ends 3 oops "at x.c:1"
}

# bats test_tags=slow
@test "4: a hung guest is killed, and what it had said is kept" {
	fake "$went_up; echo '{\"a\":1}' >results.jsonl; exec sleep 60"
	ends 4 hang "no end after 2 s"
	[ "$(cat "$out/results.jsonl")" = '{"a":1}' ]
	run pgrep -f "$BATS_TEST_TMPDIR/qemu"
	[ "$status" -eq 1 ]
}

# Start a guest that hangs, send vm.sh a signal, and look for what is left.
signalled()
{
	local n

	fake "$went_up; echo \$\$ >pid; exec sleep 60"
	"$vm" --timeout 50 --out "$out" -- true 3>&- &
	for ((n = 0; n < 600; n++)); do [ -s "$out/pid" ] && break; sleep 0.05; done
	guest=$(cat "$out/pid")
	kill -0 "$guest"
	kill "-$1" $!
	code=0
	wait $! || code=$?
	for ((n = 0; n < 40; n++)); do kill -0 "$guest" 2>/dev/null || return 0; sleep 0.05; done
	echo "QEMU outlived SIG$1"
	return 1
}

@test "SIGTERM ends QEMU" { signalled TERM; [ $code -eq 143 ]; [ ! -e "$out/initramfs" ]; }
# bats test_tags=slow
@test "SIGHUP ends QEMU" { signalled HUP; }
# bats test_tags=slow
@test "SIGKILL ends QEMU" { signalled KILL; }

# bats test_tags=slow
@test "Ctrl-C ends QEMU" {
	# A background job of a shell without job control ignores SIGINT: make a session.
	fake "$went_up; echo \$\$ >pid; exec sleep 60"
	python3 - "$vm" "$out" <<-'END'
	import os, signal, subprocess, sys, time
	vm = subprocess.Popen([sys.argv[1], "--timeout", "50", "--out", sys.argv[2], "--", "true"],
	                      start_new_session=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
	pid = sys.argv[2] + "/pid"
	while not (os.path.exists(pid) and os.path.getsize(pid)):
	    time.sleep(0.05)
	os.killpg(vm.pid, signal.SIGINT)
	assert vm.wait(5) == 130, vm.returncode
	time.sleep(0.2)
	assert not os.path.exists("/proc/" + open(pid).read().strip()), "QEMU is left"
	END
}

# bats test_tags=slow
@test "a KVM that hangs is not used, and the answer is kept" {
	touch "$BATS_TEST_TMPDIR/kvm"
	export KVM=$BATS_TEST_TMPDIR/kvm
	mkdir -p "$out"
	fake 'case "$*" in *"-accel kvm"*) exec sleep 60 ;; esac'
	run "$TOP/schedfix/scripts/accel.sh" vmlinux
	[[ $output == *"printed nothing in 5 s"* && ${lines[-1]} = tcg ]]
	run "$TOP/schedfix/scripts/accel.sh" vmlinux
	[ "$output" = tcg ]
}

@test "a KVM that boots is used" {
	touch "$BATS_TEST_TMPDIR/kvm"
	export KVM=$BATS_TEST_TMPDIR/kvm
	mkdir -p "$out"
	fake 'for a; do case $a in file:*) echo "Linux version 6" >"${a#file:}" ;; esac; done; exec sleep 60'
	run "$TOP/schedfix/scripts/accel.sh" vmlinux
	[ "${lines[-1]}" = kvm ]
}

@test "a dry run prints a command line, and runs nothing" {
	fake "exit 1"
	run "$vm" --dry-run --append "idle=poll" --disk 1G:data --out "$out" -- true
	[ "$status" -eq 0 ]
	[[ $output == *" idle=poll'"* && $output == *"serial=data"* ]]
	[ ! -e "$out" ]
}
