# SPDX-License-Identifier: GPL-2.0
# make tree, on a kernel of three files.

setup_file() { load helper; setup_laid_file; }
setup() { load helper; setup_laid; }

edit() { sed -i "$1" "$src/$2"; }
commit() { in_src commit -q -a -m "$1" -m 'Why.'; }

@test "a clone that is another user's will do" {
	echo c >tools/ours/a
	GIT_TEST_ASSUME_DIFFERENT_OWNER=1 s tree
	[ "$(cat "$src/tools/ours/a")" = c ]
}

@test "a commit a patch, over a base of what the series touches" {
	[ "$(in_src log --format=%s)" = "tools: Add ours
sched: Change beta
Add ours
Linux 6.12.3" ]
	[ "$(in_src ls-tree -r --name-only base)" = "kernel/sched/Makefile
kernel/sched/fair.c" ]
	[ "$(in_src log -1 --format='%an %ae %ad %s' HEAD~1)" = "Bob bob@example.org Mon Dec 2 10:00:00 2024 +0000 sched: Change beta" ]
	[ -x "$src/tools/run.sh" ]
	[ ! -x "$src/tools/ours/a" ]
	[ -z "$(in_src status --porcelain)" ]
}

# bats test_tags=slow
@test "commits are the same each time" {
	head=$(in_src rev-parse HEAD)
	rm -rf "$src"
	GIT_AUTHOR_NAME=Eve TZ=Asia/Tokyo s tree
	[ "$(in_src rev-parse HEAD)" = "$head" ]
}

@test "tree does not drop commits, and keeps them when forced to" {
	edit 's/a -= 33/a -= 34/' kernel/sched/fair.c
	commit 'sched: My work'
	s tree
	head=$(in_src rev-parse HEAD)
	echo c >tools/ours/a
	fails_with 'schedfix/scripts/tree.sh' 'sched: My work' 'make refresh'
	[ "$(in_src rev-parse HEAD)" = "$head" ]
	echo >>"$src/kernel/sched/fair.c"
	fails_with 'schedfix/scripts/tree.sh' 'uncommitted changes (kernel/sched/fair.c)'
	fails_with 'schedfix/scripts/clean.sh' 'uncommitted changes (kernel/sched/fair.c)'
	TREE_FORCE=1 s tree
	[ "$(in_src rev-parse dropped^)" = "$head" ]
	grep -q 'a -= 33' "$src/kernel/sched/fair.c"
	[ "$(cat "$src/tools/ours/a")" = c ]
}

# bats test_tags=slow
@test "only files that differ are written" {
	touch -d 2020-01-01 "$src/kernel/sched/"* "$src/tools/ours/a"
	s tree
	echo c >tools/ours/a
	s tree
	[ "$(cat "$src/tools/ours/a")" = c ]
	[ "$(find "$src/kernel/sched" -type f -newermt 2021-01-01)" = '' ]
	sed -i 's/a -= 33/a -= 37/' "$P/two.patch"
	s tree
	[ "$(find "$src/kernel/sched" -type f -newermt 2021-01-01)" = "$src/kernel/sched/fair.c" ]
}

# bats test_tags=slow
@test "a patch taken out of series gives Linux's files back" {
	sed -i '/^two/d' "$P/series"
	s tree
	cmp "$src/kernel/sched/fair.c" "$linux/kernel/sched/fair.c"
	sed -i '/^one/d; /^three/d' "$P/series"
	s tree
	[ ! -e "$src/kernel/sched/ours.c" ]
	[ ! -e "$src/tools" ]
	diff -r -x .git "$src" "$linux"
}

# bats test_tags=slow
@test "a patch that does not apply is named by file and hunk, and can be mended in the tree" {
	cat >>"$P/two.patch" <<-'END'
	@@ -29,7 +29,7 @@ static int gamma(int x)
	 
	 	a += 1;
	 	a *= 5;
	-	a -= 3;
	+	a -= 55;
	 	a ^= 4;
	 	return a;
	 }
	END
	fails_with 'schedfix/scripts/tree.sh' two.patch 'kernel/sched/fair.c: hunk 2' 'static int gamma' 'stands before two.patch, patch 2 of 3'
	[ "$(in_src log -1 --format=%s)" = 'Add ours' ]
	cmp "$src/kernel/sched/fair.c" "$linux/kernel/sched/fair.c"
	edit 's/a -= 3;/a -= 55;/' kernel/sched/fair.c
	in_src add -f kernel/sched/fair.c
	commit 'sched: Change beta'
	s refresh
	[ "$(in_src rev-list --count base..HEAD)" = 3 ]
	[ "$(grep -c '^@@' "$P/two.patch")" = 4 ]
	[ -x tools/run.sh ]
	[ -x "$src/tools/run.sh" ]
	grep -qx '# Heading three' "$P/series"
}

# bats test_tags=slow
@test "point releases: moved lines and a changed neighbour apply" {
	rm -rf "$src"
	make_linux "$base" 4 '/* a' ' * new' ' * comment */'
	sed -i '/int a = x;/ { n; s|$|	// note| }' "$base/kernel/sched/fair.c"
	run s tree
	[[ $output == *'note: two.patch: kernel/sched/fair.c: a neighbour'* ]]
	[ "$(sed -n '/^static int beta/,/^}/p' "$src/kernel/sched/fair.c" | grep -c 'a -= 33')" = 1 ]
	s refresh
	grep -q '^ 	// note' "$P/two.patch"
}

@test "a hunk that lands in another function is an error" {
	rm -rf "$src"
	sed -i '/^static int beta/,/^}/d' "$base/kernel/sched/fair.c"
	fails_with 'schedfix/scripts/tree.sh' two.patch 'kernel/sched/fair.c: hunk 1' 'belongs to "static int beta(int x)"' 'in "static int'
	[ "$(grep -c "a -= 33" "$src/kernel/sched/fair.c")" = 0 ]
}

# bats test_tags=slow
@test "a patch that changes nothing, or adds a file of Linux, is an error" {
	sed -i 's/ | adds=tools.*//' "$P/series"
	fails_with 'schedfix/scripts/tree.sh' three.patch 'changes nothing'
	mkdir include
	echo x >include/limit.h
	sed -i '/^three/s/$/ | adds=include/' "$P/series"
	fails_with 'schedfix/scripts/tree.sh' include/limit.h three.patch 'Linux has one'
}

@test "an interrupted switch of the work tree is finished by the next run" {
	in_src rev-parse HEAD >"$src/.git/schedfix/leaving"
	rm "$src/.git/schedfix/stamp" "$src/kernel/sched/ours.c"
	echo half >"$src/kernel/sched/fair.c"
	s tree
	[ -e "$src/kernel/sched/ours.c" ]
	grep -q 'a -= 33' "$src/kernel/sched/fair.c"
	[ -z "$(in_src status --porcelain)" ]
}

@test "errors in series name the line" {
	read='. schedfix/scripts/lib.sh; . schedfix/scripts/tree-lib.sh; read_series series; read_owners'
	while IFS='|' read -r line want; do
		printf '# c\n%s\n' "${line//;/|}" >series
		fails_with "$read" "series:2: " "$want"
	done <<-'END'
	one;to=sched;upstream=-|'one' is no name of a patch
	one.patch;to=me;upstream=-|to=me: want
	one.patch;upstream=-|has no to=
	one.patch;to=mm|has no upstream=
	one.patch;to=mm;upstream=12|upstream=12: want
	one.patch;to=mm;upstream=-;by=me|'by=me': want
	END
	printf 'one.patch|to=mm|upstream=-\none.patch|to=mm|upstream=-\n' >series
	fails_with "$read" 'series:2: one.patch stands there twice'
	printf 'no.patch|to=mm|upstream=-\n' >"$P/series"
	fails_with 'schedfix/scripts/tree.sh' no.patch
	printf 'one.patch|to=mm|upstream=-|adds=nope\n' >series
	fails_with "$read" 'adds nope, which is not there'
}

# bats test_tags=slow
@test "a second base has a series and a tree of its own, and the same files of ours" {
	cp -r "$P" patches/7.x
	sed -i 's/^VERSION = 6/VERSION = 7/; s/^PATCHLEVEL = 12/PATCHLEVEL = 1/' "$linux/Makefile"
	head=$(in_src rev-parse HEAD)
	fails_with "BASE=7.x KSRC=$base schedfix/scripts/tree.sh" 'is Linux 6.12.3, wanted 7.y'
	BASE=7.x KSRC=$linux s tree
	[ "$(git -C build/7.x/src log -1 --format=%s base)" = "Linux 7.1.3" ]
	cmp "$src/kernel/sched/ours.c" build/7.x/src/kernel/sched/ours.c
	sed -i 's/a -= 33/a -= 34/' build/7.x/src/kernel/sched/fair.c
	git -C build/7.x/src commit -q -a --fixup :/beta
	BASE=7.x s refresh
	grep -q '^+.*a -= 34' patches/7.x/two.patch
	grep -q '^+.*a -= 33' "$P/two.patch"
	[ "$(in_src rev-parse HEAD)" = "$head" ]
}
