# SPDX-License-Identifier: GPL-2.0
# Reads schedfix/topologies/NAME.topo and fits the shape to a guest. Sourced by vm.sh.
# shellcheck shell=bash

# Sets sockets, llcs_per_socket, cores_per_llc, threads, nodes and distance.
topo_read()
{
	local file=$TOP/schedfix/topologies/$1.topo known key value n=0

	[ -f "$file" ] || die "$1: no such topology; there are: $(topo_names)"
	known=" sockets llcs_per_socket cores_per_llc threads nodes distance idle "
	sockets='' llcs_per_socket='' cores_per_llc='' threads='' nodes='' distance=''
	while IFS= read -r line || [ -n "$line" ]; do
		n=$((n + 1))
		line=${line%%#*}
		[[ $line =~ ^[[:space:]]*$ ]] && continue
		[[ $line =~ ^[[:space:]]*([a-z_]+)[[:space:]]*=[[:space:]]*(.*[^[:space:]])[[:space:]]*$ ]] ||
			die "${file#"$TOP"/}:$n: not 'key = value'"
		key=${BASH_REMATCH[1]} value=${BASH_REMATCH[2]}
		[[ $known == *" $key "* ]] || die "${file#"$TOP"/}:$n: $key: no such key; known:${known% }"
		case $key in
		idle) ;;	# the simulator's; a guest idles as its host lets it
		distance) distance=$value ;;
		*)	[[ $value =~ ^[1-9][0-9]{0,3}$ ]] ||
				die "${file#"$TOP"/}:$n: $key: '$value' is no positive number"
			printf -v "$key" %s "$value" ;;
		esac
	done <"$file"
	for key in sockets llcs_per_socket cores_per_llc threads nodes distance; do
		[ -n "${!key}" ] || die "${file#"$TOP"/}: $key is missing"
	done
	[ $((sockets * llcs_per_socket % nodes)) -eq 0 ] ||
		die "${file#"$TOP"/}: $((sockets * llcs_per_socket)) LLCs do not divide into $nodes nodes"
	topo_distance "${file#"$TOP"/}"
}

topo_names() { (cd "$TOP/schedfix/topologies" && printf '%s ' *.topo | sed 's/\.topo//g; s/ $//'); }

# "10 21; 21 10": one row a node, as many numbers as nodes.
topo_distance()
{
	local -a rows cols
	local row

	IFS=';' read -ra rows <<<"$distance"
	[ ${#rows[@]} -eq "$nodes" ] || die "$1: distance has ${#rows[@]} rows for $nodes nodes"
	for row in "${rows[@]}"; do
		read -ra cols <<<"$row"
		[[ ${#cols[@]} -eq $nodes && ${cols[*]} =~ ^[0-9\ ]+$ ]] ||
			die "$1: distance: row '${row# }' is not $nodes numbers"
	done
}

# Sets llcs and cores (per LLC), and lowers nodes, so that the guest has at most $1
# CPUs. What the scheduler branches on is kept longest: threads per core, then
# several LLCs, then nodes; cores per LLC go first. Says so if anything changed.
topo_fit()
{
	local max=$1 name=$2 full

	llcs=$((sockets * llcs_per_socket)) cores=$cores_per_llc
	full="$llcs x $cores x $threads on $nodes"
	[ $((llcs * cores * threads)) -gt "$max" ] && cores=$((max / (llcs * threads)))
	if [ "$cores" -eq 0 ]; then
		cores=1 llcs=$((max / threads))
		[ "$llcs" -gt 0 ] || die "$name: $threads threads per core do not fit $max CPUs"
	fi
	while [ $((llcs % nodes)) -ne 0 ]; do nodes=$((nodes - 1)); done
	[ "$full" = "$llcs x $cores x $threads on $nodes" ] && return
	say "vm: $name, $full nodes (LLCs x cores x threads), cut to $llcs x $cores x $threads on $nodes for $max CPUs; --cpus N raises that"
}

# QEMU's options for that shape. QEMU makes one LLC per socket, so an LLC becomes a
# socket; several of them in one node differ by the LLC alone, as on a real chiplet.
topo_qemu()
{
	local cpus=$((llcs * cores * threads)) mem=$1 per n m i j
	local -a rows cols

	per=$((cpus / nodes))
	echo "-smp $cpus,sockets=$llcs,dies=1,cores=$cores,threads=$threads -m ${mem}M"
	[ "$nodes" -eq 1 ] && return
	for ((n = 0; n < nodes; n++)); do
		m=$((mem / nodes + (n ? 0 : mem % nodes)))
		echo "-object memory-backend-ram,id=mem$n,size=${m}M"
		echo "-numa node,nodeid=$n,memdev=mem$n,cpus=$((n * per))-$((n * per + per - 1))"
	done
	IFS=';' read -ra rows <<<"$distance"
	for ((i = 0; i < nodes; i++)); do
		read -ra cols <<<"${rows[i]}"
		for ((j = 0; j < nodes; j++)); do
			[ $i -eq $j ] || echo "-numa dist,src=$i,dst=$j,val=${cols[j]}"
		done
	done
}

# What the guest must see, as schedfix/guest/topology.awk prints it.
topo_want()
{
	echo "$llcs LLCs x $cores cores x $threads threads, $nodes nodes"
}
