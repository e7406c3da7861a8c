/* SPDX-License-Identifier: GPL-2.0 */
/*
 * x86-64 parts of the simulator: coroutine switches and the calls that stand
 * for cli, sti and pushf. The frame that a suspended coroutine leaves on its
 * stack is the same whether it called schedule() or yielded to the loop.
 */
#include "asm-offsets.h"

	.macro SAVE_FRAME
	push	%rbp
	push	%rbx
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	.endm

	.macro RESTORE_FRAME
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbx
	pop	%rbp
	.endm

/* Return on another stack: a ret there would always be predicted wrongly. */
	.macro RETURN
	pop	%rcx
	jmp	*%rcx
	.endm

	.text

/* void sim_swap(unsigned long *save_sp, unsigned long load_sp) */
	.globl	sim_swap
sim_swap:
	SAVE_FRAME
	mov	%rsp, (%rdi)
	mov	%rsi, %rsp
	RESTORE_FRAME
	RETURN

/* struct task_struct *__switch_to_asm(prev, next): returns prev to next */
	.globl	__switch_to_asm
__switch_to_asm:
	SAVE_FRAME
	mov	%rsp, TASK_threadsp(%rdi)
	mov	%rdi, %rbx
	mov	%rsi, %r12
	mov	%rsi, %rdi
	call	sim_set_current
	mov	%rbx, %rax
	mov	TASK_threadsp(%r12), %rsp
	RESTORE_FRAME
	RETURN

/* First frame of a new task: %rax is prev, as __switch_to_asm left it. */
	.globl	sim_task_entry
sim_task_entry:
	mov	%rax, %rdi
	xor	%ebp, %ebp
	call	sim_task_main
	ud2

	.globl	sim_idle_entry
sim_idle_entry:
	xor	%ebp, %ebp
	call	sim_idle_main
	ud2

/* These preserve every register but %rax, as pv_ops.irq demands. */
	.globl	sim_pv_save_fl, sim_pv_irq_disable, sim_pv_irq_enable
sim_pv_save_fl:
	mov	%gs:sim_irq_flag(%rip), %rax
	ret
sim_pv_irq_disable:
	movq	$0, %gs:sim_irq_flag(%rip)
	ret
sim_pv_irq_enable:
	movq	$0x200, %gs:sim_irq_flag(%rip)
	ret

/* Lazy MMU mode around a context switch: there is none to leave. */
	.globl	sim_pv_nothing
sim_pv_nothing:
	ret

/* Every other paravirtual operation: there is no such hardware here. */
	.globl	sim_pv_unused
sim_pv_unused:
	lea	1f(%rip), %rdi
	jmp	sim_must_not
1:	.asciz	"pv_ops (an operation of hardware)"

	.section .note.GNU-stack, "", @progbits
