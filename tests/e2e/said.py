# said.py - what the players say reaches the record: names, a resignation, an agreed draw
# SPDX-License-Identifier: Apache-2.0
"""Usage: said.py TOUCHMOVE_SIM TOUCHMOVE"""

import os
import re
import socket
import sys
import tempfile

import bench

SIMULATOR, DAEMON = sys.argv[1:3]
LIMIT_S = 120
GAMES = """[Event "One"]
[White "Anna"]
[Black "Ben"]
[Result "0-1"]

1. e4 e5 2. Nf3 Nc6 0-1

[Event "Two"]
[White "Cleo"]
[Black "Dan"]
[Result "1/2-1/2"]

1. d4 d5 2. c4 dxc4 3. e3 1/2-1/2
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def tags(game):
    return dict(re.findall(r'^\[(\w+) "([^"]*)"\]$', game, re.M))


def written(folder):
    return bench.games_of(bench.read_text(os.path.join(folder, "pgn", "games.pgn")))


def said():
    with tempfile.TemporaryDirectory(prefix="touchmove-") as folder:
        pgn = os.path.join(folder, "games.pgn")
        with open(pgn, "w", encoding="utf-8") as file:
            file.write(GAMES)
        port = free_port()
        simulator = bench.Simulator(SIMULATOR, pgn, "--console", str(port), "--hands", "careful")
        daemon = bench.Daemon(DAEMON, simulator.uri, folder, port=port)
        try:
            bench.wait_for("the end of both games", lambda: daemon.running() and sum(
                bench.result(game) != "*" for game in written(folder)) == 2, LIMIT_S)
            for want, game in zip(bench.games_of(GAMES), written(folder), strict=True):
                bench.compare_games(want, game)
                for tag in ("White", "Black", "Result"):
                    if tags(game).get(tag) != tags(want)[tag]:
                        raise bench.Failure(f"{tag} is {tags(game).get(tag)}, not "
                                            f"{tags(want)[tag]}")
            # Men put back after the end oblige nobody.
            reports = [line for line in daemon.lines if re.search(r"\b(4\.3|7\.[45])", line)]
            if reports:
                raise bench.Failure(f"the daemon reports {reports}")
            for process in (daemon, simulator):
                if process.stop() != 0:
                    raise bench.Failure(f"{process.name} ends badly: {process.lines[-3:]}")
        finally:
            daemon.kill()
            simulator.kill()


bench.main(said)
