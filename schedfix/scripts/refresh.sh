#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Write the commits in build/$BASE/src back to patches/$BASE and to our files.
#
# A commit's changes to files of Linux go to its patch, its new files to their
# in-tree path here, and both to its line in series. fixup! commits are folded. A
# commit without a patch gets one, named after its subject. A file of ours has one
# content, so what later commits change in it goes to the commit that adds it.
# Nothing is written over what was changed here since make tree.

set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/tree-lib.sh"

tmp=$BUILD/$BASE/refresh.tmp
tree=build/$BASE/src

# Fold fixup! commits, beside the work tree so that its files keep their times.
fold()
{
	local log=$BUILD/$BASE/refresh.log

	g worktree add -q --detach "$tmp/work" "$head"
	GIT_SEQUENCE_EDITOR=true git -C "$tmp/work" rebase -q -i --autosquash "$base" >"$log" 2>&1 ||
		die "$tree: $(grep -m 1 '^CONFLICT' "$log" || echo 'fixup commits do not fold');" \
			"git rebase -i --autosquash base there, then again"
	head=$(git -C "$tmp/work" rev-parse HEAD)
}

# The name of the patch that commit $1 is: noted, else found by subject, else new.
name_of()
{
	local name i subject

	name=$(g notes --ref schedfix show "$1" 2>/dev/null | sed -n '/\.patch$/p') || name=
	name=${name%%$'\n'*}
	if [ -z "$name" ]; then
		subject=$(g log -1 --format=%s "$1")
		for i in "${!P_NAME[@]}"; do
			[ "$(git mailinfo -b /dev/null /dev/null <"$patches/${P_NAME[i]}" 2>/dev/null |
				sed -n 's/^Subject: //p')" != "$subject" ] || name=${P_NAME[i]}
		done
	fi
	[ -n "$name" ] || name=$(g log -1 --format=%f "$1" | tr '[:upper:]' '[:lower:]').patch
	echo "$name"
}

# What commit $1 did to files, as `STATUS PATH`; of_linux or of_us pick theirs.
changes() { g diff-tree -r --no-commit-id --name-status --no-renames "$1"; }
of_linux() { while IFS=$'\t' read -r s f; do [ ! -e "$pristine/$f" ] || printf '%s\t%s\n' "$s" "$f"; done; }
of_us() { while IFS=$'\t' read -r s f; do [ -e "$pristine/$f" ] || printf '%s\t%s\n' "$s" "$f"; done; }

# The tree before commit $1. Where the base commit lacks a file of Linux, the commit
# that first changes it adds it whole: put Linux's content in.
tree_before()
{
	local s f

	export GIT_INDEX_FILE=$tmp/index
	g read-tree "$1^"
	changes "$1" | of_linux | while IFS=$'\t' read -r s f; do
		[ "$s" = A ] || continue
		g update-index --add --cacheinfo "$([ -x "$pristine/$f" ] && echo 100755 || echo 100644),$(g hash-object -w --no-filters "$pristine/$f"),$f"
	done
	g write-tree
	unset GIT_INDEX_FILE
}

