#!/usr/bin/env python3
# report.py - tables of cells, memory and speed from nextpnr's logs
# SPDX-License-Identifier: Apache-2.0
"""usage: report.py TABLE LOG...

TABLE  boards  BOARD/seed-N.log: a line a board, the slowest of its seeds
       usb     usb-SEED.pnr.log: the USB device alone, a line a seed
       parts   PART-WHAT.pnr.log: frontend and core alone, a line each
Exit status 1 where boards or usb miss a clock, or a log has no result.
"""
import pathlib
import re
import sys

# A flip-flop for each port bit (rtl/harness): rtl/frontend/harness.sv, rtl/cpu/harness.sv,
# rtl/usb/harness.sv
HARNESS_CELLS = {"matrix": 57 + 107, "chain": 57 + 107, "cpu": 34 + 54, "control": 35 + 50,
                 "usb": 90 + 15}
MHZ = {"48 MHz": 48, "24 MHz": 24}
# What 48 MHz must have to spare, since the crystal, the supply and the chip vary
SPARE = {"48 MHz": 1.05, "24 MHz": 1.0}
CROSSING_NS = 1000 / 48    # one clock of 48 MHz (rtl/usb/tm_usb_cross.sv)
CELLS_WANTED = 1800        # a board on UP5K


class NoResult(Exception):
    pass


def read(name):
    text = pathlib.Path(name).read_text()
    if "Max frequency" not in text:
        raise NoResult(f"{name} has no result")
    return text


def used(log, what):
    """Cells of a kind: used, there are."""
    found = re.search(rf"{what}:\s+(\d+)/\s*(\d+)", log)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def last(pattern, log):
    found = re.findall(pattern, log)
    if not found:
        raise NoResult(f"no {pattern} in the log")
    return float(found[-1])


def clock(name, log):
    """MHz after routing; the first report, before it, is an estimate."""
    return last(rf"Max frequency for clock\s+'{name}\S*': ([\d.]+) MHz", log)


def crossing(log):
    """The longest path from one clock to the other, ns."""
    found = re.findall(r"Max delay posedge (\S+)\s+-> posedge (\S+)\s*: ([\d.]+) ns", log)
    # The last report stands; one way there may be nothing
    slowest = {(a, b): float(ns) for a, b, ns in found}
    if not slowest:
        raise NoResult("no crossing in the log")
    return max(slowest.values())


def boards(names):
    print("| board | LC | RAM4K | SPRAM | seeds | 48 MHz, slowest | 24 MHz, slowest | crossing, ns "
          "| limits |")
    print("|---|---|---|---|---|---|---|---|---|")
    by_board = {}
    for name in names:
        by_board.setdefault(pathlib.Path(name).parent.name, []).append(read(name))
    missed = False
    for board, logs in by_board.items():
        speeds = {"48 MHz": [clock("u_board.clk48", log) for log in logs],
                  "24 MHz": [clock("u_board.clk24", log) for log in logs]}
        slowest = max(crossing(log) for log in logs)
        faults = []
        for what, got in speeds.items():
            good = sum(mhz >= MHZ[what] * SPARE[what] for mhz in got)
            if good < len(got):
                faults.append(f"{what} with {SPARE[what]:.0%} on {good} of {len(got)} seeds")
        if slowest > CROSSING_NS:
            faults.append("crossing")
        missed |= bool(faults)
        cells, cells_of = used(logs[0], "ICESTORM_LC")
        spram, spram_of = used(logs[0], "ICESTORM_SPRAM")
        if spram_of and cells >= CELLS_WANTED:
            faults.append(f"(LC above {CELLS_WANTED})")   # a wish, no failure
        ram, ram_of = used(logs[0], "ICESTORM_RAM")
        print(f"| {board} | {cells} of {cells_of} | {ram} of {ram_of} | {spram} of {spram_of} "
              f"| {len(logs)} | {min(speeds['48 MHz'])} | {min(speeds['24 MHz'])} | {slowest} "
              f"| {'; '.join(faults) or 'met'} |")
    return not missed


def usb(names):
    print("| USB alone, seed | LC | less harness | RAM4K | 48 MHz | 24 MHz | worst crossing, ns |")
    print("|---|---|---|---|---|---|---|")
    missed = False
    for name in names:
        log = read(name)
        cells, ram = used(log, "ICESTORM_LC")[0], used(log, "ICESTORM_RAM")[0]
        fast, slow, between = clock("clk48_i", log), clock("clk_i", log), crossing(log)
        missed |= fast < MHZ["48 MHz"] or slow < MHZ["24 MHz"] or between > CROSSING_NS
        seed = pathlib.Path(name).name.split(".")[0].split("-")[-1]
        print(f"| {seed} | {cells} | {cells - HARNESS_CELLS['usb']} | {ram} | {fast} | {slow} "
              f"| {between} |")
    return not missed


def parts(names):
    print("| part, what | LC | less harness | RAM4K | SPRAM | MHz | asked |")
    print("|---|---|---|---|---|---|---|")
    for name in names:
        log = read(name)
        cells, cells_of = used(log, "ICESTORM_LC")
        ram, ram_of = used(log, "ICESTORM_RAM")
        spram, spram_of = used(log, "ICESTORM_SPRAM")
        mhz, verdict, asked = re.findall(
            r"Max frequency for clock.*?: ([\d.]+) MHz \((PASS|FAIL) at ([\d.]+) MHz", log)[-1]
        part, what = pathlib.Path(name).name.replace(".pnr.log", "").split("-")
        print(f"| {part}, {what} | {cells} of {cells_of} | {cells - HARNESS_CELLS[what]} "
              f"| {ram} of {ram_of} | {spram} of {spram_of} | {mhz} | {asked} {verdict} |")
    return True


def main():
    tables = {"boards": boards, "usb": usb, "parts": parts}
    if len(sys.argv) < 3 or sys.argv[1] not in tables:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        return 0 if tables[sys.argv[1]](sys.argv[2:]) else 1
    except NoResult as why:
        print(f"report.py: {why}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
