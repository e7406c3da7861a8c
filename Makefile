# SPDX-License-Identifier: GPL-2.0
# The front door: each target calls a script in schedfix/scripts, or goes to the
# kernel's own make in the tree that `make tree` lays.

BASE   ?= 6.12
CONFIG ?= test
TOPO   ?=
BUILD  ?= $(CURDIR)/build
export BASE CONFIG TOPO BUILD V JOBS KSRC GOOD BAD CLAIM KCONFIG TREE_FORCE

S := schedfix/scripts

define HELP
schedfix: scheduler fixes for Linux $(BASE), each with the claim that shows what it does

  make test      what CI runs                      make regress   all claims; report in build/report
  make check     host tests and lints, no kernel   make triage    are the reported mechanisms still there?
  make boot      a shell in the test kernel        make table     fio and stress-ng, bit by bit
  make selftest  kselftests in a guest             make sim       the scheduler in user space
  make kunit     KUnit tests in a guest            make kernel    build the test kernel
  make mutants   each planted bug fails a test

  make tree      build/$(BASE)/src: source + series, a commit a patch
  make refresh   write commits made there back to patches/$(BASE) and our files
  make series    mails for each destination, checked, in build/$(BASE)/series
  make bisect    KSRC=git-tree GOOD= BAD= CLAIM=: git bisect with a claim as the test
  make deb       kernel packages with the running config (or KCONFIG=)
  make guest     the Debian guest image
  make clean     remove build/$(BASE); make distclean: all of build/

  V=1 commands   JOBS=n   BASE=$(BASE)   CONFIG=$(CONFIG) (schedfix/configs)   TOPO=2l4c (schedfix/topologies)
  KSRC=  kernel source: directory, tarball or git tree (default: Debian's linux-source-$(BASE))
  kbuild targets go to the tree: menuconfig bzImage modules kselftest M=... dir/file.o
endef

.NOTPARALLEL:

OURS := help tree refresh series check test triage table guest sim mutants bisect deb clean distclean \
	kernel build boot selftest kunit regress
# What goes to the tree's own make; `make M=drivers/dma` means its modules there.
KBUILD := all bzImage vmlinux modules modules_% headers headers_% prepare kernelrelease image_name \
	kselftest kselftest-% tags TAGS cscope gtags compile_commands.json coccicheck %check nsdeps \
	scripts rust% %config %_defconfig %docs %.o %.i %.s %.lst %.ko %/ %-pkg
GOALS := $(or $(MAKECMDGOALS),$(if $(M),modules))
FORWARD := $(filter-out $(OURS),$(filter $(KBUILD),$(GOALS)))
UNKNOWN := $(filter-out $(OURS) $(FORWARD),$(GOALS))
.DEFAULT_GOAL := $(if $(M),modules,help)
.PHONY: $(OURS) $(FORWARD) $(UNKNOWN)

# Package sets: so that all are installed, or named for who may not install them, at once.
test: export PACKAGES = source check build vm regress sim mail
regress triage table: export PACKAGES = source build vm regress guest
kernel build $(FORWARD): export PACKAGES = source build
sim: export PACKAGES = source build sim
series: export PACKAGES = source mail
deb: export PACKAGES = source build deb
boot selftest kunit mutants: export PACKAGES = source build vm

help:
	$(info $(HELP))@:

tree refresh series check test triage table guest sim mutants bisect deb clean:
	@$(S)/$@.sh

boot selftest kunit regress: tree
	@$(S)/$@.sh

kernel build: tree
	@$(S)/build.sh --config $(CONFIG)

distclean:
	@$(S)/clean.sh all

# Variables of the command line that are not ours (M=, TARGETS=, V=) go along.
$(FORWARD): tree
	@$(S)/forward.sh $@ $(filter-out BASE=% CONFIG=% TOPO=% BUILD=% JOBS=% KSRC=%,$(MAKEOVERRIDES))

$(UNKNOWN):
	@echo "schedfix: $@: no such target; make prints what there is" >&2; exit 2
