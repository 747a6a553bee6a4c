#!/bin/bash
# verify_file.sh - runs `touchmove-sim verify` on a file that may be absent
# SPDX-License-Identifier: Apache-2.0
# Usage: verify_file.sh PROGRAM FILE.pgn ARGUMENTS...   Exit 77: skipped.
if [ ! -r "$2" ]; then
    echo "skipped: $2 is not there (TOUCHMOVE_DATA)"
    exit 77
fi
exec "$1" verify "${@:2}"
