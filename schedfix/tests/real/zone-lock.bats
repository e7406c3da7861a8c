# SPDX-License-Identifier: GPL-2.0
# The assertions about struct zone: they hold, and each fails if what it is about
# is undone. Compiles one small object a test against the tree. Run by make test.

TOP=$(cd "$BATS_TEST_DIRNAME/../../.." && pwd)
BASE=${BASE:-6.12}
export BUILD=${BUILD:-$TOP/build}

# The header as the patch leaves it, without the orders for comparison.
setup()
{
	header=$BATS_TEST_TMPDIR/include/linux/mmzone.h
	mkdir -p "${header%/*}"
	cp "$BUILD/$BASE/base/include/linux/mmzone.h" "$header"
	patch -s -d "$BATS_TEST_TMPDIR" -p1 include/linux/mmzone.h \
		<(sed -n '/^diff .*mmzone.h/,/^diff .*\/Doc/p' "$TOP/patches/$BASE/mm-zone-flags-off-the-lock.patch")
	cp "$header" "$header.whole"
}

compile() { "$TOP/schedfix/scripts/zone-layout.sh" --assert "$header"; }

# Run compile, which must fail with this message.
fails_with()
{
	run cmp -s "$header" "$header.whole"
	[ "$status" -eq 1 ]
	run compile
	echo "$output"
	[ "$status" -ne 0 ]
	[[ $output == *"static assertion failed: \"$1"* ]]
}

# In struct zone, move the line that matches $1 to ahead of the one that matches $2.
move()
{
	awk -v what="$1" -v where="$2" '
	/^struct zone \{/	{ zone = 1 }
	/^}/		{ zone = 0 }
	NR == FNR	{ if (zone && $0 ~ what) line = $0; next }
	zone && $0 ~ what	{ next }
	zone && $0 ~ where	{ print line }
			{ print }' "$header" "$header" >"$header.tmp"
	mv "$header.tmp" "$header"
}

@test "they hold" {
	compile
}

@test "flags beside the lock" {
	move 'unsigned long[[:space:]]+flags;' 'Primarily protects free_area'
	fails_with 'zone->flags is used without zone->lock'
}

@test "flags between padding and free_area" {
	move 'unsigned long[[:space:]]+flags;' 'free areas of different sizes'
	fails_with 'zone->flags is used without zone->lock'
}

@test "unaccepted_pages beside the lock" {
	move 'struct list_head[[:space:]]+unaccepted_pages;' 'Primarily protects free_area'
	fails_with 'zone->unaccepted_pages is read without zone->lock'
}

@test "lock ahead of free_area" {
	move 'spinlock_t[[:space:]]+lock;$' 'free areas of different sizes'
	fails_with 'zone->lock must not be on a cache line of the order-0 free lists'
}

@test "what is used without the lock beside it" {
	move 'unsigned long percpu_drift_mark;' 'Primarily protects free_area'
	fails_with 'zone->lock must have its cache line to itself and free_area'
}
