#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Remove build/$BASE, or all of build/ with `all`; stop if commits would be lost.

set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/tree-lib.sh"

gone=("$BUILD/$BASE")
if [ "${1:-}" = all ]; then
	gone=("$BUILD"/{6.1,guest,cache,results,report,logs,packages.log,.packages.lock})
	for series in "$TOP"/patches/*/series; do
		gone+=("$BUILD/$(basename "$(dirname "$series")")")
	done
fi
for dir in "${gone[@]}"; do
	src=$dir/src state=$dir/src/.git/schedfix
	[ -d "$src/.git" ] || continue
	lost=$(unsaved)
	[ -z "$lost" ] || [ "${TREE_FORCE:-}" = 1 ] ||
		die "$src: has $lost; make refresh, or TREE_FORCE=1 to drop them"
done
run rm -rf "${gone[@]}"
