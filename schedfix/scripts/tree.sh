#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Make build/$BASE/src: the kernel source with the series applied, a commit a patch.
#
# A git repository over a base commit (tag `base`) that holds only the files of
# Linux that the series touches; all else is there, but not git's. Commits are the
# same each time. They are made beside the work tree, and only files that differ
# are then written to it, so that the kernel build sees what changed and no more.
# Commits of the user that the series lacks are never dropped but by TREE_FORCE=1,
# and then kept as branch `dropped`.

set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/tree-lib.sh"

here=$TOP/schedfix/scripts
tmp=$BUILD/$BASE/tree.tmp

# All that the commits are made from, in one number.
stamp()
{
	cd "$TOP"
	{
		cat "$BUILD/$BASE/version"
		sha256sum schedfix/scripts/{tree.sh,hunks.py} "patches/$BASE/series" "${P_NAME[@]/#/patches/$BASE/}" "${OURS[@]}"
		[ ${#OURS[@]} -eq 0 ] || stat -c '%A %n' "${OURS[@]}"
	} | sha256sum
}

new_repository()
{
	trap 'rm -rf "$src.tmp"' EXIT
	rm -rf "$src.tmp"
	say "copying build/$BASE/base to build/$BASE/src"
	# A link to a source elsewhere is followed: the tree must never be laid over the source.
	mkdir "$src.tmp"
	cp -a --reflink=auto "$pristine/." "$src.tmp" 2>/dev/null ||
		die "$src: copy failed ($(df -h --output=avail "$BUILD" | tail -n 1 | tr -d ' ') free, 1.8G needed); make room, then again"
	git init -q -b schedfix "$src.tmp"
	# The names of functions in hunk headers, wherever the commits are made.
	echo '*.[ch] diff=cpp' >"$src.tmp/.git/info/attributes"
	# New files of ours need git add -f.
	echo '*' >"$src.tmp/.git/info/exclude"
	git -C "$src.tmp" config status.showUntrackedFiles no
	# Which patch a commit is, kept through rebase and amend.
	git -C "$src.tmp" config notes.rewriteRef refs/notes/schedfix
	mkdir "$src.tmp/.git/schedfix"
	mv "$src.tmp" "$src"
	trap - EXIT
}

# The rest runs git in a directory beside the work tree, with its own index.
t() { git --git-dir="$src/.git" --work-tree="$tmp/work" -C "$tmp/work" "$@"; }

# Read which patches have a diff, and of which files of Linux.
read_diffs()
{
	local patch line
	local -A files=()

	has_diff=() linux_files=()
	[ ${#P_NAME[@]} -gt 0 ] || return 0
	while IFS=: read -r patch line; do
		has_diff[$patch]=1
		line=${line##* b/}
		[ ! -f "$pristine/$line" ] || files[$line]=1
	done < <(cd "$patches" && grep -H '^diff --git a/' "${P_NAME[@]}")
	linux_files=("${!files[@]}")
}

# Sets base, and tree as make_commit does.
make_base()
{
	[ ${#linux_files[@]} -eq 0 ] || (cd "$pristine" && cp -p --parents "${linux_files[@]}" "$tmp/work")
	t add -f -A .
	tree=$(t write-tree)
	base=$(GIT_AUTHOR_DATE='2024-11-17 22:15:08 +0000' GIT_COMMITTER_DATE='2024-11-17 22:15:08 +0000' \
		t commit-tree "$tree" -m "Linux $version" -m "The files that the series touches.")
}

# One patch and the files of ours that it adds, as a commit over $parent.
# Called where set -e has no effect: each step says so if it fails.
make_commit()
{
	local i=$1 name=${P_NAME[$1]} patch=$patches/${P_NAME[$1]} file line before=$tree
	local -a ours=()
	local -A mail=()

	if [ -n "${has_diff[$name]:-}" ]; then
		(cd "$tmp/work" && GIT_DIR=$src/.git GIT_WORK_TREE=$tmp/work exec "$here/hunks.py" apply "$patch") || return 1
	fi
	for file in "${!OWNER[@]}"; do
		[ "${OWNER[$file]}" = "$i" ] || continue
		[ ! -e "$pristine/$file" ] ||
			{ say "schedfix: $file: $name adds it, but Linux has one; change it by the patch"; return 1; }
		ours+=("$file")
	done
	if [ ${#ours[@]} -gt 0 ]; then
		(cd "$TOP" && cp -p --parents "${ours[@]}" "$tmp/work") && t add -f -- "${ours[@]}" || return 1
	fi
	tree=$(t write-tree) || return 1
	[ "$tree" != "$before" ] ||
		{ say "schedfix: patches/$BASE/$name: changes nothing; has this kernel got it?"; return 1; }
	git mailinfo -b --encoding=UTF-8 "$tmp/body" /dev/null <"$patch" >"$tmp/info" || return 1
	while IFS= read -r line && [ -n "$line" ]; do mail[${line%%:*}]=${line#*: }; done <"$tmp/info"
	parent=$(printf '%s\n\n%s\n' "${mail[Subject]}" "$(<"$tmp/body")" |
		GIT_AUTHOR_NAME=${mail[Author]} GIT_AUTHOR_EMAIL=${mail[Email]} \
		GIT_AUTHOR_DATE=${mail[Date]} GIT_COMMITTER_DATE=${mail[Date]} \
		t commit-tree "$tree" -p "$parent") || return 1
	notes+="N inline $parent"$'\ndata '$((${#name} + 1))$'\n'$name$'\n'
}

# Which patch each commit is, for refresh: notes stay with a commit through rebase.
write_notes()
{
	local from=''

	[ -n "$notes" ] || return 0
	! g rev-parse -q --verify refs/notes/schedfix >/dev/null || from=$'from refs/notes/schedfix^0\n'
	printf 'commit refs/notes/schedfix\ncommitter schedfix <schedfix@localhost> 0 +0000\ndata 0\n%s%s\n' \
		"$from" "$notes" | g fast-import --quiet
}

# Make $2 the commit of the work tree, over base $1, and write what differs.
switch_to()
{
	local file old

	trap '' INT TERM
	# An interrupted switch is done again from here: see unsaved().
	g rev-parse -q --verify HEAD >>"$state/leaving" || true
	g read-tree "$2"
	g update-index -q --refresh >/dev/null || true
	# Writes what differs from the index, no more.
	g checkout-index -f -a
	while read -r old; do
		g diff-tree -r --name-only --no-renames --diff-filter=D "$old" "$2"
	done <"$state/leaving" | while IFS= read -r file; do
		if [ -e "$pristine/$file" ]; then
			cmp -s "$pristine/$file" "$src/$file" || cp -p "$pristine/$file" "$src/$file"
		else
			rm -f "$src/$file"
			(cd "$src" && rmdir -p --ignore-fail-on-non-empty "${file%/*}" 2>/dev/null) || true
		fi
	done
	printf 'update %s\n' "refs/heads/schedfix $2" "refs/schedfix/tree $2" "refs/tags/base $1" | g update-ref --stdin
	[ "$(<"$src/.git/HEAD")" = 'ref: refs/heads/schedfix' ] || g symbolic-ref HEAD refs/heads/schedfix
	rm -rf "$state/leaving" "$state/laid" "$state/stopped"
	trap - INT TERM
}

# What is there, whichever it is, will do, if no other is asked for.
if [ -n "${KSRC:-}" ] || [ ! -d "$pristine" ] || [ ! -f "$BUILD/$BASE/origin" ]; then
	"$here/source.sh"
fi
lock_tree
read_series "$patches/series"
read_owners
for name in "${P_NAME[@]}"; do
	[ -f "$patches/$name" ] || die "patches/$BASE/$name: no such file; it is in series"
done
[ -d "$src/.git" ] || new_repository
stamp=$(stamp)
read -r version _ <"$BUILD/$BASE/version"
summary="build/$BASE/src: Linux $version, ${#P_NAME[@]} patches"
if [ -f "$state/stamp" ] && [ "$(<"$state/stamp")" = "$stamp" ]; then
	lost=$(unsaved)
	say "$summary${lost:+, and $lost}"
	exit 0
fi
lost=$(unsaved)
if [ -n "$lost" ]; then
	[ "${TREE_FORCE:-}" = 1 ] ||
		die "build/$BASE/src: the series changed and the tree has $lost; make refresh, or make tree TREE_FORCE=1 to drop them"
	kept=$(g stash create) || kept=
	g update-ref refs/heads/dropped "${kept:-HEAD}"
	rm -rf "$src/.git/rebase-merge" "$src/.git/rebase-apply" "$src/.git/MERGE_HEAD" "$src/.git/CHERRY_PICK_HEAD"
	say "kept as branch dropped: $lost"
fi

rm -rf "$state/stamp" "$tmp"
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
mkdir -p "$tmp/work"
export GIT_INDEX_FILE=$tmp/index
declare -A has_diff
read_diffs
make_base
parent=$base stopped='' notes=''
for i in "${!P_NAME[@]}"; do
	make_commit "$i" || { stopped=${P_NAME[i]}; break; }
done
unset GIT_INDEX_FILE
write_notes
switch_to "$base" "$parent"

mkdir "$state/laid"
(cd "$patches" && cp series "${P_NAME[@]}" "$state/laid/")
if [ -n "$stopped" ]; then
	echo "$stopped" >"$state/stopped"
	die "build/$BASE/src: stands before $stopped, patch $((i + 1)) of ${#P_NAME[@]}; mend the patch and make tree," \
		"or commit it there under its subject and make refresh"
fi
echo "$stamp" >"$state/stamp"
say "$summary"
