# power_cuts.py - a board that lives on the cable's power is unplugged in the midst of a game
# SPDX-License-Identifier: Apache-2.0
"""Usage: power_cuts.py TOUCHMOVE_SIM TOUCHMOVE GAMES.pgn INSTANTS [SEED]

Each instant is tried on a game of its own beginning: the record must be right up to the cut, the
journal must show a new session there, and after it the game either goes on as it was played or the
daemon asks; it never publishes a move that was not played."""

import os
import random
import subprocess
import sys
import tempfile

import bench

SIMULATOR, DAEMON, PGN, INSTANTS = sys.argv[1:5]
SEED = int(sys.argv[5]) if len(sys.argv) > 5 else random.SystemRandom().randrange(1 << 32)


def agree(want, got):
    """How many half-moves from the start are the same."""
    same = 0
    for a, b in zip(want, got):
        if a != b:
            break
        same += 1
    return same


def cut_once(instant, want, folder, rng):
    """Returns (recovered, asked) of one cut."""
    game = os.path.join(folder, "game.pgn")
    with open(game, "w", encoding="utf-8") as file:
        file.write(want)
    moves = bench.movetext(want)
    ply = rng.randrange(1, min(24, len(moves) - 6))
    simulator = bench.Simulator(SIMULATOR, game, "--supply", "bus", "--seed", str(instant),
                                "--speed", "2")
    daemon = bench.Daemon(DAEMON, simulator.uri, folder)
    try:
        bench.wait_for(f"half-move {ply}", lambda: simulator.status()[1] >= ply, 120)
        bench.time.sleep(rng.uniform(0, 0.6))
        simulator.tell("pull 1-1")
        bench.time.sleep(rng.uniform(0.02, 0.4))
        simulator.tell("plug 1-1")
        # Some more moves, then the daemon is asked what it made of it all.
        bench.wait_for("moves after the break", lambda: simulator.status()[1] >= ply + 5 or
                       simulator.status()[2], 120)
        bench.time.sleep(0.5)
        if not daemon.running():
            raise bench.Failure(f"the daemon ended: {daemon.lines[-3:]}")
        if daemon.stop() != 0:
            raise bench.Failure(f"the daemon ends badly: {daemon.lines[-3:]}")
        journal = bench.Journal(folder)
        sessions = journal.sessions()
        if len(sessions) != 2:
            raise bench.Failure(f"sessions {sessions} where one power cut was made")
        for session in sessions:
            kinds = journal.kinds(session)
            if kinds[0] != "session" or "snapshot" not in kinds[:3]:
                raise bench.Failure(f"session {session} begins with {kinds[:3]}")
        told = subprocess.run(
            [DAEMON, "journal", os.path.join(folder, "journal.db")],
            capture_output=True, text=True, check=True).stdout
        got = bench.movetext(bench.recorded(folder))
        same = agree(moves, got)
        if same < len(got):
            raise bench.Failure(f"half-move {same + 1} is published as {got[same]}, "
                                f"{moves[same]} was played")
        asked = " ! " in told
        recovered = len(got) >= ply + 3
        if not recovered and not asked:
            raise bench.Failure(f"after {len(got)} half-moves nothing more is recorded, and "
                                f"nobody was asked (the cut came at half-move {ply})")
        return recovered, asked
    finally:
        daemon.kill()
        simulator.kill()


def power_cuts():
    print(f"seed {SEED}")
    rng = random.Random(SEED)
    games = bench.games_of(bench.read_text(PGN))
    recovered = asked = 0
    for instant in range(int(INSTANTS)):
        with tempfile.TemporaryDirectory(prefix="touchmove-") as folder:
            try:
                went_on, was_asked = cut_once(instant, rng.choice(games), folder, rng)
            except bench.Failure as failure:
                raise bench.Failure(f"cut {instant + 1}: {failure} (seed {SEED})")
            recovered += went_on
            asked += was_asked
    print(f"{INSTANTS} power cuts: after {recovered} the game went on, in {asked} somebody was "
          "asked")


bench.main(power_cuts)
