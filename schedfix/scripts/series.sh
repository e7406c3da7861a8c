#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Make build/$BASE/series/DEST: the mails for each destination, checked, for
# git send-email build/$BASE/series/DEST/*.patch.
#
# The commits for a destination, on a branch of their own, go through git
# format-patch, to whom the tree's get_maintainer.pl says; the cover letter's text is
# patches/$BASE/cover.DEST. Then the mails are applied to a pristine tree: each
# destination's alone, for none gets the others', and all in the order of series, which
# must give the tree itself. checkpatch --strict must have nothing to say.
# Patches with to=ours are not mailed.

set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/tree-lib.sh"

out=$BUILD/$BASE/series
tmp=$out.tmp
w() { git -C "$tmp/work" "$@"; }

# The commits of destination $1 on the base commit, in $tmp/work.
branch_for()
{
	local n

	w checkout -q --detach refs/tags/base
	for n in "${!commits[@]}"; do
		[ "${P_TO[n]}" = "$1" ] || continue
		w cherry-pick "${commits[n]}" >/dev/null 2>&1 ||
			die "patches/$BASE/${P_NAME[n]}: to=$1, but does not apply without patches to others; order or merge them"
	done
}

# The mails of the branch, in $tmp/$1: write_mails DIR DEST COUNT OPTION...
write_mails()
{
	local dest=$2 prefix=PATCH
	local -a cover=()

	[ "$dest" != stable ] || prefix+=" $BASE.y"
	if [ "$3" -gt 1 ]; then
		[ -f "$patches/cover.$dest" ] ||
			die "patches/$BASE/cover.$dest: no such file; write the subject of the series, an empty line and its letter"
		w config branch.cover.description "$(cat "$patches/cover.$dest")"
		cover=(--cover-letter --cover-from-description=subject)
	fi
	w checkout -q -B cover
	# The letter is from who wrote the first patch.
	GIT_COMMITTER_NAME=$(w log -1 --format=%an "HEAD~$(($3 - 1))") \
	GIT_COMMITTER_EMAIL=$(w log -1 --format=%ae "HEAD~$(($3 - 1))") \
		w format-patch -q --zero-commit --no-signature --no-renames -U3 --diff-algorithm=myers \
		--subject-prefix="$prefix" "${cover[@]}" "${@:4}" -o "$tmp/$1/$dest" refs/tags/base..HEAD
	w checkout -q --detach
}

apply_mail()
{
	case $1 in */0000-cover-letter.patch) return ;; esac
	w am -q "$1" >/dev/null 2>&1 || die "$out/${1#"$tmp"/mails/}: git am turns it down on a pristine tree"
}

