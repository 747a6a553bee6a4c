// model.js - the boards as the daemon told them; no DOM
// SPDX-License-Identifier: Apache-2.0
import { words } from "./words.js";

/** One board. `told_at`: when its clock was told, in milliseconds of the given clock. */
function merge(game, message, now) {
    const next = message.type === "state" ? { moves: [], reports: [], told_at: now } : { ...game };
    for (const [key, value] of Object.entries(message)) {
        if (key === "type") continue;
        if (key === "moves") {
            const kept = message.type === "state" ? [] : next.moves.slice(0, value.from);
            next.moves = kept.concat(value.list);
        } else next[key] = value;
    }
    if (message.clock) next.told_at = now;
    else if (game?.clock && message.link && message.type !== "state") {
        // Whatever runs, stands or runs on from here: a board that is lost keeps its last times.
        next.clock = { ...game.clock };
        for (const side of ["white", "black"]) {
            next.clock[`${side}_ms`] = clock_left(game, side, now);
        }
        next.told_at = now;
    }
    return next;
}

export class Model {
    constructor() {
        this.games = new Map(); // by serial number of the board, in the order of arrival
    }

    /** Takes a "state" or "change" message; returns the board, or null if it cannot be used. */
    take(message, now) {
        if (typeof message.board !== "string") return null;
        const known = this.games.get(message.board);
        if (message.type !== "state" && (message.type !== "change" || !known)) return null;
        this.games.set(message.board, merge(known, message, now));
        return message.board;
    }

    clear() {
        this.games.clear();
    }
}

/** Milliseconds that a side's clock shows at `now`; null without a clock. */
export function clock_left(game, side, now) {
    const told = game.clock?.[`${side}_ms`];
    if (told === null || told === undefined) return null;
    const runs = game.clock.running === side && game.link?.state === "connected";
    return Math.max(0, told - (runs ? now - game.told_at : 0));
}

/** "1:02:03", "4:05"; under ten seconds with tenths, "9.9". */
export function clock_text(ms) {
    if (ms === null) return "";
    if (ms < 10000) return (Math.floor(ms / 100) / 10).toFixed(1);
    const seconds = Math.floor(ms / 1000);
    const two = (n) => String(n).padStart(2, "0");
    const hours = Math.floor(seconds / 3600);
    const minutes = Math.floor(seconds / 60) % 60;
    if (hours > 0) return `${hours}:${two(minutes)}:${two(seconds % 60)}`;
    return `${minutes}:${two(seconds % 60)}`;
}

/** Time since the game began: "1:02:03". */
export function elapsed_text(ms) {
    const seconds = Math.floor(ms / 1000);
    const two = (n) => String(n).padStart(2, "0");
    return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** Time spent on a move, short: "0.4s", "12s", "3m05". */
export function spent_text(ms) {
    if (ms === null || ms === undefined) return "";
    if (ms < 9950) return `${(ms / 1000).toFixed(1)}s`;
    const seconds = Math.round(ms / 1000);
    if (seconds < 60) return `${seconds}s`;
    const two = String(seconds % 60).padStart(2, "0");
    if (seconds < 3600) return `${Math.floor(seconds / 60)}m${two}`;
    const minutes = Math.floor(seconds / 60);
    return `${Math.floor(minutes / 60)}h${String(minutes % 60).padStart(2, "0")}`;
}

/** "40/5400+30:1800+30" (the PGN tag) as "90 min for 40 moves, then 30 min, 30 s a move". */
export function time_control_text(tag) {
    const periods = (tag || "").split(":").map((period) =>
        /^(?:(\d+)\/)?(\d+)(?:([+d])(\d+))?$/.exec(period));
    if (periods.some((period) => !period)) return "";
    const time = (seconds) => (seconds % 60 === 0 ? words.minutes(seconds / 60)
                                                 : words.seconds(seconds));
    const bases = periods.map(([, moves, base]) => (moves
        ? words.for_moves(time(Number(base)), Number(moves)) : time(Number(base))));
    const [, , , sign, extra] = periods[0];
    const rest = extra ? (sign === "d" ? words.delay(words.seconds(extra))
                                      : ` + ${words.seconds(extra)}`) : "";
    return bases.join(words.then) + rest;
}

/** Rows of the score sheet: { number, white: ply or null, black: ply or null }. */
export function score_rows(game) {
    const [, side, , , , number] = (game.start || "").split(" ");
    const first = side === "b" ? 1 : 0; // half-moves of the first row that are not ours
    const start = Number(number) || 1;
    const rows = [];
    game.moves.forEach((_, ply) => {
        const half = ply + first;
        const row = Math.floor(half / 2);
        if (!rows[row]) rows[row] = { number: start + row, white: null, black: null };
        rows[row][half % 2 === 0 ? "white" : "black"] = ply;
    });
    return rows;
}

/** Who made the move at `ply`. */
export function side_of(game, ply) {
    const black_began = (game.start || "").split(" ")[1] === "b";
    return (ply % 2 === 1) !== black_began ? "black" : "white";
}

const man_names = {
    K: words.king, Q: words.queen, R: words.rook, B: words.bishop, N: words.knight,
};

/** A move in words, for a screen reader: "Nbxd7+" is "knight b takes d 7, check". */
export function spoken_move(san) {
    if (san.startsWith("O-O-O")) return words.queen_side + spoken_tail(san);
    if (san.startsWith("O-O")) return words.king_side + spoken_tail(san);
    const spoken = [];
    for (const sign of san) {
        if (man_names[sign]) spoken.push(man_names[sign]);
        else if (sign === "x") spoken.push(words.takes);
        else if (sign === "=") spoken.push(words.becomes);
        else if (sign === "?") spoken.push(words.unnamed);
        else if (!"+#".includes(sign)) spoken.push(sign);
    }
    return spoken.join(" ") + spoken_tail(san);
}

function spoken_tail(san) {
    if (san.endsWith("#")) return `, ${words.checkmate}`;
    return san.endsWith("+") ? `, ${words.check}` : "";
}
