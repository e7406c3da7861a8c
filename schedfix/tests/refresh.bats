# SPDX-License-Identifier: GPL-2.0
# make refresh, alone and with make tree both ways, on a kernel of three files.

setup_file() { load helper; setup_laid_file; }
setup() { load helper; setup_laid; }

edit() { sed -i "$1" "$src/$2"; }
commit() { in_src commit -q -a -m "$1" -m 'Why.'; }
snapshot() { (cd "$repo" && find patches kernel tools -type f -printf '%p %m ' -exec sha256sum {} \;) | sort; }

@test "refresh after tree changes nothing" {
	snapshot >before
	s refresh
	snapshot | diff before -
}

@test "tree after refresh gives the commits' tree" {
	edit 's/a -= 33/a -= 34/' kernel/sched/fair.c
	echo 'int more;' >>"$src/kernel/sched/ours.c"
	commit 'sched: Change more'
	tree=$(in_src rev-parse 'HEAD^{tree}')
	s refresh
	grep -q '^+	a -= 34;' "$P/sched-change-more.patch"
	grep -qx 'int more;' kernel/sched/ours.c
	[ "$(in_src rev-parse 'HEAD^{tree}')" = "$tree" ]
	rm -rf "$src"
	s tree
	[ "$(in_src rev-parse 'HEAD^{tree}')" = "$tree" ]
}

@test "fixup commits are folded, by any subject and into any patch" {
	edit 's/a -= 33/a -= 35/' kernel/sched/fair.c
	in_src commit -q -a --fixup=HEAD~1
	echo b >"$src/tools/ours/a"
	in_src commit -q -a --fixup=':/tools: Add ours'
	time=$(stat -c %Y.%y "$src/kernel/sched/fair.c")
	s refresh
	[ "$(ls "$P")" = "one.patch
series
three.patch
two.patch" ]
	grep -q '^+	a -= 35;' "$P/two.patch"
	[ "$(cat tools/ours/a)" = b ]
	[ "$(in_src rev-list --count base..HEAD)" = 3 ]
	[ "$(stat -c %Y.%y "$src/kernel/sched/fair.c")" = "$time" ]
}

@test "fixup commits that conflict are named and nothing is written" {
	edit 's/a -= 33/a -= 35/' kernel/sched/fair.c
	commit 'sched: Change again'
	edit 's/a -= 35/a -= 36/' kernel/sched/fair.c
	in_src commit -q -a --fixup=HEAD~2
	head=$(in_src rev-parse HEAD)
	snapshot >before
	fails_with 'schedfix/scripts/refresh.sh' CONFLICT fair.c
	snapshot | diff before -
	[ "$(in_src rev-parse HEAD)" = "$head" ]
}

@test "a patch keeps its name when its subject changes" {
	in_src commit -q --amend -m 'tools: Add what is ours' -m 'Text.'
	s refresh
	grep -qx 'Subject: tools: Add what is ours' "$P/three.patch"
	[ "$(grep -c patch "$P/series")" = 3 ]
}

@test "a new commit gets a patch, a line in series and its files here" {
	edit 's/a -= 3;/a -= 5;/' kernel/sched/fair.c
	mkdir "$src/tools/new"
	echo n >"$src/tools/new/n"
	in_src add -f tools/new
	commit 'sched/fair: Do it (and more)'
	s refresh
	[ "$(tail -n 1 "$P/series")" = 'sched-fair-do-it-and-more.patch | to=ours | upstream=- | adds=tools/new/n' ]
	[ "$(cat tools/new/n)" = n ]
	! grep -q tools/new "$P/sched-fair-do-it-and-more.patch"
	snapshot >before
	s refresh
	snapshot | diff before -
}

@test "a file of Linux that no patch touched yet becomes a hunk" {
	edit 's/LIMIT 1/LIMIT 9/' include/limit.h
	in_src add -f include/limit.h
	in_src commit -q -m 'Raise the limit' -m 'Why.'
	s refresh
	grep -q '^-#define LIMIT 1' "$P/raise-the-limit.patch"
	[ ! -e include/limit.h ]
	[ -n "$(in_src ls-tree base include/limit.h)" ]
	grep -q 'LIMIT 9' "$src/include/limit.h"
}

@test "a commit taken out takes its patch and files, headings stay" {
	in_src reset -q --hard HEAD~1
	s refresh
	[ ! -e "$P/three.patch" ] && [ ! -e tools/run.sh ] && [ ! -e "$src/tools/run.sh" ]
	grep -qx '# Heading three' "$P/series"
	[ -e "$P/two.patch" ]
}

@test "a commit with nothing of its own is turned down" {
	echo b >"$src/tools/ours/a"
	commit 'tools: Say b'
	fails_with 'schedfix/scripts/refresh.sh' 'tools: Say b' fixup
	[ "$(cat tools/ours/a)" = a ]
}

@test "refresh does not write over what changed here" {
	edit 's/a -= 33/a -= 34/' kernel/sched/fair.c
	in_src commit -q -a --fixup=HEAD~1
	echo c >tools/ours/a
	s refresh
	[ "$(cat tools/ours/a)" = c ]
	grep -q '^+	a -= 34;' "$P/two.patch"

	echo b >"$src/tools/ours/a"
	in_src commit -q -a --fixup=HEAD
	echo d >tools/ours/a
	fails_with 'schedfix/scripts/refresh.sh' tools/ours/a 'changed both here and in'
	[ "$(cat tools/ours/a)" = d ]
}

@test "refresh wants a clean tree" {
	echo >>"$src/kernel/sched/fair.c"
	fails_with 'schedfix/scripts/refresh.sh' 'uncommitted changes (kernel/sched/fair.c)'
}
