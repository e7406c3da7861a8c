# SPDX-License-Identifier: GPL-2.0
# make series and make bisect, on a kernel of three files that has scripts of its own.

setup_file()
{
	load helper
	setup_repo "$BATS_FILE_TMPDIR"
	make_series
	mkdir "$linux/scripts"
	printf 'if (grep { /nol/ } @ARGV) { print "Max <max\@example.org>\\n" } else { print "list\@example.org\\n" }\n' >"$linux/scripts/get_maintainer.pl"
	# It has one rule.
	printf 'for my $f (grep { !/^--/ && /patch$/ } @ARGV) { open F, $f; while (<F>) { if (/ugly/) { print "$f:$.: ERROR:UGLY\\n"; $bad = 1 } } } exit($bad)\n' >"$linux/scripts/checkpatch.pl"
	printf 'OURS\nF:\tkernel/sched/ours.c\nF:\ttools/\nTHE REST\nF:\t*\nF:\t*/\n' >"$linux/MAINTAINERS"
	KSRC=$linux s tree
	printf 'Two things\n\nA letter about them.\n' >"$P/cover.sched"
}

setup() { load helper; setup_laid; }

# bats test_tags=slow
@test "mails for each destination, with a letter and recipients" {
	run s series
	[ "$status" -eq 0 ]
	[[ $output == *'give the tree of make tree'* ]]
	cd build/6.12/series
	[ "$(ls -- *)" = "0000-cover-letter.patch
0001-Add-ours.patch
0002-sched-Change-beta.patch" ]
	grep -qx 'Subject: \[PATCH 0/2\] Two things' sched/0000*
	grep -qx 'From: Bob <bob@example.org>' sched/0000*
	grep -qx 'A letter about them.' sched/0000*
	grep -qx 'Subject: \[PATCH 2/2\] sched: Change beta' sched/0002*
	grep -qx 'To: Max <max@example.org>' sched/0002*
	grep -qx 'Cc: list@example.org' sched/0000*
}

# bats test_tags=slow
@test "what keeps the mails from being sent is named" {
	rm "$P/cover.sched"
	fails_with 'schedfix/scripts/series.sh' 'cover.sched: no such file'
	printf 'Two\n\nText.\n' >"$P/cover.sched"
	sed -i 's/^	+/&/; s/a -= 33/ugly -= 33/' "$P/two.patch"
	fails_with 'schedfix/scripts/series.sh' 'checkpatch: sched/0002-sched-Change-beta.patch' ERROR:UGLY
	sed -i 's/ugly/a/; s/^two.patch.*/two.patch | to=mm | upstream=-/' "$P/two.patch" "$P/series"
	sed -i 's/^F:	tools.*//' build/6.12/base/MAINTAINERS build/6.12/src/MAINTAINERS
	fails_with 'schedfix/scripts/series.sh' 'MAINTAINERS: no entry' tools/
	[ ! -e build/6.12/series ]
	[ ! -e build/6.12/series.tmp ]
}

# bats test_tags=slow
@test "a patch that needs one to somebody else is named" {
	sed -e 's/^Subject.*/Subject: mm: Again/; s/a -= 3;/a -= 33;/; s/a -= 33;$/&/; s/^+	a -= 33/+	a -= 99/' "$P/two.patch" >"$P/four.patch"
	echo 'four.patch | to=mm | upstream=-' >>"$P/series"
	fails_with 'schedfix/scripts/series.sh' 'four.patch: to=mm, but does not apply without'
}

# bats test_tags=slow
@test "bisect finds the commit that breaks a claim, over commits that cannot be judged" {
	git -C "$linux" init -q
	for n in 1 2 3 4 5 6; do
		make_linux "$linux" $n
		[ $n -lt 6 ] || echo BROKEN >>"$linux/include/limit.h"
		[ $n -ne 3 ] || sed -i 's/beta/betta/' "$linux/kernel/sched/fair.c"
		git -C "$linux" add -A
		git -C "$linux" commit -q -m "Linux 6.12.$n"
		git -C "$linux" tag v$n
	done
	printf '#!/bin/sh\n! grep -q BROKEN "$BUILD/6.12/src/include/limit.h"\n' >schedfix/scripts/regress.sh
	mkdir -p tools/testing/sched-regress/claims
	touch tools/testing/sched-regress/claims/lag.claim
	export KSRC=$linux GOOD=v1 BAD=v6 CLAIM=lag
	run s bisect
	[[ $output == *'Linux 6.12.3: skipped: schedfix: '*two.patch* ]]
	[[ $output == *'Linux 6.12.5: good'* ]]
	[[ $output == *'first bad commit: ['*'] Linux 6.12.6' ]]
	[ -z "$(git -C "$linux" status --porcelain)" ]
	[ "$(git -C "$linux" worktree list | wc -l)" = 1 ]
	fails_with 'CLAIM=none schedfix/scripts/bisect.sh' 'CLAIM=none: no such file'
	fails_with 'GOOD= schedfix/scripts/bisect.sh' 'GOOD= is not given'
	fails_with 'GOOD=v6 BAD=v1 schedfix/scripts/bisect.sh' 'GOOD=v6: is no ancestor of BAD=v1'
}
