# SPDX-License-Identifier: GPL-2.0
# Counting by the base kernel's own means: kprobe events and hist triggers. Sourced by run.sh.
# shellcheck shell=sh
#
#   counters_init          define the probes; dies if the kernel lacks a symbol
#   counters_on RAW, counters_off RAW  count; RAW gets histograms and probe misses
#   counters_print RAW                 lines METRIC VALUE UNIT KIND [LOST], or lost N
#   With LAG=1 the lag of each delayed task is recorded as well (RAW.lag).
#
# shellcheck disable=SC2154 # HERE and the offsets come from run.sh
# shellcheck source=../../../../schedfix/guest/quiet.sh
. "$HERE/quiet.sh"

T=/sys/kernel/tracing
[ -d $T/events ] || T=/sys/kernel/debug/tracing
L=$T/instances/lag

# Filter text: F lies in the CPU list "0-3,8"
in_list() # F LIST
{
	out=
	for r in $(echo "$2" | tr ',' ' '); do
		out="$out${out:+||}($1>=${r%-*}&&$1<=${r#*-})"
	done
	echo "($out)"
}

llc_lists()
{
	for c in /sys/devices/system/cpu/cpu[0-9]*; do
		cat "$c/cache/index3/shared_cpu_list" 2>/dev/null || cat /sys/devices/system/cpu/online
	done | sort -u
}

cpus()
{
	seq 0 $(($(nproc --all) - 1))
}

any() # joins lines with ||
{
	echo "($(paste -sd'|' - | sed 's/|/||/g'))"
}

llc_pairs() # F: the event's CPU is in one LLC, F in another
{
	out=
	for a in $LLCS; do for b in $LLCS; do
		[ "$a" = "$b" ] || out="$out${out:+||}($(in_list CPU "$a")&&$(in_list "$1" "$b"))"
	done; done
	# With one LLC nothing can cross: a filter that no CPU number passes.
	echo "(${out:-CPU>=4096})"
}

same_llc() # F: another CPU of the LLC of the event's CPU
{
	for c in $(cpus); do
		for l in $LLCS; do
			echo ",$(expand "$l")," | grep -q ",$c," && echo "(CPU==$c&&$1!=$c&&$(in_list "$1" "$l"))"
		done
	done | sed 's/||/OR/g' | paste -sd'|' - | sed 's/|/||/g; s/OR/||/g; s/.*/(&)/'
}

expand() # "0-3,8" as "0,1,2,3,8"
{
	for r in $(echo "$1" | tr ',' ' '); do seq "${r%-*}" "${r#*-}"; done | paste -sd, -
}

idle_peer()
{
	out=
	for l in $LLCS; do
		idle=
		for c in $(expand "$l" | tr ',' ' '); do
			idle="$idle${idle:+||}(n$c==0&&mask&$(printf '0x%x' $((1 << c))))"
		done
		out="$out${out:+||}($(in_list to "$l")&&($idle))"
	done
	echo "($out)"
}

# The table, each line with its filter filled in.
counters_table()
{
	s='s/^[[:space:]]*#.*//;/^$/d;s/[[:space:]]*|[[:space:]]*/|/;s/[[:space:]]*|[[:space:]]*/|/2'
	# Once for a field F, then for the fields there are: forks are dear in a guest.
	field="s%@self F@%$(for c in $(cpus); do echo "(CPU==$c&&F==$c)"; done | any)%g"
	field="$field;s%@other F@%$(for c in $(cpus); do echo "(CPU==$c&&F!=$c)"; done | any)%g"
	field="$field;s%@same F@%$(same_llc F)%g;s%@cross F@%$(llc_pairs F)%g"
	for f in to target_cpu orig_cpu dest_cpu; do
		s="$s;$(echo "$field" | sed "s/F@/$f@/g; s/F\([=!<>]\)/$f\1/g")"
	done
	s="$s;s%@tidle@%$(for c in $(cpus); do echo "(to==$c&&n$c==0)"; done | any)%g"
	s="$s;s%@bound@%$(for c in $(cpus); do printf 'mask==0x%x\n' $((1 << c)); done | any)%g"
	s="$s;s%@idlepeer@%$(idle_peer)%g"
	# & is special on the right of s///
	s=$(printf '%s' "$s" | sed 's/&/\\\&/g')
	sed "$s" "$HERE/counters"
}

