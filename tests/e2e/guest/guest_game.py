# guest_game.py - a whole game through a real Linux kernel's USB stack and the real libusb
# SPDX-License-Identifier: Apache-2.0
"""Usage: guest_game.py TOUCHMOVE_SIM TOUCHMOVE GAMES.pgn GUEST_DIR

The simulator listens on this machine; in a QEMU guest `usbip attach` makes its board a USB device of
Debian's kernel, and the daemon follows the game through libusb. Exit status 77: skipped."""

import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import bench  # noqa: E402

SIMULATOR, DAEMON, PGN, GUEST = sys.argv[1:5]
HERE = os.path.dirname(os.path.abspath(__file__))
GAME_LIMIT_S = 140   # from attaching to the game's end, inside the guest
GUEST_LIMIT_S = 175  # of the whole guest, its boot included


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def between(text, begin, end):
    match = re.search(rf"{begin}\n(.*?){end}", text, flags=re.S)
    return match[1] if match else ""


def check_descriptors(lsusb):
    for line in (r"bcdUSB +2\.10", r"idVendor +0x1209", r"idProduct +0x0001",
                 r"bInterfaceClass +255", r"bEndpointAddress +0x81", r"bEndpointAddress +0x01",
                 r"wMaxPacketSize +0x0040"):
        if not re.search(line, lsusb):
            raise bench.Failure(f"lsusb in the guest shows no line {line!r}")


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

    # One that ends by mate, so that the record's end needs nobody to say it.
    want = next(game for game in bench.games_of(bench.read_text(PGN))
                if bench.movetext(game)[-1].endswith("#"))
    with tempfile.TemporaryDirectory(prefix="touchmove-") as folder:
        game = os.path.join(folder, "game.pgn")
        with open(game, "w", encoding="utf-8") as file:
            file.write(want)
        simulator = bench.Simulator(SIMULATOR, game, "--seed", "7")
        try:
            guest = subprocess.run(
                [os.path.join(HERE, "boot.sh"), GUEST, str(GUEST_LIMIT_S),
                 f"USBIP_PORT={simulator.port}", f"GAME_LIMIT_S={GAME_LIMIT_S}"],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        finally:
            simulator.kill()
    console = guest.stdout.decode(errors="replace").replace("\r", "")
    try:
        bench.compare_games(want, between(console, "GUEST: PGN BEGIN", "GUEST: PGN END"))
        check_descriptors(console)
    except bench.Failure:
        print(console)
        raise
    print(f"{len(bench.movetext(want))} half-moves through the guest's kernel")


bench.main(guest_game)
