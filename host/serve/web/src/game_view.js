// game_view.js - one game in full: board, players, clocks, score sheet, the arbiter's desk
// SPDX-License-Identifier: Apache-2.0
import { BoardView } from "./board_view.js";
import { DeskView } from "./desk_view.js";
import { element, set_text } from "./dom.js";
import { clock_left, clock_text, time_control_text } from "./model.js";
import { MovesView } from "./moves_view.js";
import { words } from "./words.js";

const low_ms = 30000;

class PlayerView {
    constructor(side) {
        this.side = side;
        this.name = element("span", { class: "name" });
        this.note = element("span", { class: "note" });
        this.clock = element("span", { class: "clock", role: "timer",
                                       "aria-label": words.clock_of(side) });
        this.root = element("div", { class: `player ${side}` },
                            element("span", { class: "man", "aria-hidden": "true" }),
                            this.name, this.note, this.clock);
    }

    show(game) {
        set_text(this.name, game[this.side] || words.side(this.side));
        const on_move = !game.result && game.turn === this.side;
        this.root.classList.toggle("on-move", on_move);
        set_text(this.note, game.offer === this.side ? words.offers_draw
                            : game.adjusting?.includes(this.side) ? words.adjusting
                            : on_move ? words.to_move : "");
    }

    tick(game, now) {
        const left = clock_left(game, this.side, now);
        set_text(this.clock, clock_text(left));
        this.clock.hidden = left === null;
        this.clock.classList.toggle("running", game.clock?.running === this.side);
        this.clock.classList.toggle("low", left !== null && left < low_ms);
        this.clock.classList.toggle("stale", game.link?.state !== "connected");
    }
}

export class GameView {
    /** `command(verb, members)` for the arbiter's console, else null. */
    constructor(command) {
        this.players = { white: new PlayerView("white"), black: new PlayerView("black") };
        this.board_holder = element("div", { class: "board" });
        this.hand = element("p", { class: "hand" });
        this.turn_button = element("button", { type: "button", class: "plain turn",
                                               "aria-pressed": "false",
                                               onclick: () => this.turn() }, words.turn_board);
        this.title = element("h1");
        this.facts = element("p", { class: "facts" });
        this.result = element("div", { class: "result", hidden: true });
        this.chosen = null;
        this.moves = new MovesView((ply) => {
            this.chosen = ply;
            this.show(this.game);
        });
        this.desk = command ? new DeskView(command) : null;
        this.table = element("div", { class: "table" }, this.players.black.root, this.board_holder,
                             this.players.white.root,
                             element("div", { class: "under" }, this.hand, this.turn_button));
        this.root = element("section", { class: command ? "game with-desk" : "game" }, this.table,
                            element("div", { class: "record" }, this.title, this.facts, this.result,
                                    this.moves.root),
                            this.desk ? this.desk.root : null);
        this.black_below = false;
        this.root.addEventListener("keydown", (event) => this.key(event));
    }

    /** To be called once the view is part of the page. */
    attached() {
        this.board = new BoardView(this.board_holder);
    }

    key(event) {
        if (event.target.closest("input, select, textarea, dialog")) return;
        const by = { ArrowLeft: -1, ArrowRight: 1, Home: "first" }[event.key];
        if (event.key === "End") this.moves.on_choose(null);
        else if (by !== undefined) this.moves.step(by);
        else return;
        event.preventDefault();
    }

    turn() {
        this.black_below = !this.black_below;
        this.turn_button.setAttribute("aria-pressed", String(this.black_below));
        this.table.classList.toggle("turned", this.black_below);
        this.board.turn(this.black_below);
    }

    show(game) {
        if (this.game && this.game.game !== game.game) this.chosen = null;
        this.game = game;
        if (this.chosen !== null && this.chosen >= game.moves.length) this.chosen = null;
        const titles = [game.event, game.round && words.round(game.round)].filter(Boolean);
        set_text(this.title, titles.join(", ") || words.Board(game.board));
        const facts = [game.date, time_control_text(game.time_control),
                       titles.length > 0 && words.board(game.board)].filter(Boolean);
        this.facts.replaceChildren(...facts.flatMap((fact, i) => [
            i > 0 ? " \u00b7 " : "", element("span", {}, fact)]));
        for (const player of Object.values(this.players)) player.show(game);
        this.show_result(game);
        this.moves.show(game, this.chosen);
        this.show_board(game);
        if (this.desk) this.desk.show(game);
        this.tick(performance.now());
    }

    show_board(game) {
        if (this.chosen !== null) {
            const move = game.moves[this.chosen];
            const fen = move ? move.fen : game.start.split(" ")[0];
            this.board.show({ fen, last: move || null });
            this.table.classList.add("past");
            set_text(this.hand, move ? words.earlier_position : words.start_position);
            return;
        }
        this.table.classList.remove("past");
        const asked = (game.reports || []).filter((report) => report.open)
            .flatMap((report) => report.squares);
        // After the end the men are set up anew, which is nobody's concern.
        const [off, extra] = game.result ? [[], []] : [game.off, game.extra];
        const last = game.moves[game.moves.length - 1] || null;
        this.board.show({ fen: game.fen, last, off, extra, asked });
        const seen = [];
        if (off.length > 0) seen.push(words.off_board(off.join(", ")));
        if (extra.length > 0) seen.push(words.put_down(extra.join(", ")));
        set_text(this.hand, seen.join(" \u00b7 "));
    }

    show_result(game) {
        this.result.hidden = !game.result;
        if (!game.result) return;
        const score = game.result.score.replaceAll("1/2", "\u00bd").replace("-", "\u2013");
        this.result.replaceChildren(
            element("strong", {}, score), element("span", {}, game.result.text),
            game.result.provisional ? element("em", {}, words.provisional) : "");
    }

    tick(now) {
        for (const player of Object.values(this.players)) player.tick(this.game, now);
    }

    destroy() {
        this.board?.destroy();
        this.root.remove();
    }
}
