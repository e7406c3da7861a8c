#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Generates the stubs that symbols.tbl asks for and fails on symbols that are
# not in it: stubs.sh TABLE OBJECT >stubs.S
#
# OBJECT is the kernel and the simulator linked together with ld -r; what is
# still undefined in it needs a stub. A weak function that nothing overrides must
# be in the table too: the architecture's own version may be what one wants.
set -euo pipefail

table=$1 object=$2

undefined=$(nm -u "$object" | awk '{print $2}' | sort -u)
weak=$(nm --defined-only "$object" | awk '$2 ~ /[WV]/ {print $3}' | sort -u)

awk -v undefined="$undefined" -v weak="$weak" -v table="$table" '
	function stub(name, text)
	{
		printf ".globl %s\n%s:\n%s\n", name, name, text
	}
	/^#/ || !NF	{ next }
	NF != 2 || $1 !~ /^(own|link|zero|data|never|weak)$/ {
		print table ":" FNR ": not \"CLASS SYMBOL\"" >"/dev/stderr"
		bad = 1
		next
	}
	$2 in class	{ print table ":" FNR ": " $2 " twice" >"/dev/stderr"; bad = 1 }
			{ class[$2] = $1 }
	END {
		n = split(undefined, u, "\n")
		print "\t.text"
		for (i = 1; i <= n; i++) {
			s = u[i]
			if (s ~ /^(host|sim)_/)
				continue
			if (!(s in class)) {
				print "schedfix: " table ": symbol " s " is not classified; decide what it is to do and add it" >"/dev/stderr"
				bad = 1
			} else if (class[s] == "own") {
				print "schedfix: " table ": " s " is called own, but nothing in kernel/ defines it" >"/dev/stderr"
				bad = 1
			} else if (class[s] == "zero")
				stub(s, "\txor\t%eax, %eax\n\tret")
			else if (class[s] == "never")
				stub(s, "\tlea\t1f(%rip), %rdi\n\tcall\tsim_must_not\n1:\t.asciz\t\"" s "\"")
			else if (class[s] == "data")
				print "\t.comm\t" s ", 8192, 64"
		}
		n = split(weak, w, "\n")
		for (i = 1; i <= n; i++)
			if (class[w[i]] != "weak") {
				print "schedfix: " table ": weak symbol " w[i] " is not classified: does the architecture have its own?" >"/dev/stderr"
				bad = 1
			}
		print "\t.section .note.GNU-stack, \"\", @progbits"
		exit bad
	}' "$table"
