#!/bin/bash
# make_guest.sh - a small Linux guest: Debian's kernel, and an initramfs with the given programs
# SPDX-License-Identifier: Apache-2.0
#
# usage: make_guest.sh OUT_DIR INIT_SCRIPT PROGRAM...
#
# Leaves OUT_DIR/vmlinux and OUT_DIR/initrd.cpio. The kernel package is downloaded, not installed,
# and kept in OUT_DIR for the next time. Exit status 77: no kernel package is to be had here.
set -euo pipefail
export LC_ALL=C
[ $# -ge 2 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
out=$(mkdir -p "$1" && cd "$1" && pwd)
init=$(realpath "$2")
shift 2
programs=()
for program in "$@"; do programs+=("$(realpath "$program")"); done

say() { echo "make_guest: $*" >&2; }

# The kernel. The ABI number in the package's name moves, so the name is asked for.
kernel_deb() { find "$out" -maxdepth 1 -name 'linux-image-*.deb' | sort | tail -n 1; }
if [ -z "$(kernel_deb)" ]; then
    package=$(apt-cache depends linux-image-amd64 2>/dev/null | awk '/Depends: linux-image/{print $2; exit}')
    [ -n "$package" ] || { say "no linux-image-amd64 in the package lists (run apt-get update)"; exit 77; }
    say "downloading $package"
    (cd "$out" && apt-get download -qq "$package" >&2) || { say "cannot download $package"; exit 77; }
fi
deb=$(kernel_deb)

modules=(e1000 usb-common usbcore usbip-core vhci-hcd) # in the order in which they load
if [ ! -e "$out/vmlinux" ]; then
    say "unpacking $(basename "$deb")"
    patterns=('./boot/vmlinuz-*')
    for module in "${modules[@]}"; do patterns+=("*/$module.ko"); done
    rm -rf "$out/kernel"
    mkdir -p "$out/kernel"
    dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$out/kernel" --wildcards "${patterns[@]}"
    # QEMU boots the plain ELF image in half the time that the guest needs to unpack it.
    vmlinuz=$(find "$out/kernel/boot" -name 'vmlinuz-*')
    for offset in $(grep -obUaP '\xfd7zXZ\x00' "$vmlinuz" | cut -d: -f1); do
        tail -c "+$((offset + 1))" "$vmlinuz" |
            xz -dc --single-stream >"$out/vmlinux.part" 2>/dev/null || true
        if [ "$(head -c 4 "$out/vmlinux.part" | od -An -tx1 | tr -d ' ')" = 7f454c46 ]; then
            mv "$out/vmlinux.part" "$out/vmlinux"
            break
        fi
    done
    [ -e "$out/vmlinux" ] || { say "found no kernel image in $vmlinuz"; exit 1; }
fi

# The root: busybox, the kernel's modules, the programs and the libraries that they load.
root=$out/root
rm -rf "$root"
mkdir -p "$root"/{bin,dev,etc,modules,proc,run,sys,tmp,usr/share/misc,usr/bin,var} "$root/lib/systemd"
ln -s ../run "$root/var/run"
cp "$(command -v busybox)" "$root/bin/busybox"
ln -s busybox "$root/bin/sh"
cp "$init" "$root/init"
chmod +x "$root/init"
for module in "${modules[@]}"; do
    find "$out/kernel" -name "$module.ko" -exec cp {} "$root/modules/" \;
    echo "$module" >>"$root/modules/order"
done
: >"$root/usr/share/misc/usb.ids" # usbip list wants the file, not what is in it
add_libraries() {
    ldd "$1" 2>/dev/null | grep -o '/[^ )]*' | while read -r library; do
        mkdir -p "$root$(dirname "$library")"
        cp -Ln "$library" "$root$library"
    done
}
for program in "$(command -v udevadm)" /usr/sbin/usbip "${programs[@]}"; do
    [ -e "$program" ] || { say "$program is missing"; exit 1; }
    cp -L "$program" "$root/usr/bin/"
    add_libraries "$program"
done
ln -s ../../usr/bin/udevadm "$root/lib/systemd/systemd-udevd" # one binary, two names
(cd "$root" && find . | cpio -o -H newc --quiet) >"$out/initrd.cpio"
say "guest ready: $(du -h "$out/initrd.cpio" | cut -f1) initramfs"
