/*===- Dlsym.S - The dlsym of libkplan_runtime.so --------------------------===*
 *
 * Reached as dlsym where this library comes before the C library, and as
 * __wrap_dlsym from programs that are linked with --wrap=dlsym, wherever it is.
 *
 * Asks kplan_dlsym_target(handle, name, caller) which function is to answer and
 * jumps there with the caller's arguments and return address. The real dlsym
 * looks at that address to know what RTLD_NEXT and RTLD_DEFAULT mean, so it must
 * not be called from here.
 *
 *===----------------------------------------------------------------------===*/

        .text
        .globl  dlsym, __wrap_dlsym
        .type   dlsym, %function
        .type   __wrap_dlsym, %function
#if defined(__x86_64__)
        .p2align 4
dlsym:
__wrap_dlsym:
        .cfi_startproc
        endbr64
        movq    (%rsp), %rdx            /* the return address */
        pushq   %rdi
        .cfi_adjust_cfa_offset 8
        pushq   %rsi
        .cfi_adjust_cfa_offset 8
        subq    $8, %rsp                /* the stack is aligned to 16 at calls */
        .cfi_adjust_cfa_offset 8
        call    kplan_dlsym_target
        addq    $8, %rsp
        .cfi_adjust_cfa_offset -8
        popq    %rsi
        .cfi_adjust_cfa_offset -8
        popq    %rdi
        .cfi_adjust_cfa_offset -8
        jmpq    *%rax
        .cfi_endproc
#elif defined(__aarch64__)
        .p2align 2
dlsym:
__wrap_dlsym:
        .cfi_startproc
        hint    #34                     /* bti c */
        mov     x2, x30                 /* the return address */
        stp     x29, x30, [sp, #-32]!
        .cfi_def_cfa_offset 32
        .cfi_offset 29, -32
        .cfi_offset 30, -24
        stp     x0, x1, [sp, #16]
        mov     x29, sp
        bl      kplan_dlsym_target
        mov     x16, x0
        ldp     x0, x1, [sp, #16]
        ldp     x29, x30, [sp], #32
        .cfi_restore 29
        .cfi_restore 30
        .cfi_def_cfa_offset 0
        br      x16
        .cfi_endproc
#else
#error "dlsym is not written for this processor"
#endif
        .size   dlsym, . - dlsym
        .size   __wrap_dlsym, . - __wrap_dlsym

        .section .note.GNU-stack, "", %progbits
