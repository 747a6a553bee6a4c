#!/usr/bin/env python3
# selfplay.py - makes selfplay.pgn: Stockfish against itself, at strengths that let games be decided
# SPDX-License-Identifier: Apache-2.0
"""Usage: selfplay.py > selfplay.pgn

Deterministic for one version of Stockfish (Debian 12 has 15.1): it searches a number of nodes, not
a time, and the clock times come from a seeded generator. Stockfish is also the judge of what is
legal, so the games do not depend on the move generator that they are used to test.
"""
import os
import random
import subprocess
import sys
import textwrap

SEED = 20261130
DATE = "2026.11.30"

# UCI moves. Some lead to castling on both sides, to captures in passing or to early promotions.
OPENINGS = {
    "Ruy Lopez": "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1",
    "Italian Game": "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6",
    "Scotch Game": "e2e4 e7e5 g1f3 b8c6 d2d4 e5d4 f3d4",
    "King's Gambit": "e2e4 e7e5 f2f4 e5f4 g1f3 g7g5",
    "Petrov's Defence": "e2e4 e7e5 g1f3 g8f6 f3e5 d7d6 e5f3 f6e4",
    "Sicilian, Najdorf": "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6",
    "Sicilian, Dragon": "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 g7g6 c1e3 f8g7 f2f3 e8g8 "
                        "d1d2 b8c6 e1c1",
    "French, Advance": "e2e4 e7e6 d2d4 d7d5 e4e5 f7f5 e5f6",
    "Caro-Kann": "e2e4 c7c6 d2d4 d7d5 b1c3 d5e4 c3e4 c8f5",
    "Alekhine's Defence": "e2e4 g8f6 e4e5 f6d5 d2d4 d7d6 c2c4 d5b6",
    "Pirc Defence": "e2e4 d7d6 d2d4 g8f6 b1c3 g7g6 f2f4",
    "Queen's Gambit Declined": "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7",
    "Slav Defence": "d2d4 d7d5 c2c4 c7c6 g1f3 g8f6 b1c3 d5c4",
    "Albin Countergambit": "d2d4 d7d5 c2c4 e7e5 d4e5 d5d4 e2e3 f8b4 c1d2 d4e3 d2b4 e3f2 e1e2 f2g1n",
    "Nimzo-Indian": "d2d4 g8f6 c2c4 e7e6 b1c3 f8b4 e2e3 e8g8",
    "King's Indian": "d2d4 g8f6 c2c4 g7g6 b1c3 f8g7 e2e4 d7d6 g1f3 e8g8 f1e2 e7e5",
    "Grunfeld Defence": "d2d4 g8f6 c2c4 g7g6 b1c3 d7d5 c4d5 f6d5 e2e4 d5c3 b2c3",
    "Benko Gambit": "d2d4 g8f6 c2c4 c7c5 d4d5 b7b5 c4b5 a7a6",
    "Dutch Defence": "d2d4 f7f5 g2g3 g8f6 f1g2 e7e6 g1f3 f8e7 e1g1 e8g8",
    "London System": "d2d4 d7d5 g1f3 g8f6 c1f4 c7c5 e2e3",
    "English Opening": "c2c4 e7e5 b1c3 g8f6 g1f3 b8c6 g2g3",
    "Reti Opening": "g1f3 d7d5 c2c4 d5d4 g2g3 c7c5",
    "Bird's Opening": "f2f4 d7d5 g1f3 g7g6 e2e3 f8g7",
    "Polish Opening": "b2b4 e7e5 c1b2 f8b4 b2e5 g8f6",
}

# Nodes of White and of Black, from a thousand up, for Stockfish looks at its limit only about so
# often. Equal sides of some strength draw, unequal ones mate.
STRENGTHS = [(1000, 1000), (20000, 20000), (20000, 1000), (8000, 8000), (1000, 20000),
             (40000, 40000)]

# Seconds at the start and for each move.
TIME_CONTROLS = [(180, 2), (300, 3), (600, 5), (900, 10)]

LONGEST = 260  # plies; a game that is not over by then is left out


class Stockfish:
    """The engine, over pipes."""

    def __init__(self):
        debian = "/usr/games/stockfish"
        program = debian if os.access(debian, os.X_OK) else "stockfish"
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, bufsize=1)
        self.name = self.process.stdout.readline().split(" by ")[0].strip()
        self.send("setoption name Hash value 16")

    def send(self, line):
        self.process.stdin.write(line + "\n")

    def lines_until(self, start):
        while True:
            line = self.process.stdout.readline().rstrip("\n")
            yield line
            if line.startswith(start):
                return

    def new_game(self):
        self.send("ucinewgame")
        self.send("isready")
        list(self.lines_until("readyok"))

    def best_move(self, moves, nodes):
        self.send("position startpos moves " + " ".join(moves))
        self.send(f"go nodes {nodes}")
        return list(self.lines_until("bestmove"))[-1].split()[1]

    def look(self, moves):
        """FEN, legal moves, whether the side to move is in check."""
        self.send("position startpos moves " + " ".join(moves))
        self.send("d")
        shown = list(self.lines_until("Checkers:"))
        fen = next(line for line in shown if line.startswith("Fen: "))[5:]
        check = shown[-1] != "Checkers: " and shown[-1].removeprefix("Checkers:").strip() != ""
        self.send("go perft 1")
        counted = list(self.lines_until("Nodes searched"))
        legal = [line.split(":")[0] for line in counted if ": " in line and line[0] in "abcdefgh"]
        return fen, legal, check


