#!/bin/sh
# usb_sigrok.sh - sigrok's decoders read what the USB device and the host said on D+ and D-
# SPDX-License-Identifier: Apache-2.0
# usage: usb_sigrok.sh TRACE WORK, TRACE one of usb_trace, soc_trace; exit status 77 without sigrok-cli
set -eu
trace=$1
work=$2

command -v sigrok-cli >/dev/null || { echo "sigrok-cli is not installed: nothing was decoded"; exit 77; }
mkdir -p "$work"
decode() {  # decode FILE ANNOTATIONS
    sigrok-cli -i "$1" -I vcd -A "$2" \
        -P usb_signalling:dp=usb_dp:dm=usb_dm:signalling=full-speed,usb_packet:signalling=full-speed
}
errors=usb_packet=crc5-err:crc16-err:packet-invalid:sync-err

"$trace" "$work/usb.vcd" > "$work/said.txt"
decode "$work/usb.vcd" "$errors" > "$work/errors.txt"
[ ! -s "$work/errors.txt" ] || { echo "errors on the wires:"; head "$work/errors.txt"; exit 1; }

# The gate is none if it cannot close.
"$trace" "$work/spoilt.vcd" spoilt > /dev/null
decode "$work/spoilt.vcd" "$errors" | grep -q CRC16 ||
    { echo "sigrok did not notice a wrong CRC16"; exit 1; }

# Every data packet of a transfer in order, data stages joined, against what host and device meant.
decode "$work/usb.vcd" usb_packet > "$work/packets.txt"
python3 - "$work/packets.txt" "$work/said.txt" <<'PYTHON'
import re
import sys

# "usb_packet-1: IN ADDR 9 EP 1", "...: DATA1 [ 12 01 ]", "...: ACK"
lines = [line.split(": ", 1)[-1].strip() for line in open(sys.argv[1])]
heard, token, data = [], None, None
stage = None                      # data of the control transfer in hand
for line in lines:
    found = re.match(r"(SETUP|IN|OUT) ADDR (\d+) EP (\d+)$", line)
    if found:
        token, data = (found[1], int(found[3])), None
    elif line.startswith("DATA"):
        data = re.findall(r"\b[0-9A-F]{2}\b", re.sub(r"^DATA[01]", "", line))
    elif line == "ACK" and token and data is not None:
        kind, endpoint = token
        if endpoint == 1:
            heard.append(("bulk" if kind == "IN" else "out", data))
        elif kind == "SETUP":
            stage, to_host = [], int(data[0], 16) & 0x80
        elif kind == "IN" and to_host:
            stage += data
        else:                     # the status stage
            heard.append(("control", stage))
        token = None
said = [(line.split()[0], line.split()[1:]) for line in open(sys.argv[2])]
if not said or heard != said:
    print(f"sigrok heard {len(heard)} transfers, {len(said)} were meant")
    for one, other in zip(heard, said):
        if one != other:
            print("heard", one, "meant", other)
            break
    sys.exit(1)
print(f"{len(heard)} transfers decoded by sigrok as they were meant")
PYTHON
