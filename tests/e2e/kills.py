# kills.py - kill -9 of the daemon and pulled cables at random instants lose and double nothing
# SPDX-License-Identifier: Apache-2.0
"""Usage: kills.py TOUCHMOVE_SIM TOUCHMOVE GAMES.pgn INSTANTS [SEED]

Half of the instants kill the daemon, half pull the cable of a board with its own supply. Games are
played until all instants are used up; each must be recorded as it was played."""

import os
import random
import sys
import tempfile

import bench

SIMULATOR, DAEMON, PGN, INSTANTS = sys.argv[1:5]
SEED = int(sys.argv[5]) if len(sys.argv) > 5 else random.SystemRandom().randrange(1 << 32)
LIMIT_S = 420


class Run:
    def __init__(self, folder, pgn):
        self.random = random.Random(SEED)
        self.folder = folder
        self.simulator = bench.Simulator(SIMULATOR, pgn, "--loop", "--seed", str(SEED % 1000))
        self.daemon = None
        self.kills = 0
        self.pulls = 0
        self.start()

    def start(self):
        self.daemon = bench.Daemon(DAEMON, self.simulator.uri, self.folder)

    def pause(self, longest_s):
        bench.time.sleep(self.random.uniform(0, longest_s))

    def kill(self):
        self.daemon.kill()
        self.kills += 1
        if self.random.random() < 0.5:
            self.pause(1.0)
        self.start()
        # Sometimes the next instant may come before the daemon has reached the board.
        if self.random.random() < 0.7:
            self.daemon.wait_attached()

    def pull(self):
        self.simulator.tell("pull 1-1")
        self.pulls += 1
        self.pause(0.5)
        self.simulator.tell("plug 1-1")


def kills():
    print(f"seed {SEED}")
    games = bench.games_of(bench.read_text(PGN))
    with tempfile.TemporaryDirectory(prefix="touchmove-") as folder:
        run = Run(folder, PGN)
        try:
            run.daemon.wait_attached()
            for _ in range(int(INSTANTS)):
                run.pause(0.8)
                if run.random.random() < 0.5:
                    run.kill()
                else:
                    run.pull()
            if not run.daemon.running():
                raise bench.Failure(f"the daemon ended: {run.daemon.lines[-3:]}")
            # The game in hand is played to its end undisturbed, then all of them are compared.
            game = run.simulator.status()[0]
            bench.wait_for(f"the end of game {game}", lambda: run.daemon.running() and
                           bench.result(bench.recorded(folder, game)) != "*", LIMIT_S)
            for number in range(1, game + 1):
                bench.compare_games(games[(number - 1) % len(games)],
                                    bench.recorded(folder, number))
            status = run.daemon.stop()
            if status != 0:
                raise bench.Failure(f"the daemon ends with {status}: {run.daemon.lines[-3:]}")
            journal = bench.Journal(folder)
            sessions = journal.sessions()
            if len(sessions) != 1:
                raise bench.Failure(f"a powered board shows the sessions {sessions}")
            records = journal.check_complete(sessions[0])
            print(f"{run.kills} kills, {run.pulls} pulled cables, {game} games, {records} records")
        except bench.Failure as failure:
            raise bench.Failure(f"{failure} (seed {SEED}; last lines: {run.daemon.lines[-6:]})")
        finally:
            run.daemon.kill()
            run.simulator.kill()


bench.main(kills)
