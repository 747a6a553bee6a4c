// overview.js - all boards at a glance
// SPDX-License-Identifier: Apache-2.0
import { BoardView } from "./board_view.js";
import { element, set_text } from "./dom.js";
import { clock_left, clock_text } from "./model.js";
import { words } from "./words.js";

class Tile {
    constructor(serial) {
        this.holder = element("div", { class: "board" });
        const line = (side) => {
            const name = element("span", { class: "name" });
            const clock = element("span", { class: "clock" });
            return { name, clock, root: element("div", { class: `line ${side}` }, name, clock) };
        };
        this.lines = { black: line("black"), white: line("white") };
        this.last = element("span", { class: "last" });
        this.root = element("a", { class: "tile", href: `#board=${encodeURIComponent(serial)}` },
                            this.lines.black.root, this.holder, this.lines.white.root, this.last);
    }

    show(game) {
        this.game = game;
        if (!this.board) this.board = new BoardView(this.holder, true);
        const last = game.moves[game.moves.length - 1] || null;
        const [off, extra] = game.result ? [[], []] : [game.off, game.extra];
        this.board.show({ fen: game.fen, last, off, extra });
        for (const side of ["white", "black"]) {
            set_text(this.lines[side].name, game[side] || words.side(side));
            this.lines[side].root.classList.toggle("on-move", !game.result && game.turn === side);
        }
        const open = (game.reports || []).some((report) => report.open);
        this.root.classList.toggle("asks", open);
        this.root.classList.toggle("lost", game.link.state !== "connected");
        set_text(this.last, game.result ? game.result.score : last ? last.san : "");
    }

    tick(now) {
        for (const side of ["white", "black"]) {
            set_text(this.lines[side].clock, clock_text(clock_left(this.game, side, now)));
        }
    }
}

export class Overview {
    constructor() {
        this.tiles = new Map();
        this.root = element("section", { class: "overview", "aria-label": words.all_boards });
    }

    show(games) {
        for (const [serial, tile] of this.tiles) {
            if (games.has(serial)) continue;
            tile.board?.destroy();
            tile.root.remove();
            this.tiles.delete(serial);
        }
        for (const [serial, game] of games) {
            if (!this.tiles.has(serial)) {
                const tile = new Tile(serial);
                this.tiles.set(serial, tile);
                this.root.append(tile.root);
            }
            this.tiles.get(serial).show(game);
        }
        this.tick(performance.now());
    }

    tick(now) {
        for (const tile of this.tiles.values()) tile.tick(now);
    }

    destroy() {
        for (const tile of this.tiles.values()) tile.board?.destroy();
        this.root.remove();
    }
}
