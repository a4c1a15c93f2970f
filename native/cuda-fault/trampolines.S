/*
 * One trampoline for each intercepted function. It counts down, reads one word, and jumps to the real
 * function with every argument where it was; only when the countdown is over or the word is not 0 does
 * it ask tcf_decide. No prototypes are needed, and a call that goes through costs about a nanosecond.
 */
#include "shim.h"

#define F(name, kind, device) trampoline name
#define D(name, kind, device) trampoline name

    .set tcf_index, 0

    .section .data.tcf_slots, "aw"
    .hidden tcf_slots
    .globl tcf_slots
    .p2align 3
tcf_slots:
    .section .data.rel.ro.tcf_entries, "aw"
    .hidden tcf_entries
    .globl tcf_entries
    .p2align 3
tcf_entries:
    .text

#if defined(__x86_64__)

.macro body
.Lentry\@:
    endbr64
    movq tcf_budget@gottpoff(%rip), %r11
    subl $1, %fs:(%r11)
    js .Lslow\@
    movq tcf_gate(%rip), %r11
    cmpl $0, (%r11)
    jne .Lslow\@
    jmp *.Lslot\@(%rip)
.Lslow\@:
    movl $tcf_index, %r11d
    jmp tcf_slow
    .pushsection .data.tcf_slots, "aw"
.Lslot\@:
    .quad .Lslow\@
    .popsection
    .pushsection .data.rel.ro.tcf_entries, "aw"
    .quad .Lentry\@
    .popsection
    .set tcf_index, tcf_index + 1
.endm

.macro special name, index
    .globl \name
    .type \name, %function
    .p2align 4
\name:
    endbr64
    movl $\index, %r11d
    jmp tcf_slow
    .size \name, . - \name
.endm

    .hidden tcf_decide
    .type tcf_slow, %function
    .p2align 4
tcf_slow:
    .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    andq $-16, %rsp
    subq $192, %rsp
    movq %rdi, 0(%rsp)
    movq %rsi, 8(%rsp)
    movq %rdx, 16(%rsp)
    movq %rcx, 24(%rsp)
    movq %r8, 32(%rsp)
    movq %r9, 40(%rsp)
    movq %rax, 48(%rsp)
    movups %xmm0, 64(%rsp)
    movups %xmm1, 80(%rsp)
    movups %xmm2, 96(%rsp)
    movups %xmm3, 112(%rsp)
    movups %xmm4, 128(%rsp)
    movups %xmm5, 144(%rsp)
    movups %xmm6, 160(%rsp)
    movups %xmm7, 176(%rsp)
    movl %r11d, %edi
    movq %rsp, %rsi
    movq 8(%rbp), %rdx
    call tcf_decide
    movq %rax, %r11
    movq %rdx, %r10
    movq 0(%rsp), %rdi
    movq 8(%rsp), %rsi
    movq 16(%rsp), %rdx
    movq 24(%rsp), %rcx
    movq 32(%rsp), %r8
    movq 40(%rsp), %r9
    movq 48(%rsp), %rax
    movups 64(%rsp), %xmm0
    movups 80(%rsp), %xmm1
    movups 96(%rsp), %xmm2
    movups 112(%rsp), %xmm3
    movups 128(%rsp), %xmm4
    movups 144(%rsp), %xmm5
    movups 160(%rsp), %xmm6
    movups 176(%rsp), %xmm7
    leave
    .cfi_def_cfa %rsp, 8
    testq %r11, %r11
    jz 1f
    jmp *%r11
1:  movq %r10, %rax
    ret
    .cfi_endproc
    .size tcf_slow, . - tcf_slow

#elif defined(__aarch64__)

.macro body
.Lentry\@:
    hint #34
    adrp x16, :gottprel:tcf_budget
    ldr x16, [x16, :gottprel_lo12:tcf_budget]
    mrs x17, tpidr_el0
    add x16, x16, x17
    ldr w17, [x16]
    subs w17, w17, #1
    str w17, [x16]
    b.mi .Lslow\@
    adrp x16, tcf_gate
    ldr x16, [x16, :lo12:tcf_gate]
    ldr w16, [x16]
    cbnz w16, .Lslow\@
    adrp x16, .Lslot\@
    ldr x16, [x16, :lo12:.Lslot\@]
    br x16
.Lslow\@:
    hint #36
    mov w16, #tcf_index
    b tcf_slow
    .pushsection .data.tcf_slots, "aw"
.Lslot\@:
    .quad .Lslow\@
    .popsection
    .pushsection .data.rel.ro.tcf_entries, "aw"
    .quad .Lentry\@
    .popsection
    .set tcf_index, tcf_index + 1
.endm

.macro special name, index
    .globl \name
    .type \name, %function
    .p2align 4
\name:
    hint #34
    movz w16, #(\index & 0xffff)
    movk w16, #(\index >> 16), lsl #16
    b tcf_slow
    .size \name, . - \name
.endm

    .hidden tcf_decide
    .type tcf_slow, %function
    .p2align 4
tcf_slow:
    .cfi_startproc
    stp x29, x30, [sp, #-224]!
    .cfi_def_cfa_offset 224
    .cfi_offset x29, -224
    .cfi_offset x30, -216
    mov x29, sp
    stp x0, x1, [sp, #16]
    stp x2, x3, [sp, #32]
    stp x4, x5, [sp, #48]
    stp x6, x7, [sp, #64]
    str x8, [sp, #80]
    stp q0, q1, [sp, #96]
    stp q2, q3, [sp, #128]
    stp q4, q5, [sp, #160]
    stp q6, q7, [sp, #192]
    mov w0, w16
    add x1, sp, #16
    mov x2, x30
    bl tcf_decide
    mov x16, x0
    mov x17, x1
    ldp x0, x1, [sp, #16]
    ldp x2, x3, [sp, #32]
    ldp x4, x5, [sp, #48]
    ldp x6, x7, [sp, #64]
    ldr x8, [sp, #80]
    ldp q0, q1, [sp, #96]
    ldp q2, q3, [sp, #128]
    ldp q4, q5, [sp, #160]
    ldp q6, q7, [sp, #192]
    ldp x29, x30, [sp], #224
    .cfi_restore x29
    .cfi_restore x30
    .cfi_def_cfa_offset 0
    cbz x16, 1f
    br x16
1:  mov x0, x17
    ret
    .cfi_endproc
    .size tcf_slow, . - tcf_slow

#else
#error "There are trampolines for x86-64 and aarch64 only."
#endif

.macro trampoline name
    .globl \name
    .type \name, %function
    .p2align 4
\name:
    body
    .size \name, . - \name
.endm

    .hidden tcf_budget
    .hidden tcf_gate

#include "functions.h"

    .section .rodata
    .hidden tcf_static_count
    .globl tcf_static_count
    .p2align 2
tcf_static_count:
    .long tcf_index
    .text

    .rept TCF_POOL
    .p2align 4
    body
    .endr

    special dlsym, TCF_DLSYM
    special dlvsym, TCF_DLVSYM

    .section .note.GNU-stack, "", %progbits
