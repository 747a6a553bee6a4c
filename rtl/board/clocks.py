# clocks.py - what place and route must reach in a board's two clocks, MHz
# SPDX-License-Identifier: Apache-2.0
# Read by nextpnr (--pre-pack), which knows `ctx`.
ctx.addClock("clk24", 24)  # noqa: F821
ctx.addClock("clk48", 48)  # noqa: F821
