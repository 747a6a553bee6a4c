#!/usr/bin/env python3
# report.py - a table of cells, memory and speed from nextpnr's logs
# SPDX-License-Identifier: Apache-2.0
"""usage: report.py LOG... ; each LOG is named PART-STYLE.pnr.log"""
import pathlib
import re
import sys

HARNESS_CELLS = 57 + 107   # a flip-flop for each port bit of the frontend (rtl/frontend/harness.sv)


def used(log, what):
    found = re.search(rf"{what}:\s+(\d+)/\s*(\d+)", log)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def main():
    print("| part, sensors | LC | less harness | RAM4K | SPRAM | MHz | asked |")
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
        print(f"| {title} | {cells} of {of} | {cells - HARNESS_CELLS} | {ram} of {ram_of} "
              f"| {spram} of {spram_of} | {mhz} | {asked} {verdict} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
