# SPDX-License-Identifier: GPL-2.0
# Topologies: the presets, how they are cut down, and what QEMU is told.

setup()
{
	TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	export TOP
	mkdir -p "$BATS_TEST_TMPDIR/schedfix"
	. "$TOP/schedfix/scripts/topo.sh"
}

say() { echo "$*"; }
die() { echo "schedfix: $*"; exit 1; }

# Read a topology of our own from stdin.
own()
{
	TOP=$BATS_TEST_TMPDIR
	mkdir -p "$TOP/schedfix/topologies"
	cat >"$TOP/schedfix/topologies/own.topo"
	topo_read own
}

shape() { topo_read "$1"; topo_fit "$2" "$1" >/dev/null; topo_want; }

@test "each preset can be read" {
	for name in $(topo_names); do topo_read "$name"; done
	[ "$(topo_names)" = "1c 1l4c 2c 2l2c2t 2l4c epyc-7313p i7-2600 icelake-2x32 xeon-3204 xeon-6132" ]
}

@test "a shape that fits is kept, without a word" {
	topo_read 2l4c
	[ -z "$(topo_fit 8 2l4c)" ]
	[ "$(shape 2l4c 8)" = "2 LLCs x 4 cores x 1 threads, 2 nodes" ]
	[ "$(shape xeon-6132 56)" = "2 LLCs x 14 cores x 2 threads, 2 nodes" ]
}

@test "cores go first, then LLCs, then nodes; threads stay" {
	[ "$(shape xeon-6132 8)" = "2 LLCs x 2 cores x 2 threads, 2 nodes" ]
	[ "$(shape xeon-3204 8)" = "2 LLCs x 4 cores x 1 threads, 2 nodes" ]
	[ "$(shape epyc-7313p 8)" = "4 LLCs x 1 cores x 2 threads, 1 nodes" ]
	[ "$(shape epyc-7313p 4)" = "2 LLCs x 1 cores x 2 threads, 1 nodes" ]
	[ "$(shape icelake-2x32 2)" = "1 LLCs x 1 cores x 2 threads, 1 nodes" ]
}

@test "a cut is told, with what lifts it" {
	topo_read icelake-2x32
	run topo_fit 8 icelake-2x32
	[[ $output == *"2 x 32 x 2 on 2 nodes"*"cut to 2 x 2 x 2 on 2"*"--cpus"* ]]
}

@test "threads that do not fit are an error" {
	topo_read icelake-2x32
	run topo_fit 1 icelake-2x32
	[ "$status" -eq 1 ]
}

@test "an LLC is a socket, and a node has its CPUs, memory and distances" {
	topo_read 2l4c
	topo_fit 8 2l4c
	run topo_qemu 1001
	[ "${lines[0]}" = "-smp 8,sockets=2,dies=1,cores=4,threads=1 -m 1001M" ]
	[ "${lines[1]}" = "-object memory-backend-ram,id=mem0,size=501M" ]
	[ "${lines[2]}" = "-numa node,nodeid=0,memdev=mem0,cpus=0-3" ]
	[ "${lines[4]}" = "-numa node,nodeid=1,memdev=mem1,cpus=4-7" ]
	[ "${lines[5]}" = "-numa dist,src=0,dst=1,val=21" ]
	[ "${#lines[@]}" -eq 7 ]
}

@test "mistakes in a file are named with their line" {
	good='sockets = 2\nllcs_per_socket = 1\ncores_per_llc = 4\nthreads = 1\nnodes = 2\ndistance = 10 21; 21 10\n'
	own <<<"$(printf "$good")"
	run own <<<"$(printf "$good" | sed 's/threads/treads/')"
	[[ $status -eq 1 && $output == *"own.topo:4: treads: no such key"* ]]
	run own <<<"$(printf "$good" | sed 's/nodes = 2/nodes = two/')"
	[[ $status -eq 1 && $output == *"own.topo:5: nodes: 'two'"* ]]
	run own <<<"$(printf "$good" | sed /cores/d)"
	[[ $status -eq 1 && $output == *"cores_per_llc is missing"* ]]
	run own <<<"$(printf "$good" | sed 's/; 21 10//')"
	[[ $status -eq 1 && $output == *"1 rows for 2 nodes"* ]]
	run own <<<"$(printf "$good" | sed 's/21 10/21/')"
	[[ $status -eq 1 && $output == *"row '21'"* ]]
	run own <<<"$(printf "$good" | sed 's/sockets = 2/sockets = 3/')"
	[[ $status -eq 1 && $output == *"3 LLCs do not divide into 2 nodes"* ]]
	run topo_read nothing
	[[ $status -eq 1 && $output == *"nothing: no such topology; there are: 1l4c"* || $output == *"own"* ]]
}
