# SPDX-License-Identifier: GPL-2.0
# The series file and the git repository in build/$BASE/src, for the scripts
# that turn one into the other. Sourced after lib.sh.
# shellcheck shell=bash disable=SC2034 # what is set here is used there

patches=$TOP/patches/$BASE
src=$BUILD/$BASE/src
pristine=$BUILD/$BASE/base
# What tree.sh laid: a copy of series and patches, the stamp, where it stopped.
state=$src/.git/schedfix

# Nothing of the user's configuration may show in commits and patches, nor of a
# git that called us.
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_PREFIX GIT_COMMON_DIR GIT_OBJECT_DIRECTORY
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
# The clone may be another user's, as in a container.
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'
export GIT_AUTHOR_NAME=schedfix GIT_AUTHOR_EMAIL=schedfix@localhost
export GIT_COMMITTER_NAME=schedfix GIT_COMMITTER_EMAIL=schedfix@localhost

g() { git -C "$src" "$@"; }

# One at a time in a tree.
lock_tree()
{
	mkdir -p "$BUILD/$BASE"
	exec 7>"$BUILD/$BASE/.tree.lock"
	flock 7
}

# Set trimmed to $1 without spaces around it. (A variable: no process for it.)
trim() { trimmed=${1#"${1%%[![:space:]]*}"}; trimmed=${trimmed%"${trimmed##*[![:space:]]}"}; }

# From a series file fill P_NAME, P_TO, P_UPSTREAM, P_ADDS, and P_LINE and P_HEAD
# (its line and the comments above) for each patch; SERIES_TAIL is what follows.
read_series()
{
	local file=$1 n=0 head='' line field key value i trimmed
	local -a fields
	local -A seen=()

	P_NAME=() P_TO=() P_UPSTREAM=() P_ADDS=() P_LINE=() P_HEAD=()
	[ -f "$file" ] || die "$file: no such file"
	while IFS= read -r line || [ -n "$line" ]; do
		n=$((n + 1))
		if [[ $line =~ ^[[:space:]]*(#|$) ]]; then
			head+=$line$'\n'
			continue
		fi
		i=${#P_NAME[@]}
		IFS='|' read -ra fields <<<"$line"
		trim "${fields[0]}"
		P_NAME[i]=$trimmed
		[[ ${P_NAME[i]} =~ ^[A-Za-z0-9._+-]+\.patch$ ]] || die "$file:$n: '${P_NAME[i]}' is no name of a patch"
		[ -z "${seen[${P_NAME[i]}]:-}" ] || die "$file:$n: ${P_NAME[i]} stands there twice"
		seen[${P_NAME[i]}]=1
		P_LINE[i]=$line P_HEAD[i]=$head P_TO[i]='' P_UPSTREAM[i]='' P_ADDS[i]=''
		head=
		for field in "${fields[@]:1}"; do
			trim "$field"
			field=$trimmed key=${trimmed%%=*} value=${trimmed#*=}
			case $key=$value in
			to=sched|to=mm|to=dmaengine|to=pm|to=stable|to=ours) P_TO[i]=$value ;;
			to=*) die "$file:$n: to=$value: want sched, mm, dmaengine, pm, stable or ours" ;;
			upstream=*)
				[[ $value =~ ^(-|[0-9a-f]{12,40})$ ]] || die "$file:$n: upstream=$value: want a commit of 12 to 40 digits or -"
				P_UPSTREAM[i]=$value ;;
			adds=*) P_ADDS[i]=$value ;;
			*) die "$file:$n: '$field': want to=, upstream= or adds=" ;;
			esac
		done
		[ -n "${P_TO[i]}" ] || die "$file:$n: ${P_NAME[i]} has no to="
		[ -n "${P_UPSTREAM[i]}" ] || die "$file:$n: ${P_NAME[i]} has no upstream= (- if there is none)"
	done <"$file"
	SERIES_TAIL=$head
}

# Fill OURS, the files of ours in the series, and OWNER, for each the number of the
# patch that adds it. The longest name in adds= decides: a file may be another patch's than its directory.
read_owners()
{
	local i path file best
	local -A adder=()

	declare -gA OWNER=()
	OURS=()
	for i in "${!P_NAME[@]}"; do
		for path in ${P_ADDS[i]//,/ }; do
			[ -e "$TOP/$path" ] ||
				die "patches/$BASE/series: ${P_NAME[i]} adds $path, which is not there"
			adder[${path%/}]=$i
		done
	done
	[ ${#adder[@]} -gt 0 ] || return 0
	while IFS= read -r file; do
		[ -e "$TOP/$file" ] || continue
		best=$file
		until [ -n "${adder[$best]:-}" ]; do best=${best%/*}; done
		OWNER[$file]=${adder[$best]}
		OURS+=("$file")
	done < <(git -C "$TOP" ls-files -co --exclude-standard -- "${!adder[@]}")
}

# What keeps the commits in the tree from being all there is; else nothing.
unfinished()
{
	local f

	for f in rebase-merge rebase-apply MERGE_HEAD CHERRY_PICK_HEAD; do
		[ ! -e "$src/.git/$f" ] || { echo "a $f in progress"; return; }
	done
	f=$(g status --porcelain -uno) || true
	f=${f%%$'\n'*}
	[ -z "$f" ] || echo "uncommitted changes (${f:3})"
}

# What would be lost if the tree were laid anew; nothing if it is in the series.
unsaved()
{
	local laid what

	# tree.sh was stopped while it wrote files: these are its own.
	[ ! -e "$state/leaving" ] || return 0
	laid=$(g rev-parse -q --verify refs/schedfix/tree) || return 0
	what=$(unfinished)
	[ -z "$what" ] || { echo "$what"; return; }
	[ "$(g rev-parse HEAD)" != "$laid" ] || return 0
	what=$(g log --format='"%s"' "$laid..HEAD") || true
	what=${what%%$'\n'*}
	echo "commits that the series lacks (${what:-some were taken out})"
}
