#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Make build/$BASE/base, a pristine kernel source, from Debian's package or KSRC=.
#
# KSRC= names a directory, a tarball or a git tree. Beside base stand `version`,
# the line that every result carries, and `origin`, which source it was, so that
# a later KSRC= for another source is noticed.

set -euo pipefail
. "$(dirname "$0")/lib.sh"

dir=$BUILD/$BASE
tmp=$dir/base.tmp
ksrc=${KSRC:-}

# A kernel to compare with has no series: sim.sh.
[ -n "${NO_SERIES:-}" ] || [ -f "$TOP/patches/$BASE/series" ] || die "patches/$BASE/series: no such file; BASE=$BASE names no base"

# git in a tree that may be another user's.
in_ksrc() { git -c safe.directory='*' -C "$path" "$@"; }

# kind, path and origin of the source asked for; nothing to do if we have it.
if [ -z "$ksrc" ]; then
	pkg=linux-source-$BASE
	if [ -d "$dir/base" ]; then
		[ -f "$dir/origin" ] || die "$dir/base: not made by make; move it away, then again"
		exit 0
	fi
	need_packages source
	install_missing "$pkg"
	kind=tarball
	path=$(dpkg-query -L "$pkg" | grep '^/usr/src/.*\.tar\.') || die "$pkg: holds no tarball; give KSRC="
	origin="package $pkg $(dpkg-query -W -f '${Version}' "$pkg")"
	from=${origin#package }
elif [ -d "$ksrc" ]; then
	path=$(realpath "$ksrc")
	need_packages source
	if in_ksrc rev-parse --git-dir >/dev/null 2>&1 && [ -z "$(in_ksrc rev-parse --show-prefix)" ]; then
		kind=git
		commit=$(in_ksrc rev-parse -q --verify HEAD) || die "$path: git tree without a commit"
		origin="git $path $commit"
		from="KSRC $path git ${commit:0:12}"
	else
		kind=dir
		origin="directory $path"
		from="KSRC $path"
	fi
elif [ -f "$ksrc" ]; then
	path=$(realpath "$ksrc")
	need_packages source
	kind=tarball
	origin="tarball $path $(stat -c '%s %Y' "$path")"
	from="KSRC $path"
else
	die "KSRC=$ksrc: no such file or directory; give a kernel directory, tarball or git tree"
fi

mkdir -p "$dir"
exec 8>"$dir/.source.lock"
flock 8
if [ -d "$dir/base" ]; then
	[ -f "$dir/origin" ] || die "$dir/base: not made by make; move it away, then again"
	[ "$(cat "$dir/origin")" = "$origin" ] && exit 0
	die "build/$BASE holds $(cat "$dir/version"), KSRC=$ksrc is another source;" \
		"make clean first (it spares unsaved commits) or give BUILD=directory"
fi

# The version that a kernel's Makefile names, if it is one of BASE.
version_of()
{
	local v

	v=$(awk '$2 == "=" && $1 ~ /^(VERSION|PATCHLEVEL|SUBLEVEL|EXTRAVERSION)$/ { v[$1] = $3 }
		$1 == "NAME" { print v["VERSION"] "." v["PATCHLEVEL"] "." v["SUBLEVEL"] v["EXTRAVERSION"]; exit }' \
		"$1" 2>/dev/null) || true
	[ -n "$v" ] || die "$path: no kernel source (no Makefile that names a version)"
	[[ $v == "${BASE%.x}".* ]] || die "$path: is Linux $v, wanted ${BASE%.x}.y; give another KSRC= or BASE="
	echo "$v"
}

# What a failed command wrote, as one cause. It is kept in a variable, since a
# full disk takes no file, and cut short, since tar goes on for every member.
cause()
{
	if grep -q 'No space left' <<<"$err"; then
		echo "disk full ($(df -h --output=avail "$dir" | tail -n 1 | tr -d ' ') free, a source takes 1.8G); make room, then again"
	elif grep -qiE 'unexpected (EOF|end)|truncated|corrupt|crc error|compressed data' <<<"$err"; then
		echo "truncated or damaged; fetch it again"
	else
		echo "${err%%$'\n'*}; is it a kernel source?"
	fi
}

trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
rm -rf "$tmp"
mkdir "$tmp"

say "unpacking $from"
case $kind in
tarball)
	progress=()
	[ -t 2 ] && progress=(--checkpoint=20000 '--checkpoint-action=ttyout=  %{r}T%*\r')
	err=$(tar -xf "$path" -C "$tmp" --no-same-owner --warning=no-timestamp "${progress[@]}" 2>&1 >/dev/null | sed -n '1,5p') ||
		die "$path: $(cause)"
	;;
git)
	# What is not committed would be left out without a word.
	[ "$(in_ksrc rev-parse --is-bare-repository)" = true ] || in_ksrc diff --quiet HEAD -- ||
		die "$path: dirty git tree; commit or stash, then again"
	version_of <(in_ksrc show "$commit:Makefile" 2>/dev/null) >/dev/null
	err=$({ in_ksrc archive "$commit" | tar -x -C "$tmp"; } 2>&1 | sed -n '1,5p') || die "$path: $(cause)"
	;;
dir)
	version_of "$path/Makefile" >/dev/null
	for f in .config include/config include/generated vmlinux; do
		[ ! -e "$path/$f" ] || die "$path: was built in ($f is there); run make mrproper there, then again"
	done
	f=$(find "$path" -name '*.o' -print -quit -o -name '*.rej' -print -quit)
	[ -z "$f" ] || die "$path: not clean ($f is there); remove it, then again"
	err=$(cp -a "$path/." "$tmp" 2>&1 | sed -n '1,5p') || die "$path: $(cause)"
	;;
esac

# A tarball may have one directory around the source, or none.
src=$tmp
[ -f "$src/Makefile" ] || src=$(find "$tmp" -mindepth 1 -maxdepth 1 -type d -print -quit)
version=$(version_of "$src/Makefile")

echo "$version ($from)" >"$dir/version"
echo "$origin" >"$dir/origin"
mv "$src" "$dir/base"
say "build/$BASE/base: Linux $version"
