// SPDX-License-Identifier: GPL-2.0
int cmd_triage(int argc, char **argv);
int cmd_triage(int argc, char **argv) { (void)argc; (void)argv; return 2; }
