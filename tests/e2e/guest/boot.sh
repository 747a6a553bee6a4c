#!/bin/bash
# boot.sh - boots a guest made by make_guest.sh and shows its console
# SPDX-License-Identifier: Apache-2.0
#
# usage: boot.sh GUEST_DIR TIMEOUT_S [NAME=VALUE...]
#
# The assignments reach the guest's init as its environment. The host's 127.0.0.1 is 10.0.2.2 there.
# Always software emulation: a /dev/kvm that opens is no promise that guests run on it.
set -euo pipefail
[ $# -ge 2 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
guest=$1
limit_s=$2
shift 2
exec timeout --kill-after=5 "$limit_s" qemu-system-x86_64 -M q35 -accel tcg -cpu qemu64 -smp 1 -m 384 \
    -nographic -nodefaults -no-reboot -serial stdio \
    -kernel "$guest/vmlinux" -initrd "$guest/initrd.cpio" \
    -append "console=ttyS0 quiet panic=-1 nokaslr mitigations=off tsc=reliable no_timer_check $*" \
    -netdev user,id=n0 -device e1000,netdev=n0,romfile=
