# SPDX-License-Identifier: GPL-2.0
# Every symbol that a fragment asks for must be in the final .config.

setup()
{
	TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	export CONFIGS=$BATS_TEST_TMPDIR
	cd "$CONFIGS"
	printf 'include sched.config\n# why\nCONFIG_SMP=y\n' >test.config
	printf 'CONFIG_SCHED_MC=y\nCONFIG_NR_CPUS=64\n# CONFIG_DEBUG_SPINLOCK is not set\n' >sched.config
	printf 'CONFIG_SMP=y\nCONFIG_SCHED_MC=y\nCONFIG_NR_CPUS=64\n# CONFIG_DEBUG_SPINLOCK is not set\n' >got
}

check() { "$TOP/schedfix/scripts/config.sh" --check got "${1:-test}"; }

@test "a .config with all that was asked for passes, and says nothing" {
	run check
	[ "$status" -eq 0 ]
	[ -z "$output" ]
}

@test "a symbol that .config lacks is named with its fragment and line" {
	sed -i /SCHED_MC/d got
	run check
	[ "$status" -eq 1 ]
	[[ $output == *"sched.config:1: asked for CONFIG_SCHED_MC=y, .config has # CONFIG_SCHED_MC is not set"* ]]
}

@test "another value, =m for =y, and =y for not set are errors, and all are told" {
	sed -i 's/=64/=8/; s/SMP=y/SMP=m/; s/# \(.*SPINLOCK\).*/\1=y/' got
	run check
	[ "$status" -eq 1 ]
	[ "${#lines[@]}" -eq 3 ]
	[[ $output == *NR_CPUS=8* && $output == *SMP=m* && $output == *DEBUG_SPINLOCK=y* ]]
}

@test "a symbol asked to be off may be absent" {
	sed -i /SPINLOCK/d got
	check
}

@test "a later fragment overrides an earlier one" {
	printf 'include test.config\nCONFIG_DEBUG_SPINLOCK=y\n' >debug.config
	run check debug
	[ "$status" -eq 1 ]
	[[ $output == *debug.config:2*SPINLOCK* ]]
	sed -i 's/# \(.*SPINLOCK\).*/\1=y/' got
	check debug
}

@test "a name that is a prefix of another is no match" {
	sed -i 's/CONFIG_SCHED_MC=y/CONFIG_SCHED_MC_PRIO=y/' got
	run check
	[ "$status" -eq 1 ]
}

@test "a line that is no symbol, and a missing fragment, are errors" {
	echo 'CONFIG_SMP y' >>test.config
	run check
	[ "$status" -ne 0 ]
	[[ $output == *"test.config:4: 'CONFIG_SMP y'"* ]]
	echo 'include nothing.config' >test.config
	run check
	[ "$status" -ne 0 ]
	[[ $output == *"nothing.config: no such fragment"* ]]
}

@test "the fragments of the repository can be read" {
	unset CONFIGS
	: >got
	for name in test debug ours; do
		run check $name
		[[ $output != *neither* && $output != *"no such"* ]]
	done
}
