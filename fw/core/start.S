// start.S - from reset to main: a stack, and zeroes where C wants them
// SPDX-License-Identifier: Apache-2.0
    .section .text.start, "ax"
    .globl _start
_start:
    // From the middle of what is addressed most, two instructions become one
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la sp, tm_stack_top
    la a0, tm_bss_begin
    la a1, tm_bss_end
1:  bgeu a0, a1, 2f
    sw zero, 0(a0)
    addi a0, a0, 4
    j 1b
2:  call main
    ebreak
