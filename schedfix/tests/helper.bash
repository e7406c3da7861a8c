# SPDX-License-Identifier: GPL-2.0
# A small repository with our scripts, and a kernel of three files, made anew for
# each test in its own directory: no kernel source is needed, none of build/ is used.
# shellcheck shell=bash disable=SC2034,SC2154 # used by, set by the tests

TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)

# Nothing of the caller's make or git reaches a test.
export JOBS=2
unset BUILD BASE V CI KSRC TREE_FORCE PACKAGES MAKEFLAGS MAKELEVEL
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=ann@example.org
export GIT_COMMITTER_NAME=Ann GIT_COMMITTER_EMAIL=ann@example.org

use_dir()
{
	repo=$1/repo linux=$1/linux
	src=$repo/build/6.12/src base=$repo/build/6.12/base P=$repo/patches/6.12
}

setup_repo()
{
	use_dir "$1"
	mkdir -p "$repo/schedfix" "$P" "$linux/kernel/sched" "$linux/include"
	cp -r "$TOP/schedfix/scripts" "$TOP/schedfix/packages" "$repo/schedfix/"
	cp "$TOP/Makefile" "$TOP/.gitignore" "$repo/"
	make_linux "$linux" 3
	git -C "$repo" init -q -b main
	cd "$repo" || return
}

# For setup_file and setup: lay the tree once, and give each test a copy.
setup_laid_file()
{
	setup_repo "$BATS_FILE_TMPDIR"
	make_series
	KSRC=$linux s tree
}
setup_laid()
{
	cp -a "$BATS_FILE_TMPDIR/." "$BATS_TEST_TMPDIR"
	use_dir "$BATS_TEST_TMPDIR"
	cd "$repo" || return
}

# Linux 6.12.$2 in directory $1, whose fair.c has functions alike but for their names.
# Further arguments are lines that a point release put at the top of it.
make_linux()
{
	local f linux=$1

	printf 'VERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = %s\nEXTRAVERSION =\nNAME = Test\n' "$2" >"$linux/Makefile"
	printf '#define LIMIT 1\n\n#define OTHER 2\n' >"$linux/include/limit.h"
	printf 'obj-y += fair.o\nobj-y += core.o\nobj-y += rt.o\nobj-y += idle.o\n' >"$linux/kernel/sched/Makefile"
	{
		printf '%s\n' "${@:3}"
		for f in alpha beta gamma delta; do
			printf '\nstatic int %s(int x)\n{\n\tint a = x;\n\n\ta += 1;\n\ta *= 2;\n\ta -= 3;\n\ta ^= 4;\n\treturn a;\n}\n' $f
		done
	} >"$linux/kernel/sched/fair.c"
}

# A series of three: a change, a file of ours with its line in a Makefile, a change.
make_series()
{
	cat >"$P/series" <<-'END'
	# A series

	# Heading one
	one.patch | to=sched | upstream=- | adds=kernel/sched/ours.c
	two.patch  |  to=sched  |  upstream=0123456789ab

	# Heading three
	three.patch | to=ours | upstream=- | adds=tools/ours,tools/run.sh
	END
	mkdir -p "$repo/kernel/sched" "$repo/tools/ours"
	echo 'int ours;' >"$repo/kernel/sched/ours.c"
	echo 'a' >"$repo/tools/ours/a"
	printf '#!/bin/sh\n' >"$repo/tools/run.sh"
	chmod +x "$repo/tools/run.sh"
	mail one "Add ours" >"$P/one.patch" <<-'END'
	diff --git a/kernel/sched/Makefile b/kernel/sched/Makefile
	--- a/kernel/sched/Makefile
	+++ b/kernel/sched/Makefile
	@@ -2,3 +2,4 @@ obj-y += fair.o
	 obj-y += core.o
	 obj-y += rt.o
	 obj-y += idle.o
	+obj-y += ours.o
	END
	mail two "sched: Change beta" >"$P/two.patch" <<-'END'
	diff --git a/kernel/sched/fair.c b/kernel/sched/fair.c
	--- a/kernel/sched/fair.c
	+++ b/kernel/sched/fair.c
	@@ -17,7 +17,7 @@ static int beta(int x)
	 
	 	a += 1;
	 	a *= 2;
	-	a -= 3;
	+	a -= 33;
	 	a ^= 4;
	 	return a;
	 }
	END
	mail three "tools: Add ours" >"$P/three.patch" </dev/null
}

# A mail with the diff on stdin: NAME SUBJECT.
mail()
{
	printf 'From: Bob <bob@example.org>\nDate: Mon, 2 Dec 2024 10:00:00 +0000\nSubject: %s\n\nText of %s.\n\n' "$2" "$1"
	printf 'Signed-off-by: Bob <bob@example.org>\n---\n'
	cat
}

s() { schedfix/scripts/"$1".sh "${@:2}"; }
in_src() { git -C "$src" "$@"; }

# Run and want it to fail with one line on stderr that has all the words given.
fails_with()
{
	local cmd=$1 word

	run bash -c "$cmd"
	[ "$status" -ne 0 ] || { echo "'$cmd' did not fail"; return 1; }
	[ "$(grep -c '^schedfix: ' <<<"$output")" -ge 1 ] || { echo "no error line: $output"; return 1; }
	for word in "${@:2}"; do
		[[ $output == *"$word"* ]] || { echo "no '$word' in: $output"; return 1; }
	done
}
