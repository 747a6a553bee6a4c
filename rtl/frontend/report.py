#!/usr/bin/env python3
# report.py - a table of cells, memory and speed from nextpnr's logs
# SPDX-License-Identifier: Apache-2.0
"""usage: report.py LOG... ; each LOG is named PART-STYLE.pnr.log"""
import pathlib
import re
import sys

# A flip-flop for each port bit (rtl/harness): rtl/frontend/harness.sv, rtl/cpu/harness.sv
HARNESS_CELLS = {"matrix": 57 + 107, "chain": 57 + 107, "cpu": 34 + 54, "control": 35 + 50}


def used(log, what):
    found = re.search(rf"{what}:\s+(\d+)/\s*(\d+)", log)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def main():
    print("| part, what | LC | less harness | RAM4K | SPRAM | MHz | asked |")
    print("|---|---|---|---|---|---|---|")
    for name in sys.argv[1:]:
        log = pathlib.Path(name).read_text()
        cells, of = used(log, "ICESTORM_LC")
        ram, ram_of = used(log, "ICESTORM_RAM")
        spram, spram_of = used(log, "ICESTORM_SPRAM")
        speed = re.findall(r"Max frequency for clock.*?: ([\d.]+) MHz \((PASS|FAIL) at ([\d.]+) MHz", log)
        if not speed or not cells:
            print(f"report.py: {name} has no result", file=sys.stderr)
            return 1
        mhz, verdict, asked = speed[-1]
        title = pathlib.Path(name).name.replace(".pnr.log", "").replace("-", ", ")
        own = cells - HARNESS_CELLS[title.split(", ")[-1]]
        print(f"| {title} | {cells} of {of} | {own} | {ram} of {ram_of} "
              f"| {spram} of {spram_of} | {mhz} | {asked} {verdict} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
