# one_game.py - a game from the simulated squares to the PGN file, both programs as processes
# SPDX-License-Identifier: Apache-2.0
"""Usage: one_game.py TOUCHMOVE_SIM TOUCHMOVE GAMES.pgn"""

import os
import re
import subprocess
import sys
import tempfile

import bench

SIMULATOR, DAEMON, PGN = sys.argv[1:4]
LIMIT_S = 240


def one_game():
    want = bench.games_of(bench.read_text(PGN))[0]
    with tempfile.TemporaryDirectory(prefix="touchmove-") as folder:
        game = os.path.join(folder, "game.pgn")
        with open(game, "w", encoding="utf-8") as file:
            file.write(want)
        simulator = bench.Simulator(SIMULATOR, game, "--seed", "7")
        daemon = bench.Daemon(DAEMON, simulator.uri, folder, "--time-control", "5400+30")
        try:
            bench.wait_for("the game's end", lambda: daemon.running() and bench.result(
                bench.recorded(folder)) != "*", LIMIT_S)
            bench.compare_games(want, bench.recorded(folder))

            # The lines on the terminal tell the same moves.
            printed = [match[1] for line in daemon.lines
                       if (match := re.match(r"\s*\d+\.+ (\S+)", line))]
            if printed != bench.movetext(want):
                raise bench.Failure(f"the terminal shows {printed}")
            for process in (daemon, simulator):
                status = process.stop()
                if status != 0:
                    raise bench.Failure(f"{process.name} ends with {status} after Ctrl-C: "
                                        f"{process.lines[-3:]}")
            journal = bench.Journal(folder)
            records = sum(journal.check_complete(session) for session in journal.sessions())
            print(f"{len(printed)} half-moves, {records} records")

            # The journal alone gives the same record.
            replayed = subprocess.run(
                [DAEMON, "journal", "--pgn", os.path.join(folder, "journal.db")],
                capture_output=True, text=True, check=True).stdout
            if replayed.strip() != bench.recorded(folder).strip():
                raise bench.Failure("the journal, replayed, gives another PGN than the file")
        finally:
            daemon.kill()
            simulator.kill()


bench.main(one_game)
