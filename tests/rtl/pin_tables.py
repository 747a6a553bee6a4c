#!/usr/bin/env python3
# pin_tables.py - the pin tables of docs/integration.md say what the .pcf files say
# SPDX-License-Identifier: Apache-2.0
"""usage: pin_tables.py PROJECT ; a line a difference, exit status 1 if there is any"""
import pathlib
import re
import sys


def constraints(text):
    """Signal: its pins, in the order of the indices."""
    found = {}
    for line in text.splitlines():
        match = re.match(r"set_io (\w+)(?:\[(\d+)\])?\s+(\S+)$", line)
        if match:
            found.setdefault(match[1], {})[int(match[2] or 0)] = match[3]
    return {signal: [pins[i] for i in sorted(pins)] for signal, pins in found.items()}


def table(text):
    found = {}
    for signal, last, pins in re.findall(r"^\| (\w+)(?:\[0\.\.(\d+)\])? \| ([^|]+) \|", text,
                                         re.MULTILINE):
        if signal == "signal":
            continue
        found[signal] = pins.split()
        if len(found[signal]) != int(last or 0) + 1:
            print(f"{signal}: {len(found[signal])} pins for {int(last or 0) + 1}")
    return found


def main():
    project = pathlib.Path(sys.argv[1])
    page = (project / "docs/integration.md").read_text()
    differences = 0
    boards = sorted((project / "rtl/board").glob("*/*.pcf"))
    for file in boards:
        section = re.search(rf"^### {file.stem}: .*?(?=^##)", page, re.MULTILINE | re.DOTALL)
        wired = constraints(file.read_text())
        told = table(section[0]) if section else {}
        for signal in sorted(wired.keys() | told.keys()):
            if wired.get(signal) != told.get(signal):
                print(f"{file.stem}: {signal}: {wired.get(signal)} in the .pcf, "
                      f"{told.get(signal)} on the page")
                differences += 1
    print(f"{len(boards)} boards, {differences} differences")
    return 0 if boards and differences == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
