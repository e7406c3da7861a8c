# SPDX-License-Identifier: GPL-2.0
# Fetching the kernel source: what KSRC= may be, and each way in which it may be broken.

setup() { load helper; setup_repo "$BATS_TEST_TMPDIR"; touch "$P/series"; export KSRC=$linux; }

left() { (cd build/6.12 2>/dev/null && ls); }

# bats test_tags=slow
@test "a directory, a tarball, a git tree and a bare one are taken, and recorded" {
	s source
	[ "$(cat build/6.12/version)" = "6.12.3 (KSRC $linux)" ]
	diff -r "$linux" build/6.12/base
	cd "$BATS_TEST_TMPDIR"
	tar -cJf l.tar.xz linux
	git -C linux init -q && git -C linux add -A && git -C linux commit -q -m x
	git clone -q --bare linux bare
	cd "$repo"
	for KSRC in ../l.tar.xz ../linux ../bare; do
		rm -rf build
		KSRC=$KSRC s source
		diff -r -x .git "$linux" build/6.12/base
		KSRC=$KSRC s source
	done
	grep -q '^6.12.3 (KSRC .*/bare git [0-9a-f]\{12\})$' build/6.12/version
	# Without KSRC= what is there is used.
	KSRC='' s source
}

@test "another source than the one there is refused" {
	s source
	cp -r "$linux" ../other
	fails_with 'KSRC=../other schedfix/scripts/source.sh' 'build/6.12 holds 6.12.3' 'KSRC=../other is another'
	[ "$(cat build/6.12/version)" = "6.12.3 (KSRC $linux)" ]
}

@test "a wrong version is named, in a directory and a tarball, and nothing is left" {
	sed -i 's/^PATCHLEVEL = 12/PATCHLEVEL = 1/' "$linux/Makefile"
	tar -czf ../l.tar.gz -C .. linux
	fails_with 'schedfix/scripts/source.sh' "$linux: is Linux 6.1.3, wanted 6.12.y"
	fails_with 'KSRC=../l.tar.gz schedfix/scripts/source.sh' 'is Linux 6.1.3, wanted 6.12.y'
	[ -z "$(left)" ]
}

# bats test_tags=slow
@test "a truncated tarball, and what is no tarball, are named; a re-run heals" {
	head -c 900000 /dev/urandom >"$linux/big"
	for z in xz gzip none; do
		case $z in none) tar -cf ../l.tar -C .. linux ;; *) tar -cf ../l.tar --use-compress-program=$z -C .. linux ;; esac
		head -c 300000 ../l.tar >../cut.tar
		fails_with 'KSRC=../cut.tar schedfix/scripts/source.sh' 'cut.tar: truncated or damaged'
		[ -z "$(left)" ]
	done
	echo text >../text.tar
	fails_with 'KSRC=../text.tar schedfix/scripts/source.sh' text.tar 'is it a kernel source?'
	fails_with 'KSRC=../nothing schedfix/scripts/source.sh' 'KSRC=../nothing: no such file'
	KSRC=../l.tar s source
}

# bats test_tags=slow
@test "a dirty git tree and a directory built in are refused" {
	touch "$linux/.config"
	fails_with 'schedfix/scripts/source.sh' 'was built in (.config is there)'
	rm "$linux/.config"
	touch "$linux/kernel/sched/fair.o"
	fails_with 'schedfix/scripts/source.sh' "not clean ($linux/kernel/sched/fair.o is there)"
	rm "$linux/kernel/sched/fair.o"
	git -C "$linux" init -q && git -C "$linux" add -A && git -C "$linux" commit -q -m x
	echo >>"$linux/Makefile"
	fails_with 'schedfix/scripts/source.sh' 'dirty git tree'
	[ -z "$(left)" ]
}

@test "a full disk is named, nothing is left, and a re-run heals" {
	mkdir -p build
	head -c 3000000 /dev/urandom >"$linux/big"
	tar -cf ../l.tar -C .. linux
	if mount -t tmpfs -o size=1m none build 2>/dev/null; then
		run s source
		of_dir=$output
		run env KSRC=../l.tar schedfix/scripts/source.sh
		left=$(left)
		mount -o remount,size=9m build
		s source && healed=1
		umount build
	else
		# Who may not mount gets the message from a tar and a cp that fail so.
		mkdir bin
		printf '#!/bin/sh\necho "$0: x: No space left on device" >&2\nexit 1\n' | tee bin/cp >bin/tar
		chmod +x bin/*
		run env PATH="$PWD/bin:$PATH" schedfix/scripts/source.sh
		of_dir=$output
		run env PATH="$PWD/bin:$PATH" KSRC=../l.tar schedfix/scripts/source.sh
		left=$(left)
		s source && healed=1
	fi
	[[ $of_dir == *"schedfix: $linux: disk full"* ]]
	[[ $output == *'l.tar: disk full'* ]]
	[ -z "$left" ]
	[ "$healed" = 1 ]
}
