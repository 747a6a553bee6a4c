#!/usr/bin/env python3
# report.py - the USB device alone: cells, memory and the speed of both clocks over several seeds
# SPDX-License-Identifier: Apache-2.0
"""usage: report.py LOG... ; a log of nextpnr a seed. Exit status 1 where a clock or a crossing is missed."""
import pathlib
import re
import sys

HARNESS_CELLS = 90 + 14    # a flip-flop for each port bit (harness.sv)
CROSSING_NS = 1000 / 48    # one clock of 48 MHz (tm_usb_cross.sv)
CLOCKS = {"clk48_i": 48, "clk_i": 24}


def used(log, what):
    found = re.search(rf"{what}:\s+(\d+)/\s*(\d+)", log)
    return int(found[1]) if found else 0


def last(pattern, log):
    found = re.findall(pattern, log)
    return float(found[-1]) if found else 0.0


def main():
    print("| USB alone, seed | LC | less harness | RAM4K | 48 MHz | 24 MHz | worst crossing, ns |")
    print("|---|---|---|---|---|---|---|")
    missed = False
    for name in sys.argv[1:]:
        log = pathlib.Path(name).read_text()
        cells, ram = used(log, "ICESTORM_LC"), used(log, "ICESTORM_RAM")
        speed = {clock: last(rf"Max frequency for clock\s+'{clock}\S*': ([\d.]+) MHz", log)
                 for clock in CLOCKS}
        crossing = max(last(rf"Max delay posedge {a}\S* +-> posedge {b}\S*\s*: ([\d.]+) ns", log)
                       for a, b in (("clk48_i", "clk_i"), ("clk_i", "clk48_i")))
        if not cells or not crossing or not all(speed.values()):
            print(f"report.py: {name} has no result", file=sys.stderr)
            return 1
        missed |= crossing > CROSSING_NS or any(speed[c] < CLOCKS[c] for c in CLOCKS)
        seed = pathlib.Path(name).name.split(".")[0].split("-")[-1]
        print(f"| {seed} | {cells} | {cells - HARNESS_CELLS} | {ram} | {speed['clk48_i']} "
              f"| {speed['clk_i']} | {crossing} |")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