# The mail of a commit: no names of blobs, no version of git, nothing that changes
# with the base but what the patch itself says.
write_patch()
{
	local -a files

	mapfile -t files < <(changes "$1" | of_linux | cut -f 2)
	g log -1 --date=rfc2822 --encoding=UTF-8 --format='From: %an <%ae>%nDate: %ad%nSubject: %s%n%n%b---' "$1"
	[ ${#files[@]} -eq 0 ] ||
		g diff-tree -r -p -U3 --no-renames --diff-algorithm=myers "$(tree_before "$1")" "$1" -- "${files[@]}" |
		sed '/^index [0-9a-f]/d'
}

# The new adds= of a patch, commit number $2, that had $1: the paths that still name a
# file of its own, and each file that none of them covers.
adds_of()
{
	local path file
	local -a adds=()

	for path in ${1//,/ }; do
		for file in "${!ADDED[@]}"; do
			[ "${ADDED[$file]}" = "$2" ] || continue
			[[ $file != "$path" && $file != "$path"/* ]] || { adds+=("$path"); break; }
		done
	done
	while IFS= read -r file; do
		[ "${ADDED[$file]}" = "$2" ] || continue
		for path in "${adds[@]}"; do
			[[ $file != "$path" && $file != "$path"/* ]] || continue 2
		done
		adds+=("$file")
	done < <(printf '%s\n' "${!ADDED[@]}" | sort)
	(IFS=,; echo "${adds[*]}")
}

kind() { if [ -x "$1" ]; then echo program; elif [ -e "$1" ]; then echo file; fi; }
same() { [ "$(kind "$1")" = "$(kind "$2")" ] && { [ ! -e "$1" ] || cmp -s "$1" "$2"; }; }

# What to do with the file $1 of this repository that was $2 when the tree was laid
# and that the tree now says is $3 (or is gone): collected in WRITE.
merge()
{
	same "$1" "$3" && return
	if same "$2" "$3"; then
		only_here=1
	elif same "$1" "$2"; then
		WRITE+=("$1" "$3")
	else
		die "${1#"$TOP"/}: changed both here and in $tree since make tree; take one change back, then again"
	fi
}

[ -d "$state/laid" ] || die "$tree: no tree; run make tree"
need_packages source
lock_tree
busy=$(unfinished)
[ -z "$busy" ] || die "$tree: $busy; commit or abort it (git commit --fixup=COMMIT works), then again"

rm -rf "$tmp"
trap 'rm -rf "$tmp"; g worktree prune' EXIT
trap 'exit 130' INT TERM
mkdir -p "$tmp/new/patches" "$tmp/new/ours" "$tmp/laid"
base=$(g rev-parse refs/tags/base) head=$(g rev-parse HEAD) laid=$(g rev-parse refs/schedfix/tree)
g merge-base --is-ancestor "$base" "$head" || die "$tree: HEAD does not descend from the tag base; rebase onto it, then again"
[ -z "$(g rev-list --merges "$base..$head")" ] || die "$tree: has merges; a series is a line of commits, rebase, then again"
if g log --format=%s "$base..$head" | grep -E '^(fixup|squash|amend)! ' >/dev/null; then
	fold
fi
mapfile -t commits < <(g rev-list --reverse "$base..$head")

# What each commit is, and its patch.
read_series "$state/laid/series"
declare -A ADDED=() INDEX=() TAKEN=()
for i in "${!P_NAME[@]}"; do INDEX[${P_NAME[i]}]=$i; done
names=()
for n in "${!commits[@]}"; do
	commit=${commits[n]} name=$(name_of "${commits[n]}")
	[ -z "${TAKEN[$name]:-}" ] || die "$tree: two commits would be $name; give one another subject, then again"
	TAKEN[$name]=1 names[n]=$name
	while IFS=$'\t' read -r status file; do
		case $status in
		A) ADDED[$file]=$n ;;
		D) unset "ADDED[$file]" ;;
		*) [ "${ADDED[$file]:-}" = "$n" ] || say "note: $file: the change in $name goes to ${names[${ADDED[$file]}]}, which adds it" ;;
		esac
	done < <(changes "$commit" | of_us)
	[ -n "$(changes "$commit" | of_linux)" ] || [[ " ${ADDED[*]} " == *" $n "* ]] ||
		die "$tree: \"$(g log -1 --format=%s "$commit")\" changes only files that earlier commits add;" \
			"make it a fixup of one (git commit --amend -m 'fixup! SUBJECT'), then again"
	write_patch "$commit" >"$tmp/new/patches/$name"
done

# series: the lines of patches that are gone go, their comments stay. Where the tree
# stopped at a patch, that and those behind it were never in the tree: they stay.
rest=${#P_NAME[@]}
[ ! -f "$state/stopped" ] || rest=${INDEX[$(cat "$state/stopped")]}
head_of=() gone=() carry='' to=sched
for i in "${!P_NAME[@]}"; do
	if [ -n "${TAKEN[${P_NAME[i]}]:-}" ]; then
		head_of[i]=$carry${P_HEAD[i]} carry=
	elif [ "$i" -lt "$rest" ]; then
		carry+=${P_HEAD[i]}
		gone+=("${P_NAME[i]}")
	fi
done
{
	for n in "${!names[@]}"; do
		name=${names[n]} i=${INDEX[${names[n]}]:-}
		if [ -z "$i" ]; then
			say "patches/$BASE/$name: new, to=$to; see its line in series"
			paths=$(adds_of '' "$n")
			echo "$name | to=$to | upstream=-${paths:+ | adds=$paths}"
			continue
		fi
		to=${P_TO[i]} paths=${P_ADDS[i]}
		[ "$i" -ge "$rest" ] || paths=$(adds_of "$paths" "$n")
		printf '%s' "${head_of[i]}"
		if [ "$paths" = "${P_ADDS[i]}" ]; then
			printf '%s\n' "${P_LINE[i]}"
		else
			echo "$name | to=$to | upstream=${P_UPSTREAM[i]}${paths:+ | adds=$paths}"
		fi
	done
	for i in "${!P_NAME[@]}"; do
		[ "$i" -lt "$rest" ] || [ -n "${TAKEN[${P_NAME[i]}]:-}" ] || printf '%s%s\n' "${P_HEAD[i]}" "${P_LINE[i]}"
	done
	printf '%s%s' "$carry" "$SERIES_TAIL"
} >"$tmp/new/series"

# Decide on every file before the first is written.
WRITE=() only_here=
merge "$patches/series" "$state/laid/series" "$tmp/new/series"
for name in "${names[@]}"; do
	merge "$patches/$name" "$state/laid/$name" "$tmp/new/patches/$name"
done
for name in "${gone[@]}"; do
	merge "$patches/$name" "$state/laid/$name" "$tmp/none"
done
# Our files as laid and as they are now, with modes.
export GIT_INDEX_FILE=$tmp/index
g read-tree "$head" && g checkout-index -a --prefix="$tmp/new/ours/"
g read-tree "$laid" && g checkout-index -a --prefix="$tmp/laid/"
unset GIT_INDEX_FILE
while IFS= read -r file; do
	[ -e "$pristine/$file" ] || merge "$TOP/$file" "$tmp/laid/$file" "$tmp/new/ours/$file"
done < <({ g ls-tree -r --name-only "$head"; g ls-tree -r --name-only "$laid"; } | sort -u)

for ((n = 0; n < ${#WRITE[@]}; n += 2)); do
	to=${WRITE[n]} from=${WRITE[n + 1]}
	if [ -e "$from" ]; then
		say "writing ${to#"$TOP"/}"
		mkdir -p "$(dirname "$to")"
		cp "$from" "$to.tmp" && mv "$to.tmp" "$to"
	else
		say "removing ${to#"$TOP"/}"
		rm -f "$to"
	fi
done

# The tree made from what was written must be the tree that was there; where files
# here had changes of their own, it has them too.
g update-ref refs/schedfix/tree "$(g rev-parse HEAD)"
flock -u 7
"$TOP/schedfix/scripts/tree.sh"
[ -z "$only_here" ] || exit 0
export GIT_INDEX_FILE=$tmp/index
g read-tree "$head"
g update-index -q --refresh >/dev/null || true
f=$(g diff-files --name-only | sed 1q) || true
[ -z "$f" ] || die "$tree: the series does not give back $f; see git diff $head there"
