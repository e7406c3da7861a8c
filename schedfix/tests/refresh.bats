# SPDX-License-Identifier: GPL-2.0
# make refresh, alone and with make tree both ways, on a kernel of three files.

setup_file() { load helper; setup_laid_file; }
setup() { load helper; setup_laid; }

edit() { sed -i "$1" "$src/$2"; }
commit() { in_src commit -q -a -m "$1" -m 'Why.'; }
snapshot() { (cd "$repo" && find patches kernel tools -type f -printf '%p %m ' -exec sha256sum {} +) | sort; }

@test "refresh after tree changes nothing" {
	snapshot >before
	s refresh
	snapshot | diff before -
}

# One run for all that a commit may be: processes are what the tests take time for.
# bats test_tags=slow
@test "each kind of commit goes to its place, and make tree gives the same tree" {
	# A new subject, for the last of the series.
	in_src commit -q --amend -m 'tools: Add what is ours' -m 'Text.'
	# Fixups of a patch, and of a file of ours.
	edit 's/a -= 33/a -= 35/' kernel/sched/fair.c
	in_src commit -q -a --fixup=':/sched: Change beta'
	echo b >"$src/tools/ours/a"
	in_src commit -q -a --fixup=':/tools: Add what'
	# A new patch, with a new file, that changes an older one of ours.
	edit 's/a -= 3;/a -= 5;/' kernel/sched/fair.c
	echo 'int more;' >>"$src/kernel/sched/ours.c"
	mkdir "$src/tools/new"
	echo n >"$src/tools/new/n"
	in_src add -f tools/new
	commit 'sched/fair: Do it (and more)'
	# A file of Linux that the base commit lacks.
	edit 's/LIMIT 1/LIMIT 9/' include/limit.h
	in_src add -f include/limit.h
	in_src commit -q -m 'Raise the limit' -m 'Why.'
	tree=$(in_src rev-parse 'HEAD^{tree}')
	touch -d 2020-01-01 "$src/kernel/sched/fair.c"

	run s refresh
	[ "$status" -eq 0 ]
	[[ $output == *'note: kernel/sched/ours.c: the change in sched-fair-do-it-and-more.patch goes to one.patch'* ]]
	[ "$(ls "$P")" = "one.patch
raise-the-limit.patch
sched-fair-do-it-and-more.patch
series
three.patch
two.patch" ]
	grep -qx 'Subject: tools: Add what is ours' "$P/three.patch"
	grep -q '^+	a -= 35;' "$P/two.patch"
	[ "$(cat tools/ours/a)" = b ]
	grep -qx 'int more;' kernel/sched/ours.c
	grep -qx 'sched-fair-do-it-and-more.patch | to=ours | upstream=- | adds=tools/new/n' "$P/series"
	[ "$(cat tools/new/n)" = n ]
	[ "$(grep -c '^diff' "$P/sched-fair-do-it-and-more.patch")" = 1 ]
	grep -q '^-#define LIMIT 1' "$P/raise-the-limit.patch"
	[ ! -e include/limit.h ]
	[ -n "$(in_src ls-tree base include/limit.h)" ]
	[ "$(stat -c %y "$src/kernel/sched/fair.c" | cut -c 1-4)" = 2020 ]

	rm -rf "$src"
	s tree
	[ "$(in_src rev-list --count base..HEAD)" = 5 ]
	[ "$(in_src rev-parse 'HEAD^{tree}')" = "$tree" ]
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

# bats test_tags=slow
@test "a commit taken out takes its patch and files, headings stay" {
	in_src reset -q --hard HEAD~1
	s refresh
	[ ! -e "$P/three.patch" ]
	[ ! -e tools/run.sh ]
	[ ! -e "$src/tools/run.sh" ]
	grep -qx '# Heading three' "$P/series"
	[ -e "$P/two.patch" ]
}

@test "a commit with nothing of its own is turned down" {
	echo b >"$src/tools/ours/a"
	commit 'tools: Say b'
	fails_with 'schedfix/scripts/refresh.sh' 'tools: Say b' fixup
	[ "$(cat tools/ours/a)" = a ]
}

# bats test_tags=slow
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
