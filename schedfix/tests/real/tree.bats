# SPDX-License-Identifier: GPL-2.0
# The series on the real kernel, both ways. In a copy of this repository, over a base
# that has those files of Linux only that the series touches. Run by make test.

TOP=$(cd "$BATS_TEST_DIRNAME/../../.." && pwd)
BASE=${BASE:-6.12}
REAL=${BUILD:-$TOP/build}/$BASE

existing() { while IFS= read -r f; do [ ! -e "$f" ] || echo "$f"; done; }

setup_file()
{
	local here=$REAL copy=$BATS_FILE_TMPDIR/repo

	[ -d "$here/base" ] || { echo "$here/base: not there; make tree first"; return 1; }
	mkdir -p "$copy/build/$BASE/base"
	cd "$TOP"
	git ls-files -co --exclude-standard | existing | tar -c -T - | tar -x -C "$copy"
	cp "$here/version" "$here/origin" "$copy/build/$BASE/"
	cd "$here/base"
	sed -n 's|^diff --git a/.* b/||p' "$TOP/patches/$BASE"/*.patch | sort -u |
		existing | tar -c -T - | tar -x -C "$copy/build/$BASE/base"
	git -C "$copy" init -q
	git -C "$copy" add -A
	git -C "$copy" -c user.name=t -c user.email=t@t commit -q -m copy
	unset KSRC BUILD TREE_FORCE
	"$copy/schedfix/scripts/tree.sh"
}

setup() { unset KSRC BUILD TREE_FORCE; cd "$BATS_FILE_TMPDIR/repo"; src=build/$BASE/src; }

@test "refresh after tree changes nothing" {
	schedfix/scripts/refresh.sh
	git status --porcelain
	[ -z "$(git status --porcelain)" ]
}

@test "its commits are those of make tree" {
	[ "$(git -C $src rev-parse HEAD)" = "$(git -C "$REAL/src" rev-parse refs/schedfix/tree)" ]
}

@test "a commit goes to the series and comes back" {
	echo '/* round trip */' >>$src/kernel/sched/fair.c
	echo 'ours' >$src/kernel/sched/round-trip.h
	git -C $src add -f kernel/sched/round-trip.h
	git -C $src -c user.name=t -c user.email=t@t commit -q -a -m 'Round trip' -m 'There and back.'
	tree=$(git -C $src rev-parse 'HEAD^{tree}')
	schedfix/scripts/refresh.sh
	[ -s "patches/$BASE/round-trip.patch" ]
	rm -rf $src
	schedfix/scripts/tree.sh
	[ "$(git -C $src rev-parse 'HEAD^{tree}')" = "$tree" ]
}
