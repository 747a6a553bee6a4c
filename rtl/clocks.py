# clocks.py - what place and route must reach in each clock, MHz
# SPDX-License-Identifier: Apache-2.0
# Read by nextpnr (--pre-pack), which knows `ctx`. Nets of a board, and of the USB device alone.
for net, mhz in {
    "u_board.clk24": 24, "u_board.clk48": 48,
    "clk_i": 24, "clk48_i": 48,
}.items():
    if net in [name for name, _ in ctx.nets]:  # noqa: F821
        ctx.addClock(net, mhz)  # noqa: F821
