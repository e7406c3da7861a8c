# SPDX-License-Identifier: GPL-2.0
# What all schedfix scripts share: paths, messages, packages. Sourced, never run.
# shellcheck shell=bash
#
#     . "$(dirname "$0")/lib.sh"
#     need_packages build vm
#
# From the environment, as make passes it: V=1 BASE= JOBS= BUILD= KSRC= CI=

TOP=$(cd "${BASH_SOURCE[0]%/*}/../.." && pwd)
BASE=${BASE:-6.12}
BUILD=${BUILD:-$TOP/build}
JOBS=${JOBS:-$(nproc)}
V=${V:-0}
# A kernel built in a git tree appends "+" to its release unless this is set.
LOCALVERSION=${LOCALVERSION-}
export TOP BASE BUILD JOBS V LOCALVERSION
export LC_ALL=C.UTF-8
# ccache takes paths below this as relative: a clone elsewhere hits what this one built.
export CCACHE_BASEDIR=$TOP

# What the make that called us passes on is not meant for the kernel's.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL
# Tools that only some hosts have, and whose versions .config would record: that is a
# rebuild of everything, and a miss for each object in ccache, where they differ.
export MAKEFLAGS=' -- RUSTC=false PAHOLE=false'

say() { printf '%s\n' "$*" >&2; }
die() { printf 'schedfix: %s\n' "$*" >&2; exit 1; }

# Print the command if V=1, then run it.
run()
{
	[ "$V" = 1 ] && printf '+ %s\n' "${*@Q}" >&2
	"$@"
}

# The packages of the given sets (files in schedfix/packages), one a line.
packages_of()
{
	local set

	for set; do
		[ -f "$TOP/schedfix/packages/$set" ] || die "schedfix/packages/$set: no such package set"
	done
	(cd "$TOP/schedfix/packages" && sed 's/#.*//; s/[[:space:]]//g; /^$/d' "$@")
}

# Those of the packages on stdin that are not installed.
packages_missing()
{
	local -a want
	local have

	mapfile -t want
	# No output format names the architecture: foreign ones do not count twice.
	have=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "${want[@]}" 2>/dev/null | sed -n 's/ installed$//p') || true
	printf '%s\n' "${want[@]}" | grep -vxF -e "${have:-/}" || true
}

# Install the packages of the given sets, and of those in PACKAGES (what the front
# door's target will need later), that the machine lacks. Without the rights to do so,
# print the one command that does and stop.
need_packages()
{
	local -a names

	# shellcheck disable=SC2086 # a list
	mapfile -t names < <(packages_of "$@" ${PACKAGES:-} | sort -u)
	install_missing "${names[@]}"
}

# The same for packages given by name.
install_missing()
{
	local -a missing root=() apt=(apt-get -y -q -o DPkg::Lock::Timeout=600)
	local p log=$BUILD/packages.log

	mapfile -t missing < <(printf '%s\n' "$@" | packages_missing)
	[ ${#missing[@]} -eq 0 ] && return
	if [ "$(id -u)" -ne 0 ]; then
		root=(sudo -n)
		sudo -n true 2>/dev/null ||
			die "packages are missing; as root: apt-get install --no-install-recommends ${missing[*]}"
	fi
	root+=(env DEBIAN_FRONTEND=noninteractive)

	mkdir -p "$BUILD"
	exec 9>"$BUILD/.packages.lock"
	flock 9
	say "installing: ${missing[*]}"
	for p in "${missing[@]}"; do
		[ -n "$(apt-cache madison "$p" 2>/dev/null)" ] && continue
		run "${root[@]}" "${apt[@]}" update >"$log" 2>&1 9>&- ||
			die "apt-get update failed: $(tail -n 1 "$log"); see $log"
		break
	done
	# Lists older than the archive name files that are gone: update, try again.
	run "${root[@]}" "${apt[@]}" install --no-install-recommends "${missing[@]}" >"$log" 2>&1 9>&- ||
		{ run "${root[@]}" "${apt[@]}" update && run "${root[@]}" "${apt[@]}" install \
			--no-install-recommends "${missing[@]}"; } >"$log" 2>&1 9>&- ||
		die "apt-get install failed: $(grep '^E:' "$log" | head -n 1); see $log"
	exec 9>&-
}
