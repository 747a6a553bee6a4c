// moves_view.js - the score sheet, and looking back in it
// SPDX-License-Identifier: Apache-2.0
import { element } from "./dom.js";
import { clock_text, score_rows, spent_text } from "./model.js";
import { words } from "./words.js";

const state_words = {
    shown: words.provisional,
    made: words.made,
};

export class MovesView {
    /** `on_choose(ply)`: look at the position after it; null: back to the present. */
    constructor(on_choose) {
        this.on_choose = on_choose;
        this.body = element("tbody");
        this.scroller = element("div", { class: "moves", tabindex: "0", role: "region",
                                         "aria-label": words.moves },
                                element("table", {},
                                        element("colgroup", {}, element("col", { class: "number" }),
                                                element("col"), element("col")),
                                        element("thead", { class: "unseen" },
                                                element("tr", {}, element("th", {}, words.move),
                                                        element("th", {}, words.side("white")),
                                                        element("th", {}, words.side("black")))),
                                        this.body));
        const step = (label, sign, by) => element("button", {
            type: "button", "aria-label": label, title: label, onclick: () => this.step(by),
        }, sign);
        this.present = element("button", { type: "button", class: "present",
                                           onclick: () => this.on_choose(null) }, words.present);
        this.bar = element("div", { class: "steps" },
                           step(words.first, "\u00ab", "first"), step(words.back, "\u2039", -1),
                           step(words.forward, "\u203a", 1), this.present);
        this.root = element("div", { class: "sheet" }, this.scroller, this.bar);
        this.moves = null;
        this.count = 0;
        this.chosen = null;
    }

    step(by) {
        const at = this.chosen === null ? this.count - 1 : this.chosen;
        const next = by === "first" ? -1 : at + by;
        this.on_choose(next >= this.count - 1 ? null : Math.max(-1, next));
    }

    show(game, chosen) {
        const moves_differ = this.moves !== game.moves;
        const stories_differ = this.stories !== game.stories;
        this.stories = game.stories;
        if (!moves_differ && !stories_differ && this.chosen === chosen) return;
        const grew = game.moves.length > this.count;
        this.moves = game.moves;
        this.count = game.moves.length;
        this.chosen = chosen;
        this.present.classList.toggle("on", chosen === null);
        if (moves_differ || stories_differ) {
            this.body.replaceChildren(...score_rows(game).map((row) => element("tr", {},
                element("th", { scope: "row" }, `${row.number}.`),
                this.cell(game, row.white), this.cell(game, row.black))));
        }
        const at = chosen === null ? this.count - 1 : chosen;
        for (const button of this.body.querySelectorAll("button")) {
            const current = Number(button.dataset.ply) === at;
            button.classList.toggle("current", current);
            if (current) button.setAttribute("aria-current", "true");
            else button.removeAttribute("aria-current");
        }
        if (chosen === null && (grew || moves_differ)) {
            this.scroller.scrollTop = this.scroller.scrollHeight;
        }
    }

    cell(game, ply) {
        if (ply === null) return element("td");
        const choose = () => this.on_choose(ply === this.count - 1 ? null : ply);
        const move = game.moves[ply];
        const word = move.legal === false ? words.illegal : state_words[move.state];
        const facts = [word || words.published];
        if (move.clk_ms !== null) facts.push(words.clock_shows(clock_text(move.clk_ms)));
        // For the arbiter alone, who is told how the referee knows it, and what is still open.
        if (move.why) facts.push(move.why);
        if (move.state === "shown" && game.stories > 1) facts.push(words.stories(game.stories));
        const doubted = move.why && !/^(seen|told)(\+piece_named)?$/.test(move.evidence);
        return element("td", {},
            element("button", { type: "button", class: `move ${move.state}`, "data-ply": ply,
                                title: facts.join(", "), onclick: choose },
                    move.san, doubted ? element("sup", { class: "doubt" }, "*",
                                                element("span", { class: "unseen" },
                                                        ` (${move.why})`)) : null, word ? element("span", { class: "unseen" }, ` (${word})`) : null),
            element("span", { class: "spent" }, spent_text(move.emt_ms)));
    }
}
