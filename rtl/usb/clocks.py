# clocks.py - what place and route must reach in each of the USB device's two clocks
# SPDX-License-Identifier: Apache-2.0
# Read by nextpnr (--pre-pack), which knows `ctx`.
ctx.addClock("clk_i", 24)      # noqa: F821
ctx.addClock("clk48_i", 48)    # noqa: F821
