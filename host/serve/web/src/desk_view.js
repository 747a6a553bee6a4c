// desk_view.js - the arbiter's desk: what is open, and what players and arbiter can say
// SPDX-License-Identifier: Apache-2.0
import { drawing, element, set_text } from "./dom.js";

const names = { white: "White", black: "Black" };
const other = { white: "black", black: "white" };
const promotions = [["q", "Queen"], ["r", "Rook"], ["b", "Bishop"], ["n", "Knight"]];

/** Asks before what cannot be taken back. */
function sure(question, yes) {
    return new Promise((resolve) => {
        const dialog = element("dialog", { class: "sure" }, element("p", {}, question),
            element("form", { method: "dialog" },
                    element("button", { value: "no" }, "Cancel"),
                    element("button", { value: "yes", class: "strong" }, yes)));
        dialog.addEventListener("close", () => {
            resolve(dialog.returnValue === "yes");
            dialog.remove();
        });
        document.body.append(dialog);
        dialog.showModal();
    });
}

/** "1:30:00", "5:00" or "90" (seconds) as milliseconds; null if it is none of them. */
export function clock_ms(text) {
    if (!/^\d{1,3}(:[0-5]?\d){0,2}$/.test(text.trim())) return null;
    return text.trim().split(":").reduce((sum, part) => 60 * sum + Number(part), 0) * 1000;
}

export class DeskView {
    /** `command(verb, members)` sends it for the board in view. */
    constructor(command) {
        this.command = command;
        this.open = element("div", { class: "open", "aria-live": "polite" });
        this.pause = this.button("Pause clocks", () => this.pause_or_resume());
        this.log = element("ol", { class: "log" });
        this.log_title = element("summary", {});
        this.root = element("aside", { class: "desk", "aria-label": "Arbiter's desk" },
            element("h2", {}, "Open questions"), this.open,
            element("h2", {}, "At the board"),
            element("div", { class: "buttons" }, this.pause,
                    this.button("Position restored", () => this.command("restored"))),
            element("div", { class: "sides" }, this.side("white"), this.side("black")),
            this.new_game(),
            element("details", {}, this.log_title, this.log));
        this.reports = null;
        this.offer = undefined;
    }

    button(text, action, kind = "") {
        return element("button", { type: "button", class: kind, onclick: action }, text);
    }

    async ask_first(question, yes, verb, members) {
        if (await sure(question, yes)) this.command(verb, members);
    }

    pause_or_resume() {
        this.command(this.game.paused ? "resume" : "pause", { by: "arbiter" });
    }

    side(side) {
        const name = names[side];
        const adjust = this.button("Adjusting", () => {
            const now = this.game.adjusting.includes(side);
            this.command(now ? "adjust_end" : "adjust", { side });
        });
        const move = element("input", { class: "short", placeholder: "move", size: "5",
                                        "aria-label": `${name}'s intended move, such as g1f3`,
                                        title: "The intended move, not played yet: g1f3",
                                        pattern: "[a-h][1-8][a-h][1-8][qrbn]?" });
        const claim = (what) => {
            const intended = move.value.trim();
            this.command("claim", { side, what, ...(intended ? { move: intended } : {}) });
            move.value = "";
        };
        const time = element("input", { class: "short", placeholder: "h:mm:ss", size: "7",
                                        "aria-label": `New time for ${name}` });
        const set_time = (event) => {
            event.preventDefault();
            const left_ms = clock_ms(time.value);
            time.setCustomValidity(left_ms === null ? "Write a time as 1:30:00 or 5:00." : "");
            if (!time.reportValidity()) return;
            this.command("correct_clock", { side, left_ms });
            time.value = "";
        };
        time.addEventListener("input", () => time.setCustomValidity(""));
        this[`adjust_${side}`] = adjust;
        return element("fieldset", {}, element("legend", {}, name),
            element("div", { class: "buttons" },
                    this.button("Offers a draw", () => this.command("offer", { side })),
                    adjust,
                    this.button("Resigns", () => this.ask_first(
                        `${name} resigns?`, "Resigns", "resign", { side }), "grave")),
            element("div", { class: "buttons" }, element("span", {}, "Claims"),
                    this.button("3\u00d7", () => claim("threefold")),
                    this.button("50", () => claim("fifty")), element("span", {}, "with"), move),
            element("form", { class: "buttons", onsubmit: set_time },
                    element("span", {}, "Clock"), time, element("button", {}, "Set")));
    }

