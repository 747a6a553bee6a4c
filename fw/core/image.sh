#!/bin/sh
# image.sh - builds the firmware for the soft core: one word a line, for $readmemh
# SPDX-License-Identifier: Apache-2.0
# usage: image.sh COMPILER PROJECT OUTPUT [NAME [MA]]   (OUTPUT.hex, OUTPUT.elf)
# NAME: what the board calls itself; MA: current that it takes from the bus at most, mA
# Link-time optimization and shared prologues make it a tenth smaller; the memory functions must
# stay out of the former, since the compiler asks for them after it. The optimizations that are
# switched off cost 150 bytes.
set -eu
compiler=$1
project=$2
output=$3
name=${4:-simulator}
milliamperes=${5:-100}
prefix=${compiler%gcc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

flags="-march=rv32i -mabi=ilp32 -std=c11 -Os -msave-restore
  -fno-jump-tables -fno-tree-dominator-opts -fno-shrink-wrap -fno-ipa-sra -ffreestanding -nostdlib
  -ffunction-sections -fdata-sections -fno-tree-loop-distribute-patterns -DTM_HW_MEMORY_MAPPED
  -DTM_BOARD_NAME=\"$name\" -DTM_BOARD_MILLIAMPERES=$milliamperes
  -Wall -Wextra -Wconversion -Wshadow -Werror -I$project"
# shellcheck disable=SC2086  # words are wanted
{
  "$compiler" $flags -c "$project/fw/core/memory.c" -o "$work/memory.o"
  "$compiler" $flags -flto -Wl,--gc-sections -Wl,--no-warn-rwx-segments -Wl,-T,"$project/fw/core/image.ld" \
    "$project/fw/core/start.S" "$project/fw/core/main.c" "$project/fw/core/lamps.c" \
    "$project/fw/core/spi_flash.c" "$project/fw/tm_board.c" "$project/fw/tm_descriptors.c" \
    "$project/fw/tm_sensors.c" "$project/fw/tm_settings.c" "$project/fw/tm_store.c" \
    "$project/fw/tm_usb.c" "$work/memory.o" -lgcc -o "$output.elf"
}
"${prefix}objcopy" -O binary "$output.elf" "$work/image.bin"
# Bytes to little-endian words, padded to a whole one
od -An -v -t x1 -w4 "$work/image.bin" |
  awk '{ w = ""; for (i = 4; i > 0; i--) w = w ($i == "" ? "00" : $i); print w }' > "$output.hex"
"${prefix}size" -A "$output.elf" | awk '
  $1 == ".text" { code = $2 } $1 == ".bss" { data = $2 }
  END { printf "firmware: %d bytes code and constants, %d variables, %d of 8192 left for the stack\n",
               code, data, 8192 - code - data }'
