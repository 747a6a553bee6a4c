# guest_game.py - a whole game through a real Linux kernel's USB stack and the real libusb
# SPDX-License-Identifier: Apache-2.0
"""Usage: guest_game.py SIMULATOR DAEMON GAMES.pgn NUMBER GUEST_DIR FIDELITY GAME_LIMIT_S

NUMBER counts the games that end by mate, so that the record's end needs nobody to say it. GAME_LIMIT_S
counts from attaching to the game's end, inside the guest. The simulator listens on this machine; in a
QEMU guest `usbip attach` makes its board a USB device of Debian's kernel, and the daemon follows the
game through libusb. Exit status 77: skipped."""

import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import bench  # noqa: E402

SIMULATOR, DAEMON, PGN, NUMBER, GUEST, FIDELITY, LIMIT_S = sys.argv[1:8]
GAME_LIMIT_S = int(LIMIT_S)
HERE = os.path.dirname(os.path.abspath(__file__))
GUEST_LIMIT_S = GAME_LIMIT_S + 35  # of the whole guest, its boot included


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def between(text, begin, end):
    match = re.search(rf"{begin}\n(.*?){end}", text, flags=re.S)
    return match[1] if match else ""


# What lsusb must say, in this order (fw/tm_descriptors.c, the BOS's capability in full)
DESCRIPTORS = """
    bLength 18, bDescriptorType 1, bcdUSB 2.10, bDeviceClass 255, bDeviceSubClass 0,
    bDeviceProtocol 0, bMaxPacketSize0 64, idVendor 0x1209, idProduct 0x0001, bcdDevice 1.00,
    iManufacturer 1, iProduct 2, iSerial 3, bNumConfigurations 1,
    bLength 9, bDescriptorType 2, wTotalLength 0x0020, bNumInterfaces 1, bConfigurationValue 1,
    iConfiguration 0, bmAttributes 0xc0, MaxPower 100mA,
    bLength 9, bDescriptorType 4, bInterfaceNumber 0, bAlternateSetting 0, bNumEndpoints 2,
    bInterfaceClass 255, bInterfaceSubClass 0, bInterfaceProtocol 0, iInterface 2,
    bLength 7, bDescriptorType 5, bEndpointAddress 0x81, bmAttributes 2, wMaxPacketSize 0x0040,
    bInterval 0,
    bLength 7, bDescriptorType 5, bEndpointAddress 0x01, bmAttributes 2, wMaxPacketSize 0x0040,
    bInterval 0,
    bLength 5, bDescriptorType 15, wTotalLength 0x0021, bNumDeviceCaps 1,
    bLength 28, bDescriptorType 16, bDevCapabilityType 5, bReserved 0,
    PlatformCapabilityUUID {d8dd60df-4589-4cc7-9cd2-659d9e648a9f},
    CapabilityData[0] 0x00, CapabilityData[1] 0x00, CapabilityData[2] 0x03, CapabilityData[3] 0x06,
    CapabilityData[4] 0xa2, CapabilityData[5] 0x00, CapabilityData[6] 0x20, CapabilityData[7] 0x00
"""


def check_descriptors(lsusb):
    found = re.findall(r"^ +([A-Za-z][\w\[\]]*) +(\S+)", lsusb, flags=re.M)
    at = 0
    for field in DESCRIPTORS.replace("\n", " ").split(","):
        name, value = field.split()
        while at < len(found) and found[at][0] != name:
            at += 1
        if at == len(found) or found[at][1] != value:
            raise bench.Failure(f"lsusb in the guest: {name} is "
                                f"{found[at][1] if at < len(found) else 'not there'}, not {value}")
        at += 1
    for text in (r"iManufacturer +1 Touchmove", r"iSerial +3 TM-SIM-1", r"Device Status: +0x0001"):
        if not re.search(text, lsusb):
            raise bench.Failure(f"lsusb in the guest shows no line {text!r}")


def guest_game():
    for program in ("qemu-system-x86_64", "usbip", "lsusb", "udevadm", "busybox", "cpio"):
        if not shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin"):
            skip(f"{program} is not installed")
    made = subprocess.run([os.path.join(HERE, "make_guest.sh"), GUEST, os.path.join(HERE, "init"),
                           DAEMON, shutil.which("lsusb")])
    if made.returncode == 77:
        skip("no kernel package is to be had here")
    if made.returncode != 0:
        raise bench.Failure("the guest could not be made")

    mates = [game for game in bench.games_of(bench.read_text(PGN))
             if bench.movetext(game)[-1].endswith("#")]
    want = mates[int(NUMBER) - 1]
    with tempfile.TemporaryDirectory(prefix="touchmove-") as folder:
        game = os.path.join(folder, "game.pgn")
        with open(game, "w", encoding="utf-8") as file:
            file.write(want)
        simulator = bench.Simulator(SIMULATOR, game, "--seed", "7", "--fidelity", FIDELITY)
        try:
            guest = subprocess.run(
                [os.path.join(HERE, "boot.sh"), GUEST, str(GUEST_LIMIT_S),
                 f"USBIP_PORT={simulator.port}", f"GAME_LIMIT_S={GAME_LIMIT_S}"],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if not simulator.running():
                raise bench.Failure("the simulator ended before the game")
        finally:
            simulator.kill()
    console = guest.stdout.decode(errors="replace").replace("\r", "")
    try:
        bench.compare_games(want, between(console, "GUEST: PGN BEGIN", "GUEST: PGN END"))
        check_descriptors(between(console, "GUEST: LSUSB BEGIN", "GUEST: LSUSB END"))
    except bench.Failure:
        print(console)
        raise
    print(f"{len(bench.movetext(want))} half-moves through the guest's kernel")


bench.main(guest_game)
