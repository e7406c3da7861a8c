# SPDX-License-Identifier: GPL-2.0
# The front door and what the scripts share: targets, packages, the sum of make test.

setup() { load helper; setup_repo "$BATS_TEST_TMPDIR"; bin=$BATS_TEST_TMPDIR/bin; mkdir "$bin"; }

# A command of that name, whose body is on stdin, ahead of the real one.
fake() { { echo '#!/bin/bash'; cat; } >"$bin/$1"; chmod +x "$bin/$1"; }

@test "make prints the targets; an unknown one is one line" {
	run make
	[ "$status" -eq 0 ]
	[[ $output == *'make test'*'make regress'* ]]
	run make frobnicate
	[ "$status" -ne 0 ]
	[ "${lines[0]}" = 'schedfix: frobnicate: no such target; make prints what there is' ]
}

@test "kbuild targets go to the tree, with variables that are not ours" {
	run make -n menuconfig
	[[ $output == *'tree.sh'*'forward.sh menuconfig'* ]]
	run make -n kselftest TARGETS=sched BASE=6.12 V=1
	[[ $output == *'forward.sh kselftest'*TARGETS=sched* ]]
	[[ $output != *BASE* ]]
	run make -n M=drivers/dma
	[[ $output == *'forward.sh modules M=drivers/dma'* ]]
	run make -n kernel/sched/fair.o
	[[ $output == *'forward.sh kernel/sched/fair.o'* ]]
}

@test "packages: without rights the one line is printed; with them apt-get runs" {
	fake dpkg-query <<<'echo bash installed'
	fake id <<<'echo 1000'
	fake sudo <<<'exit 1'
	fake apt-get <<<'echo "apt-get $*" >>"$LOG"'
	fake apt-cache <<<'[ "$2" != new ] || grep -q update "$LOG" && echo there'
	printf '# a set\nbash\nnew\nold # for x\n' >schedfix/packages/some
	export PATH=$bin:$PATH LOG=$BATS_TEST_TMPDIR/log
	: >"$LOG"
	need='. schedfix/scripts/lib.sh; need_packages some'
	fails_with "$need" 'as root: apt-get install --no-install-recommends new old'
	[ ! -s "$LOG" ]
	printf 'new\nlater\n' >schedfix/packages/more
	PACKAGES='more some' fails_with "$need" 'as root: apt-get install --no-install-recommends later new old'
	fake sudo <<<'[ "$1" != -n ] || shift; exec "$@"'
	bash -euo pipefail -c "$need"
	[ "$(sed 's/-o [^ ]*//; s/  */ /g' "$LOG")" = "apt-get -y -q update
apt-get -y -q install --no-install-recommends new old" ]
	fake apt-get <<<'echo "E: no such thing"; exit 100'
	fails_with "$need" 'apt-get install failed: E: no such thing'
	fake dpkg-query <<<'printf "%s installed\n" bash new old'
	bash -euo pipefail -c "$need"
	fails_with '. schedfix/scripts/lib.sh; need_packages nosuch' 'schedfix/packages/nosuch: no such package set'
}

@test "make test counts what its steps say, and in CI a skip fails" {
	cd schedfix/scripts
	for step in tree series build kunit selftest sim-test regress; do printf '#!/bin/sh\n' >$step.sh; done
	printf '#!/bin/sh\necho "3 passed, 0 failed, 1 skipped"\n' >check.sh
	printf '#!/bin/sh\nprintf "ok 1 a\\nok 2 b # SKIP c\\nok 3 d\\n"\n' >sim-test.sh
	chmod +x ./*.sh
	mkdir ../tests
	run ./test.sh check sim kernel
	[ "$status" -eq 0 ]
	[ "${lines[-1]}" = '6 passed, 0 failed, 2 skipped' ]
	CI=true run ./test.sh check sim kernel
	[ "$status" -eq 1 ]
	[ "${lines[-1]}" = '6 passed, 2 failed, 0 skipped' ]
	printf '#!/bin/sh\necho "schedfix: no guest"\nexit 2\n' >kunit.sh
	rm selftest.sh
	run ./test.sh check kunit selftest tree
	[ "$status" -eq 1 ]
	[ "${lines[-1]}" = '4 passed, 2 failed, 1 skipped' ]
	[[ $output == *'FAILED  kunit'*'schedfix: no guest'*'FAILED  selftest'* ]]
	# The log is gone with CI's clone: what the kernel said is shown.
	printf '#!/bin/sh\nprintf "%%s\\n" "Oops: int3" "schedfix: the kernel panicked; see console" later\nexit 3\n' >kunit.sh
	run ./test.sh kunit
	[ "$status" -eq 1 ]
	[[ $output == *'FAILED  kunit'*'Oops: int3'*'the kernel panicked'* && $output != *later* ]]
}

@test "a patch out of form is named with the line" {
	make_series
	cd "$P"
	cp two.patch good.patch
	"$repo/schedfix/scripts/hunks.py" lint good.patch
	while IFS='|' read -r edit want; do
		sed "$edit" good.patch >bad.patch
		fails_with "$repo/schedfix/scripts/hunks.py lint bad.patch" bad.patch "$want"
	done <<-'END'
	/^Subject/d|no Subject: in its header
	/^Signed-off/d|no Signed-off-by
	/^Text of two/d|no text between its header and its tags
	/a \*= 2/d|hunk 1 is not as long as it says
	s/^@@ -17,7 +17,7/@@ -17,6 +17,6/; /a += 1/d|has 2 and 3 lines of context, not 3
	s/^--- a.*/new file mode 100644/|new file
	END
}
