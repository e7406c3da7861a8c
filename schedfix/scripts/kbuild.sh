# SPDX-License-Identifier: GPL-2.0
# Calls the kernel's make so that its output is cacheable, quiet and watched.
# Sourced by build.sh and selftest.sh, which set srcdir and objdir.
# shellcheck shell=bash disable=SC2154

# A build must not depend on when, where and by whom it is made: that would be a miss
# in ccache and a rebuild of init/ and kernel/module/ each time.
export KBUILD_BUILD_TIMESTAMP='Thu Jan  1 00:00:00 UTC 1970'
export KBUILD_BUILD_USER=schedfix KBUILD_BUILD_HOST=schedfix KBUILD_BUILD_VERSION=1
# Depend mode takes the headers from the compiler's own -MMD and so skips the
# preprocessor run that each miss would cost.
export CCACHE_DEPEND=1 CCACHE_NOCOMPRESS=1

kbuild()
{
	local log=$objdir/build.log cc=gcc rc=0 pid start=$SECONDS

	! command -v ccache >/dev/null || cc='ccache gcc'
	set -- make -C "$srcdir" O="$objdir" -j"$JOBS" CC="$cc" LOCALVERSION= "$@"
	if [ "$V" = 1 ]; then
		run "$@" V=1 2>&1 | tee "$log" >&2 || die "$srcdir: make failed; see $log"
		return
	fi
	"$@" >"$log" 2>&1 &
	pid=$!
	# shellcheck disable=SC2064 # that process, not a later one
	trap "kill $pid 2>/dev/null" EXIT
	progress $pid "$log" $start
	wait $pid || rc=$?
	trap - EXIT
	[ $rc -eq 0 ] || die "$(first_error "$log"); see $log"
}

# How far the build is: a line that counts on a terminal, else one each 15 seconds.
progress()
{
	local pid=$1 log=$2 start=$3 last=$3 every=15 end='\n'

	[ ! -t 2 ] || { every=1 end='\r'; }
	while kill -0 "$pid" 2>/dev/null; do
		sleep 0.2
		[ $((SECONDS - last)) -ge $every ] || continue
		last=$SECONDS
		# shellcheck disable=SC2059 # the line's end is the format
		printf "build: %d objects, %d s, %s$end" "$(grep -cE '^  (CC|AS) ' "$log")" \
			$((SECONDS - start)) "$(tail -n 1 "$log" | cut -c 1-50)" >&2
	done
	[ ! -t 2 ] || printf '\033[K' >&2
}

# What stopped make, in the words of the tool that failed.
first_error()
{
	grep -m 1 -E 'No space left|: (fatal )?error:|^ERROR:|undefined reference|: error |: not found$' "$1" ||
		grep -m 1 -E '\*\*\*' "$1" || tail -n 1 "$1"
}

# Modules in O/mods/lib/modules/RELEASE, as the guest gets them.
mods_install()
{
	[ ! -f "$objdir/modules.order" ] || [ ! "$objdir/mods" -nt "$objdir/modules.order" ] || return 0
	rm -rf "$objdir/mods" "$objdir/mods.tmp"
	kbuild INSTALL_MOD_PATH="$objdir/mods.tmp" INSTALL_MOD_STRIP=1 modules_install
	rm -f "$objdir"/mods.tmp/lib/modules/*/build
	mv "$objdir/mods.tmp" "$objdir/mods"
	touch "$objdir/mods"
}
