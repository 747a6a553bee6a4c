#!/bin/sh
# unwinnable.sh - one line out for each line in, in order, bad ones told
# SPDX-License-Identifier: Apache-2.0
# Usage: unwinnable.sh TOUCHMOVE
set -u
touchmove=$1
failed=0

expect() { # options, input, output, status
    got=$(printf '%b' "$2" | "$touchmove" unwinnable $1)
    status=$?
    if [ "$got" != "$(printf '%b' "$3")" ] || [ "$status" != "$4" ]; then
        printf 'unwinnable %s\n%s\nstatus %s, not\n%s\nstatus %s\n' "$1" "$got" "$status" "$3" "$4"
        failed=1
    fi
}

wall='4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - -'
pawn='6k1/6P1/6K1/8/8/8/8/8 w - - 0 60'
expect '' "$wall\n$pawn\n" "-- $wall\nW- $pawn" 0
expect '' "$wall\r\n" "-- $wall" 0
expect '' "\\0357\\0273\\0277$wall\\n" "-- $wall" 0 # a byte-order mark
expect '--fast' "$wall\n$pawn\n" "-- $wall\n?- $pawn" 0
expect '--budget 2' "$pawn\n" "?- $pawn" 0
expect '--fast --proof' "$wall\n" "-- $wall | W: never: blockade | B: never: blockade" 0
home='only on a1 b1 c1'
case $(printf '%b' "$wall\n" | "$touchmove" unwinnable --proof) in
"-- $wall | W: never: blockade, Ke1 $home"*"| B: never: blockade, Ke1 $home"*) ;;
*) echo "no invariant of the wall"; failed=1 ;;
esac
expect '' "rubbish\n$wall" \
    "!! rubbish: FEN has 1 field; it must have 4 or 6\n-- $wall" 1
expect '' '' '' 0
exit $failed