    new_game() {
        const field = (name, label) => element("label", {}, label,
                                               element("input", { name, maxlength: "60" }));
        const form = element("form", { class: "new-game", onsubmit: async (event) => {
            event.preventDefault();
            const members = Object.fromEntries(new FormData(form));
            if (await sure("End the game in hand and begin a new one?", "Begin")) {
                this.command("new_game", members);
            }
        } }, field("white", "White"), field("black", "Black"), field("event", "Event"),
            field("round", "Round"), element("button", {}, "Begin"));
        return element("details", {}, element("summary", {}, "New game"), form);
    }

    show(game) {
        this.game = game;
        set_text(this.pause, game.paused ? "Resume clocks" : "Pause clocks");
        for (const side of ["white", "black"]) {
            this[`adjust_${side}`].setAttribute("aria-pressed",
                                                String(game.adjusting.includes(side)));
        }
        if (this.reports === game.reports && this.offer === game.offer) return;
        this.reports = game.reports;
        this.offer = game.offer;
        const open = game.reports.filter((report) => report.open);
        const cards = open.map((report) => this.card(report));
        if (game.offer) cards.push(this.offer_card(game.offer));
        if (cards.length === 0) cards.push(element("p", { class: "none" }, "Nothing is open."));
        this.open.replaceChildren(...cards);

        set_text(this.log_title, `All reports (${game.reports.length})`);
        this.log.replaceChildren(...[...game.reports].reverse().map((report) => element("li", {},
            element("span", { class: "article" }, report.article), report.text)));
    }

    card(report) {
        return element("article", { class: `card ${report.kind}` },
            element("p", {}, element("span", { class: "article" }, report.article), report.text),
            element("div", { class: "buttons" }, this.answers(report)));
    }

    answers(report) {
        const side = report.side;
        switch (report.kind) {
            case "promotion_choice": {
                const mover = side || other[this.game.turn];
                const colour = mover[0];
                return promotions.map(([letter, label]) => element("button", {
                    type: "button", class: "man-button", title: label, "aria-label": label,
                    onclick: () => this.command("promote", { side: mover, to: letter }),
                }, drawing(colour + letter))).concat(
                    this.button("Pawn left there", () => this.command("promote",
                                                                     { side: mover, to: "p" })));
            }
            case "ambiguous":
                return report.candidates.map((move) => this.button(
                    move.san, () => this.command("choose", { move: move.uci }), "strong"));
            case "touch_move":
            case "released":
                if (!side) return [];
                return [this.button(`Uphold ${names[other[side]]}'s claim`, () => this.ask_first(
                    `Take the move back and hold ${names[side]} to Article ${report.article}?`,
                    "Uphold", "uphold", { side: other[side], article: report.article }), "strong")];
            case "displaced":
            case "out_of_turn":
            case "setup_suspect":
                return [this.button("Position restored", () => this.command("restored"), "strong")];
            case "illegal_move":
            case "pawn_not_exchanged":
            case "press_without_move":
                return [
                    this.button("Position restored", () => this.command("restored"), "strong"),
                    this.button("Resume clocks", () => this.command("resume", { by: "arbiter" })),
                ];
            case "result_signal":
                return ["white", "black"].map((loser) => this.button(
                    `${names[loser]} resigns`, () => this.ask_first(
                        `${names[loser]} resigns?`, "Resigns", "resign", { side: loser }), "grave"));
            default:
                return [];
        }
    }

    offer_card(side) {
        return element("article", { class: "card offer" },
            element("p", {}, element("span", { class: "article" }, "9.1.2"),
                    `${names[side]} offers a draw.`),
            element("div", { class: "buttons" },
                    this.button(`${names[other[side]]} accepts`, () => this.ask_first(
                        "End the game as a draw?", "Draw", "accept", { side: other[side] }),
                        "strong"),
                    this.button("Declines", () => this.command("decline", { side: other[side] }))));
    }
}
