# clocks.py - what place and route must reach in a board's two clocks, MHz
# SPDX-License-Identifier: Apache-2.0
# Read by nextpnr (--pre-pack), which knows `ctx`.
ctx.addClock("u_board.clk24", 24)  # noqa: F821
ctx.addClock("u_board.clk48", 48)  # noqa: F821
