#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make check: what a host can check in a minute, without a kernel source.
#
#     check.sh [NAME]...    all checks, or those named
#
# A check is a function check_NAME that prints what is wrong and returns 1 for it.
# Output is a line for each, with what it printed under it if it failed.

set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/tree-lib.sh"

# Tracked and new files of the repository.
files()
{
	git -C "$TOP" ls-files -co --exclude-standard |
		while IFS= read -r f; do [ ! -f "$TOP/$f" ] || echo "$f"; done
}

check_shell()
{
	files | xargs awk 'FNR == 1 && (/^#!.*sh$/ || FILENAME ~ /\.(ba)?sh$/) { print FILENAME } FNR > 1 { nextfile }' |
		xargs -P "$JOBS" -n 8 shellcheck -x -P SCRIPTDIR
}

# The parser dies at the first error; then each patch, by itself.
check_series()
{
	local dir name file

	for dir in patches/*/; do
		patches=$TOP/${dir%/}
		read_series "$patches/series"
		read_owners
		for name in "${P_NAME[@]}"; do
			schedfix/scripts/hunks.py lint "$dir$name"
		done
		for file in "$patches"/*.patch; do
			[[ " ${P_NAME[*]} " == *" ${file##*/} "* ]] || { echo "$dir${file##*/}: not in series"; return 1; }
		done
		sed -n 's|^diff --git a/.* b/||p' "${P_NAME[@]/#/$dir}" | while IFS= read -r file; do
			[ "$file" = MAINTAINERS ] || [ ! -e "$file" ] ||
				{ echo "$file: a file of Linux that patches change; it must not be here"; exit 1; }
		done
	done
}

# A table whose columns do not fit is otherwise seen when the kernel's documentation is made.
check_rst()
{
	files | grep '\.rst$' | xargs python3 -c 'import sys, docutils.core
for file in sys.argv[1:]:
    docutils.core.publish_file(source_path=file, writer_name="null", settings_overrides={"halt_level": 2, "traceback": False})'
}

# Each file begins with its licence, but for those whose format has no comments.
check_spdx()
{
	local -a all
	local bad

	mapfile -t all < <(files |
		grep -vE '^(COPYING|README.md|MAINTAINERS|schedfix/tests/words)$|/settings$|\.(patch|json|jsonl|txt|golden|out|gitignore)$|/(series|cover\.[a-z]+)$|/(fixtures|data)/')
	bad=$(grep -L SPDX-License-Identifier "${all[@]}") || true
	# shellcheck disable=SC2086 # a line for each
	[ -z "$bad" ] || { printf '%s: no SPDX-License-Identifier\n' $bad; return 1; }
}

check_spelling()
{
	local -a all

	mapfile -t all < <(files | grep -vE '^COPYING$|/fixtures?/|/data/')
	codespell --quiet-level=3 --ignore-words=schedfix/tests/words "${all[@]}"
}

# What has #! can be run, and nothing else.
check_modes()
{
	local f first bad=0

	while IFS= read -r f; do
		IFS= read -r -n 2 first <"$f" 2>/dev/null || first=
		if [ "$first" = '#!' ] && [ ! -x "$f" ]; then
			echo "$f: has #! and is not executable"
			bad=1
		elif [ "$first" != '#!' ] && [ -x "$f" ]; then
			echo "$f: is executable and has no #!"
			bad=1
		fi
	done < <(files)
	return $bad
}

# Tests of the scripts, side by side, one more than there are CPUs since vm-run waits
# a lot, and from the end so that it comes early.
# Those tagged slow are left to make test.
check_bats()
{
	printf '%s\n' schedfix/tests/*.bats | sort -r | xargs -P $((JOBS + 1)) -n 1 bats --tap --filter-tags '!slow'
}

check_sched_regress()
{
	make -s -j"$JOBS" -C tools/testing/sched-regress O="$BUILD/check/sched-regress" check
}

# Topologies, costs, tables and the host half of the simulator, without a kernel.
check_sched_sim()
{
	tools/sched-sim/tests/table.sh
	tools/sched-sim/tests/host.sh
}

cd "$TOP"
need_packages check regress sim source
names=("$@")
[ $# -gt 0 ] || mapfile -t names < <(declare -F | sed -n 's/^declare -f check_//p')
passed=0 failed=0 skipped=0
mkdir -p "$BUILD/logs"
for name in "${names[@]}"; do
	declare -F "check_$name" >/dev/null || die "check.sh $name: no such check"
	start=$SECONDS log=$BUILD/logs/check-$name
	# A shell of its own: set -e works in it, and die ends it alone.
	set +e
	(set -e; "check_$name") >"$log" 2>&1 </dev/null
	status=$?
	set -e
	skips=$(grep -ciE '^ok .*# skip' "$log") || true
	skipped=$((skipped + skips))
	if [ $status -eq 0 ]; then
		passed=$((passed + 1))
		printf 'ok      %s (%d s)\n' "$name" $((SECONDS - start))
		grep -iE '^ok .*# skip' "$log" | sed 's/^/        /' || true
	else
		failed=$((failed + 1))
		printf 'FAILED  %s (%d s)\n' "$name" $((SECONDS - start))
		grep -vE '^(ok |1\.\.)' "$log" | sed 's/^/        /' || true
	fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
