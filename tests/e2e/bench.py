# bench.py - simulator and daemon as processes, and what they must leave behind
# SPDX-License-Identifier: Apache-2.0
"""Used by the end-to-end tests. Every wait has a limit and ends with what was waited for."""

import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time


class Failure(Exception):
    """What differs, in one sentence."""


def wait_for(what, condition, limit_s):
    """Polls until `condition` gives something true, and returns that."""
    end = time.monotonic() + limit_s
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > end:
            raise Failure(f"waited {limit_s} s in vain for {what}")
        time.sleep(0.02)


class Process:
    """A program whose output is kept line by line."""

    def __init__(self, name, arguments):
        self.name = name
        self.lines = []
        self._process = subprocess.Popen(
            arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            stdin=subprocess.DEVNULL)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self._process.stdout:
            self.lines.append(line.rstrip("\n"))

    def find(self, pattern):
        for line in self.lines:
            match = re.search(pattern, line)
            if match:
                return match
        if self._process.poll() is not None:
            raise Failure(f"{self.name} ended with {self._process.returncode}: "
                          + " / ".join(self.lines[-5:]))
        return None

    def running(self):
        return self._process.poll() is None

    def kill(self):
        self._process.kill()
        self._process.wait()
        self._reader.join()

    def stop(self, limit_s=20):
        """Ctrl-C; the exit status."""
        if self.running():
            self._process.send_signal(signal.SIGINT)
        try:
            status = self._process.wait(limit_s)
        except subprocess.TimeoutExpired:
            self.kill()
            raise Failure(f"{self.name} did not end within {limit_s} s of Ctrl-C") from None
        self._reader.join()
        return status


class Simulator(Process):
    """`touchmove-sim serve` with one board."""

    def __init__(self, program, pgn, *options):
        super().__init__("touchmove-sim", [
            program, "serve", "--port", "0", "--control", "0", "--play", pgn, *options])
        self.port = int(wait_for("the USB/IP port", lambda: self.find(
            r"USB/IP on 127\.0\.0\.1:(\d+)"), 30)[1])
        control = int(wait_for("the control port", lambda: self.find(
            r"control on 127\.0\.0\.1:(\d+)"), 30)[1])
        self._control = socket.create_connection(("127.0.0.1", control), 10)
        self._answers = self._control.makefile("r")
        self.uri = f"usbip://127.0.0.1:{self.port}/1-1"

    def tell(self, line):
        self._control.sendall((line + "\n").encode())
        answer = []
        for text in self._answers:
            answer.append(text.rstrip("\n"))
            if answer[-1] == "ok":
                return answer[:-1]
            if answer[-1].startswith("error"):
                break
        raise Failure(f"the simulator answers {answer} to {line}")

    def status(self):
        """(game, plies, over, powered, plugged)"""
        line = self.tell("status")[0]
        match = re.search(r"game (\d+) plies (\d+)( over)?", line)
        return (int(match[1]), int(match[2]), bool(match[3]), " powered" in line,
                " plugged" in line)


class Daemon(Process):
    """`touchmove run` on a folder of its own."""

    def __init__(self, program, uri, folder, *options, port=0):
        self.folder = folder
        super().__init__("touchmove", [
            program, "run", "--device", uri, "--journal", os.path.join(folder, "journal.db"),
            "--pgn-dir", os.path.join(folder, "pgn"), "--port", str(port), *options])

    def wait_attached(self, limit_s=30):
        wait_for("the board to be connected", lambda: self.find(r"^board \S+ is connected"),
                 limit_s)


def movetext(pgn):
    """The moves of one game's text, without numbers, comments and result."""
    body = re.sub(r"^\[.*\]\s*$", "", pgn, flags=re.M)
    body = re.sub(r"\{[^}]*\}", " ", body)
    body = re.sub(r"\d+\.+", " ", body)
    return [word for word in body.split() if word not in ("1-0", "0-1", "1/2-1/2", "*")]


def result(pgn):
    match = re.search(r'^\[Result "(.*)"\]', pgn, flags=re.M)
    return match[1] if match else "*"


def games_of(text):
    return [game for game in re.split(r"(?m)^(?=\[Event )", text) if game.strip()]


def read_text(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def recorded(folder, number=1):
    return read_text(os.path.join(folder, "pgn", f"game-{number}.pgn"))


def compare_games(want, got):
    """Raises at the first difference."""
    want_moves, got_moves = movetext(want), movetext(got)
    for ply, (a, b) in enumerate(zip(want_moves, got_moves)):
        if a != b:
            raise Failure(f"half-move {ply + 1} is {b} in the record, {a} was played")
    if len(want_moves) != len(got_moves):
        raise Failure(f"{len(got_moves)} half-moves are recorded, {len(want_moves)} were played")
    if result(want) != result(got):
        raise Failure(f"the recorded result is {result(got)}, not {result(want)}")


class Journal:
    """What is in the journal file, read with plain SQL."""

    def __init__(self, folder):
        path = os.path.join(folder, "journal.db")
        self._db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)

    def sessions(self):
        return [row[0] for row in self._db.execute(
            "SELECT DISTINCT session FROM entries WHERE session IS NOT NULL")]

    def kinds(self, session):
        return [row[0] for row in self._db.execute(
            "SELECT kind FROM entries WHERE session = ? ORDER BY row", (session,))]

    def check_complete(self, session):
        """Every record from the session's first to its last is there, none twice."""
        rows = self._db.execute(
            "SELECT seq, records, kind FROM entries WHERE session = ? ORDER BY row",
            (session,)).fetchall()
        lost = [row for row in rows if row[2] == "gap"]
        if lost:
            raise Failure(f"session {session} has a gap: {lost}")
        last = [row[0] for row in rows]
        if len(set(last)) != len(last):
            doubled = sorted({seq for seq in last if last.count(seq) > 1})
            raise Failure(f"session {session}: records {doubled} are stored twice")
        covered = {seq - n for seq, records, _ in rows for n in range(records)}
        missing = sorted(set(range(max(last) + 1)) - covered)
        if missing:
            raise Failure(f"session {session}: records {missing[:10]} are missing")
        return len(covered)


def main(test):
    """Runs a test function and ends as ctest wants it."""
    try:
        test()
    except Failure as failure:
        print(f"FAIL: {failure}", file=sys.stderr)
        sys.exit(1)
    print("ok")