def men_of(fen):
    """Square name -> letter."""
    men = {}
    for rank, row in zip("87654321", fen.split()[0].split("/")):
        file = 0
        for c in row:
            if c.isdigit():
                file += int(c)
            else:
                men["abcdefgh"[file] + rank] = c
                file += 1
    return men


def san(fen, legal, move, check, mate):
    """The move in algebraic notation; check and mate are those of the position after it."""
    men = men_of(fen)
    start, end, promoted = move[:2], move[2:4], move[4:]
    kind = men[start].upper()
    if kind == "K" and start[0] == "e" and end[0] in "gc":
        text = "O-O" if end[0] == "g" else "O-O-O"
    elif kind == "P":
        text = end if start[0] == end[0] else f"{start[0]}x{end}"
        if promoted:
            text += "=" + promoted.upper()
    else:
        rivals = [m[:2] for m in legal
                  if m[2:4] == end and m[:2] != start and men[m[:2]].upper() == kind]
        hint = ""
        if rivals:
            if all(r[0] != start[0] for r in rivals):
                hint = start[0]
            elif all(r[1] != start[1] for r in rivals):
                hint = start[1]
            else:
                hint = start
        text = kind + hint + ("x" if end in men else "") + end
    return text + ("#" if mate else "+" if check else "")


def dead(fen):
    """Bare kings, with one minor piece at most."""
    rest = sorted(c for c in fen.split()[0].upper() if c.isalpha() and c != "K")
    return rest in ([], ["B"], ["N"])


def clock_text(seconds):
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def think(rng, left, ply):
    """Seconds for a move: quick in the opening, at times a long thought, never the whole clock."""
    mean = 1.5 if ply < 10 else left / 40
    return min(int(rng.expovariate(1 / mean)), left * 2 // 3)


def play(engine, rng, opening, strengths, time_control):
    """Moves as text with clocks, result, how it ended; nothing if the game is too long."""
    engine.new_game()
    book = OPENINGS[opening].split()
    moves, text = [], []
    clocks = [time_control[0], time_control[0]]
    seen = {}
    fen, legal, _ = engine.look(moves)
    while True:
        ply = len(moves)
        if ply >= LONGEST:
            return None
        move = book[ply] if ply < len(book) else engine.best_move(moves, strengths[ply % 2])
        assert move in legal, (opening, move)
        moves.append(move)
        after, replies, check = engine.look(moves)
        spent = think(rng, clocks[ply % 2], ply)
        clocks[ply % 2] += time_control[1] - spent
        if ply % 2 == 0:
            text.append(f"{ply // 2 + 1}.")
        text.append(san(fen, legal, move, check, check and not replies))
        text.append("{[%clk " + clock_text(clocks[ply % 2]) + "]}")
        text.append("{[%emt " + clock_text(spent) + "]}")

        fen, legal = after, replies
        key = " ".join(fen.split()[:4])
        seen[key] = seen.get(key, 0) + 1
        if not legal:
            result = ("1-0" if ply % 2 == 0 else "0-1") if check else "1/2-1/2"
            return text, result, "checkmate" if check else "stalemate"
        if seen[key] == 3:
            return text, "1/2-1/2", "threefold repetition"
        if int(fen.split()[4]) >= 100:
            return text, "1/2-1/2", "fifty moves"
        if dead(fen):
            return text, "1/2-1/2", "dead position"


def words(text):
    """For textwrap: the blank within a command must not be broken."""
    return " ".join(text).replace("[%clk ", "[%clk\0").replace("[%emt ", "[%emt\0")


def main():
    engine = Stockfish()
    rng = random.Random(SEED)
    round_number = 0
    for index, opening in enumerate(OPENINGS):
        strengths = STRENGTHS[index % len(STRENGTHS)]
        time_control = TIME_CONTROLS[rng.randrange(len(TIME_CONTROLS))]
        played = play(engine, rng, opening, strengths, time_control)
        if played is None:
            print(f"{opening}: left out, too long", file=sys.stderr)
            continue
        text, result, ending = played
        round_number += 1
        print(f"{round_number} {opening}: {result}, {ending}, {text.count('O-O')} castlings",
              file=sys.stderr)
        tags = [("Event", "Touchmove self-play"), ("Site", "?"), ("Date", DATE),
                ("Round", str(round_number)), ("White", f"{engine.name} ({strengths[0]} nodes)"),
                ("Black", f"{engine.name} ({strengths[1]} nodes)"), ("Result", result),
                ("Opening", opening), ("TimeControl", f"{time_control[0]}+{time_control[1]}"),
                ("Termination", ending)]
        for name, value in tags:
            print(f'[{name} "{value}"]')
        print()
        body = textwrap.wrap(words(text + [result]), 80, break_on_hyphens=False,
                             break_long_words=False)
        print("\n".join(body).replace("\0", " "))
        print()
    engine.send("quit")


if __name__ == "__main__":
    main()