# Who get_maintainer.pl says the mails of $1 go to, as options of format-patch.
# All get all of a series, as reviewers want to see the whole.
find_recipients()
{
	local -a mails ask=(perl scripts/get_maintainer.pl --nogit --nogit-fallback --norolestats)
	local who

	mapfile -t mails < <(find "$tmp/plain/$1" -name '*.patch' ! -name 0000-cover-letter.patch | sort)
	recipients=()
	while IFS= read -r who; do recipients+=(--to="$who"); done \
		< <(cd "$src" && "${ask[@]}" --nor --nol "${mails[@]}")
	while IFS= read -r who; do recipients+=(--cc="$who"); done \
		< <(cd "$src" && "${ask[@]}" --nom "${mails[@]}")
	[ ${#recipients[@]} -gt 0 ] || die "$out/$1: get_maintainer.pl names nobody"
	[ "$1" != stable ] || recipients+=(--cc=stable@vger.kernel.org)
}

# checkpatch, but for FILE_PATH_CHANGES: it asks whether MAINTAINERS needs an entry
# for a new file, and so do we, of the tree as a whole.
check_style()
{
	local log=$BUILD/$BASE/checkpatch.log file
	local -a mails

	# Without recipients, whose lines are longer than a log's should be. Its stderr is
	# spdxcheck missing LICENSES/ in the last commit, which has not all of Linux.
	mapfile -t mails < <(find "$tmp/plain" -name '*.patch' ! -name 0000-cover-letter.patch | sort)
	(cd "$src" && perl scripts/checkpatch.pl --strict --terse --show-types --no-summary --codespell \
		--codespellfile=/usr/lib/python3/dist-packages/codespell_lib/data/dictionary.txt \
		--ignore FILE_PATH_CHANGES "${mails[@]}") >"$log" 2>/dev/null ||
		die "checkpatch: $(sed -n "s|^$tmp/plain/||p" "$log" | sed -n 1p); see $log"
	# F: patterns as regular expressions, without those of THE REST.
	# shellcheck disable=SC2016
	sed -n -e 's/^F:[[:space:]]*//; t pattern' -e d -e ': pattern' -e '/^\*\/*$/d' \
		-e 's/[.+^$(){}|]/\\&/g; s/\*/[^\/]*/g; s/?/[^\/]/g; s/^/^/; s/[^/]$/&(\/|$)/; p' \
		"$src/MAINTAINERS" >"$tmp/patterns"
	file=$(g diff --name-only --diff-filter=A refs/tags/base refs/schedfix/tree | grep -vE -f "$tmp/patterns" | sed -n 1p) || true
	[ -z "$file" ] || die "MAINTAINERS: no entry in the tree has a pattern for $file"
}

"$TOP/schedfix/scripts/tree.sh"
need_packages mail
lock_tree
lost=$(unsaved)
[ -z "$lost" ] || die "build/$BASE/src: has $lost; make refresh first"
read_series "$state/laid/series"
mapfile -t commits < <(g rev-list --reverse refs/tags/base..refs/schedfix/tree)

rm -rf "$tmp"
g worktree prune
trap 'rm -rf "$tmp"; g worktree prune; g branch -q -D cover 2>/dev/null || true' EXIT
trap 'exit 130' INT TERM
mkdir -p "$tmp/mails" "$tmp/plain"
g worktree add -q --detach "$tmp/work" refs/tags/base

mapfile -t dests < <(printf '%s\n' "${P_TO[@]}" | sed '/^ours$/d' | sort -u)
for dest in "${dests[@]}"; do
	count=$(printf '%s\n' "${P_TO[@]}" | grep -cx "$dest")
	branch_for "$dest"
	whole=$(w rev-parse 'HEAD^{tree}')
	write_mails plain "$dest" "$count"
	find_recipients "$dest"
	write_mails mails "$dest" "$count" "${recipients[@]}"
	w checkout -q --detach refs/tags/base
	for mail in "$tmp/mails/$dest"/*.patch; do apply_mail "$mail"; done
	[ "$(w rev-parse 'HEAD^{tree}')" = "$whole" ] || die "$out/$dest: git am does not give what was mailed"
	say "build/$BASE/series/$dest: $count patches to ${#recipients[@]} addresses"
done

# All of them, and what is not mailed, in the order of series.
declare -A number=()
w checkout -q --detach refs/tags/base
for n in "${!commits[@]}"; do
	dest=${P_TO[n]}
	number[$dest]=$((${number[$dest]:-0} + 1))
	if [ "$dest" = ours ]; then
		w cherry-pick "${commits[n]}" >/dev/null
	else
		apply_mail "$tmp/mails/$dest/$(printf %04d "${number[$dest]}")"-*.patch
	fi
done
[ "$(w rev-parse 'HEAD^{tree}')" = "$(g rev-parse 'refs/schedfix/tree^{tree}')" ] ||
	die "$out: the mails do not give the tree of make tree: $(w diff --stat HEAD refs/schedfix/tree | sed -n '$p')"
check_style
rm -rf "$out"
mv "$tmp/mails" "$out"
say "mails applied to Linux $(cut -d' ' -f1 "$BUILD/$BASE/version") give the tree of make tree; checkpatch --strict is silent"
