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

# The name of the patch with subject $1 that is in the series, or a new one.
name_by_subject()
{
	local i

	for i in "${!P_NAME[@]}"; do
		[ "$(git mailinfo -b /dev/null /dev/null <"$patches/${P_NAME[i]}" 2>/dev/null |
			sed -n 's/^Subject: //p')" != "$1" ] || { echo "${P_NAME[i]}"; return; }
	done
	g log -1 --format=%f.patch "$2" | tr '[:upper:]' '[:lower:]'
}

# Set linux_files, ours and whole to the files that commit $1 changes: of Linux, of us
# (as STATUS PATH), and those of Linux that it adds whole since the base commit lacks them.
read_changes()
{
	local status file

	linux_files=() ours=() whole=()
	while IFS=$'\t' read -r status file; do
		if [ ! -e "$pristine/$file" ]; then
			ours+=("$status $file")
			continue
		fi
		linux_files+=("$file")
		[ "$status" != A ] || whole+=("$file")
	done < <(g diff-tree -r --no-commit-id --name-status --no-renames "$1")
}

# The tree before commit $1, with Linux's content of the files that it adds whole.
tree_before()
{
	local file

	[ ${#whole[@]} -gt 0 ] || { echo "$1^"; return; }
	export GIT_INDEX_FILE=$tmp/index
	g read-tree "$1^"
	for file in "${whole[@]}"; do
		g update-index --add --cacheinfo \
			"$(mode_of "$pristine/$file"),$(g hash-object -w --no-filters "$pristine/$file"),$file"
	done
	g write-tree
}

# The mail of a commit: no names of blobs, no version of git, nothing that changes
# with the base but what the patch itself says.
write_patch()
{
	g log -1 --date=rfc2822 --encoding=UTF-8 --format='From: %an <%ae>%nDate: %ad%nSubject: %s%n%n%b---' "$1"
	[ ${#linux_files[@]} -eq 0 ] ||
		g diff-tree -r -p -U3 --no-renames --diff-algorithm=myers "$(tree_before "$1")" "$1" -- "${linux_files[@]}" |
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

mode_of() { if [ -x "$1" ]; then echo 100755; elif [ -e "$1" ]; then echo 100644; fi; }

# The files of us in commit $2 as array $1: path to "MODE BLOB".
read_blobs()
{
	local -n blobs=$1
	local info file

	while IFS=$'\t' read -r info file; do
		# shellcheck disable=SC2034 # the caller's
		[ -e "$pristine/$file" ] || blobs["$file"]=${info/ blob / }
	done < <(g ls-tree -r "$2")
}

# What to do with file $1 of this repository, which is $2 now, was $3 when the tree was
# laid, and shall be $4 ("" where there is none): collected in WRITE.
merge()
{
	[ "$2" != "$4" ] || return 0
	if [ "$3" = "$4" ]; then
		only_here=1
	elif [ "$2" = "$3" ]; then
		WRITE+=("$1" "$4")
	else
		die "$1: changed both here and in $tree since make tree; take one change back, then again"
	fi
}
content() { if [ -e "$1" ]; then cat "$1"; fi; }

[ -d "$state/laid" ] || die "$tree: no tree; run make tree"
need_packages source
lock_tree
busy=$(unfinished)
[ -z "$busy" ] || die "$tree: $busy; commit or abort it (git commit --fixup=COMMIT works), then again"

rm -rf "$tmp"
trap 'rm -rf "$tmp"; g worktree prune' EXIT
trap 'exit 130' INT TERM
mkdir -p "$tmp/new"
base=$(g rev-parse refs/tags/base) head=$(g rev-parse HEAD) laid=$(g rev-parse refs/schedfix/tree)
g merge-base --is-ancestor "$base" "$head" || die "$tree: HEAD does not descend from the tag base; rebase onto it, then again"
[ -z "$(g rev-list --merges "$base..$head")" ] || die "$tree: has merges; a series is a line of commits, rebase, then again"
if g log --format=%s "$base..$head" | grep -E '^(fixup|squash|amend)! ' >/dev/null; then
	fold
fi
# What each commit is, and its patch.
read_series "$state/laid/series"
declare -A ADDED=() INDEX=() TAKEN=()
for i in "${!P_NAME[@]}"; do INDEX[${P_NAME[i]}]=$i; done
names=()
while IFS=$'\1' read -r commit name subject && [ -n "$commit" ]; do
	n=${#names[@]}
	# Two patches made one have two names.
	name=${name%%.patch*}${name:+.patch}
	[ -n "$name" ] || name=$(name_by_subject "$subject" "$commit")
	[ -z "${TAKEN[$name]:-}" ] || die "$tree: two commits would be $name; give one another subject, then again"
	TAKEN[$name]=1 names[n]=$name own=0
	read_changes "$commit"
	for change in "${ours[@]}"; do
		file=${change#* }
		case $change in
		A*) ADDED[$file]=$n own=1 ;;
		D*) unset "ADDED[$file]" ;;
		*) say "note: $file: the change in $name goes to ${names[${ADDED[$file]}]}, which adds it" ;;
		esac
	done
	[ $own -eq 1 ] || [ ${#linux_files[@]} -gt 0 ] ||
		die "$tree: \"$subject\" changes only files that earlier commits add;" \
			"make it a fixup of one (git commit --amend -m 'fixup! SUBJECT'), then again"
	write_patch "$commit" >"$tmp/new/$name"
done < <(g log --reverse --notes=schedfix --format='%x02%H%x01%N%x01%s' "$base..$head" | tr -d '\n' | tr '\2' '\n' | sed 1d; echo)

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
in_patches=patches/$BASE
merge "$in_patches/series" "$(<"$patches/series")" "$(<"$state/laid/series")" "$(<"$tmp/new/series")"
for name in "${names[@]}"; do
	merge "$in_patches/$name" "$(content "$patches/$name")" "$(content "$state/laid/$name")" "$(<"$tmp/new/$name")"
done
for name in "${gone[@]}"; do
	merge "$in_patches/$name" "$(content "$patches/$name")" "$(<"$state/laid/$name")" ''
done
declare -A now=() was=() new=()
read_blobs was "$laid"
read_blobs new "$head"
for file in "${!was[@]}" "${!new[@]}"; do
	[ ! -e "$TOP/$file" ] || now[$file]=$(mode_of "$TOP/$file")
done
mapfile -t here < <(printf '%s\n' "${!now[@]}")
mapfile -t hashes < <(cd "$TOP" && printf '%s\n' "${here[@]}" | sed '/^$/d' | git hash-object --no-filters --stdin-paths)
for n in "${!hashes[@]}"; do now[${here[n]}]+=" ${hashes[n]}"; done
for file in "${!was[@]}" "${!new[@]}"; do
	[ -n "${was[$file]:-}" ] && [ "${was[$file]}" = "${new[$file]:-}" ] && [ "${was[$file]}" = "${now[$file]:-}" ] && continue
	merge "$file" "${now[$file]:-}" "${was[$file]:-}" "${new[$file]:-}"
done

for ((n = 0; n < ${#WRITE[@]}; n += 2)); do
	file=${WRITE[n]}
	if [ -z "${WRITE[n + 1]}" ]; then
		say "removing $file"
		rm -f "$TOP/$file"
		continue
	fi
	say "writing $file"
	mkdir -p "$TOP/${file%/*}"
	if [[ $file == "$in_patches"/* ]]; then
		cp "$tmp/new/${file##*/}" "$TOP/$file.tmp"
	else
		read -r mode blob <<<"${WRITE[n + 1]}"
		g cat-file blob "$blob" >"$TOP/$file.tmp"
		chmod "${mode#100}" "$TOP/$file.tmp"
	fi
	mv "$TOP/$file.tmp" "$TOP/$file"
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
