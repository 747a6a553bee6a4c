#!/bin/sh
# rv32_check.sh - the firmware as the soft core will run it: RV32I, freestanding, memory mapped
# SPDX-License-Identifier: Apache-2.0
# usage: rv32_check.sh COMPILER PROJECT SOURCE...
set -eu
compiler=$1
project=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$compiler" -march=rv32i -mabi=ilp32 -std=c11 -Os -ffreestanding -nostdlib -DTM_HW_MEMORY_MAPPED \
  -Wall -Wextra -Wconversion -Wshadow -Werror -I"$project" -Wl,-r -o "$work/fw.o" "$@"

prefix=${compiler%gcc}
# The compiler itself may call these.
unknown=$("${prefix}nm" -u "$work/fw.o" |
    grep -vE ' (memcpy|memset|memmove|memcmp|__(mul|div|mod|udiv|umod)[a-z]i3)$' || true)
if [ -n "$unknown" ]; then
  echo "the firmware calls what the soft core has not: $unknown"
  exit 1
fi
globals=$("${prefix}size" -A "$work/fw.o" | awk '$1 ~ /^\.s?(data|bss)/ && $2 > 0 { print $1, $2 }')
if [ -n "$globals" ]; then
  echo "the firmware has global state: $globals"
  exit 1
fi
"${prefix}size" "$work/fw.o"