probe() # DEFINITION
{
	echo "$1" >> $T/kprobe_events || die "kprobe '${1%% *}' refused: the function was inlined or renamed; $(tail -n 3 $T/error_log)"
}

counters_init()
{
	# shellcheck disable=SC1091
	. "$HERE/offsets"
	LLCS=$(llc_lists)
	echo > $T/kprobe_events
	n=
	for c in $(cpus); do
		n="$n n$c=+$((runqueues + rq_nr_running))(@__per_cpu_offset+$((8 * c))):u32"
	done
	probe "p:schedfix/enq enqueue_task_fair to=+$rq_cpu(\$arg1):s32 nr=+$rq_nr_running(\$arg1):u32 run=+$rq_h_nr_runnable(\$arg1):u32 fl=\$arg3:u32 mask=+0(+$task_cpus_ptr(\$arg2)):u64$n"
	probe "r:schedfix/deq dequeue_task_fair ok=\$retval:u8"
	probe "p:schedfix/queue __smp_call_single_queue to=\$arg1:s32 type=+8(\$arg2):u32$n"
	cfs="+$task_cfs_rq(\$arg2)"
	curr="+$cfs_curr($cfs)"
	probe "r:schedfix/delay dequeue_task_fair pid=+$task_pid(\$arg2):s32 vr=+$task_vruntime(\$arg2):s64 w=+$task_weight(\$arg2):s64 slice=+$task_slice(\$arg2):s64 sum=+$cfs_avg_vruntime($cfs):s64 load=+$cfs_avg_load($cfs):s64 zero=+$cfs_zero_vruntime($cfs):s64 cvr=+$se_vruntime($curr):s64 cw=+$se_weight($curr):s64 on=+$se_on_rq($curr):u8 ok=\$retval:u8"
	probe "r:schedfix/requeue enqueue_task_fair pid=+$task_pid(\$arg2):s32 vlag=+$task_vlag(\$arg2):s64 fl=\$arg3:u32"
	counters_table > "$WORK/table"
	alone arm
}

arm()
{
	if [ "${LAG:-0}" = 1 ]; then
		mkdir -p $L
		echo 8192 > $L/buffer_size_kb
		echo 'ok==0' > $L/events/schedfix/delay/filter
		echo 'fl&0x200' > $L/events/schedfix/requeue/filter
		echo 1 > $L/events/schedfix/delay/enable
		echo 1 > $L/events/schedfix/requeue/enable
	fi
	triggers
}

# The triggers stay for the whole run, and a count is the difference of two readings.
triggers()
{
	while IFS='|' read -r name event filter; do
		echo "hist:name=$name:keys=common_cpu${filter:+ if $filter}" >> "$T/events/$event/trigger" ||
			die "counter $name refused by events/$event: $(tail -n 4 $T/error_log)"
	done < "$WORK/table"
}

readings()
{
	cut -d'|' -f2 "$WORK/table" | sort -u | while read -r event; do
		cat "$T/events/$event/hist"
	done
}

misses()
{
	awk '{ n += $3 } END { print n + 0 }' $T/kprobe_profile
}

counters_on() # RAW
{
	MISSED=$(misses)
	if [ "${LAG:-0}" = 1 ]; then
		echo 1 > $L/tracing_on
		echo > $L/trace
	fi
	readings > "$1.before"
}

counters_off() # RAW
{
	readings > "$1"
	if [ "${LAG:-0}" = 1 ]; then
		echo 0 > $L/tracing_on
		{ echo "# hz $hz"; cat $L/trace; } > "$1.lag"
		LAGLOST=$(awk '/overrun|dropped events/ { n += $NF } END { print n + 0 }' $L/per_cpu/cpu*/stats)
	fi
	MISSED=$(($(misses) - MISSED))
}

# A probe that hits within another, as an interrupt's does, is missed: the figures of
# probes lack it, those of the kernel's own events do not.
counters_print() # RAW
{
	"$HERE/sched-parse" hist "$1.before" "$1" > "$1.lines" || return 1
	awk -F'|' -v missed="$MISSED" 'NR == FNR { probe[$1] = $2 ~ /^schedfix/; next }
		{ split($0, word, " "); print $0 (probe[word[1]] ? " " missed : "") }' "$WORK/table" "$1.lines"
	[ "${LAG:-0}" = 1 ] || return 0
	"$HERE/sched-parse" lag "$1.lag" > "$1.lines" || return 1
	sed "s/$/ $((MISSED + LAGLOST))/" "$1.lines"
}
