# sensors.py - the doctor watches a board's raw inputs, and Ctrl-C ends the watch with a verdict
# SPDX-License-Identifier: Apache-2.0
"""Usage: sensors.py TOUCHMOVE_SIM TOUCHMOVE GAMES.pgn"""

import sys

import bench

SIMULATOR, DAEMON, PGN = sys.argv[1:4]
LIMIT_S = 60


def sensors():
    simulator = bench.Simulator(SIMULATOR, PGN, "--seed", "1")
    doctor = bench.Process("touchmove doctor", [
        DAEMON, "doctor", "--device", simulator.uri, "--sensors", "600"])
    try:
        bench.wait_for("the watch to begin", lambda: doctor.find("^Watching"), LIMIT_S)
        bench.wait_for("a move on the board", lambda: simulator.status()[1] > 0, LIMIT_S)
        status = doctor.stop()
    finally:
        doctor.kill()
        simulator.kill()
    verdicts = doctor.lines[doctor.lines.index(next(
        line for line in doctor.lines if line.startswith("+ opened and closed"))):]
    ranks = [line for line in verdicts if line[1:2].isdigit()]
    if len(ranks) != 8:
        raise bench.Failure(f"the verdict has {len(ranks)} ranks: {doctor.lines}")
    # The men that stand there all the while look like stuck contacts.
    if status != 1 or "X" not in ranks[0]:
        raise bench.Failure(f"exit status {status}, rank 8: {ranks[0]}")


bench.main(sensors)
