// desk_view.js - the arbiter's desk: what is open, and what players and arbiter can say
// SPDX-License-Identifier: Apache-2.0
import { drawing, element, set_text } from "./dom.js";
import { elapsed_text } from "./model.js";
import { words } from "./words.js";

const other = { white: "black", black: "white" };
const promotions = [["q", words.Queen], ["r", words.Rook], ["b", words.Bishop],
                    ["n", words.Knight]];

/** Asks before what cannot be taken back. */
function sure(question, yes) {
    return new Promise((resolve) => {
        const dialog = element("dialog", { class: "sure" }, element("p", {}, question),
            element("form", { method: "dialog" },
                    element("button", { value: "no" }, words.cancel),
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
        this.pause = this.button(words.pause, () => this.pause_or_resume());
        this.log = element("ol", { class: "log" });
        this.log_title = element("summary", {});
        this.root = element("aside", { class: "desk", "aria-label": words.desk },
            element("h2", {}, words.open_questions), this.open,
            element("h2", {}, words.at_board),
            element("div", { class: "buttons" }, this.pause,
                    this.button(words.restored, () => this.command("restored"))),
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
        const adjust = this.button(words.adjusting_now, () => {
            const now = this.game.adjusting.includes(side);
            this.command(now ? "adjust_end" : "adjust", { side });
        });
        const move = element("input", { class: "short", placeholder: words.move_hint, size: "5",
                                        "aria-label": words.intended_of(side),
                                        title: words.intended,
                                        pattern: "[a-h][1-8][a-h][1-8][qrbn]?" });
        const claim = (what) => {
            const intended = move.value.trim();
            this.command("claim", { side, what, ...(intended ? { move: intended } : {}) });
            move.value = "";
        };
        const time = element("input", { class: "short", placeholder: words.time_hint, size: "7",
                                        "aria-label": words.time_of(side) });
        const set_time = (event) => {
            event.preventDefault();
            const left_ms = clock_ms(time.value);
            time.setCustomValidity(left_ms === null ? words.time_wrong : "");
            if (!time.reportValidity()) return;
            this.command("correct_clock", { side, left_ms });
            time.value = "";
        };
        time.addEventListener("input", () => time.setCustomValidity(""));
        this[`adjust_${side}`] = adjust;
        const flag = this.button(words.flag_fell, () => this.ask_first(
            words.flag_question(side), words.flag_fell, "flag", { side }), "grave");
        return element("fieldset", {}, element("legend", {}, words.side(side)),
            element("div", { class: "buttons" },
                    this.button(words.offers, () => this.command("offer", { side })),
                    adjust,
                    this.button(words.resigns, () => this.ask_first(
                        words.resigns_question(side), words.resigns, "resign", { side }), "grave")),
            element("div", { class: "buttons" }, element("span", {}, words.claims),
                    this.button("3\u00d7", () => claim("threefold")),
                    this.button("50", () => claim("fifty")), element("span", {}, words.with_move), move),
            element("form", { class: "buttons", onsubmit: set_time },
                    element("span", {}, words.clock), time,
                    element("button", {}, words.set), flag));
    }

    new_game() {
        const field = (name, label) => element("label", {}, label,
                                               element("input", { name, maxlength: "60" }));
        const form = element("form", { class: "new-game", onsubmit: async (event) => {
            event.preventDefault();
            const members = Object.fromEntries(new FormData(form));
            if (await sure(words.new_game_question, words.begin)) {
                this.command("new_game", members);
            }
        } }, field("white", words.side("white")), field("black", words.side("black")),
            field("event", words.event), field("round", words.round_field),
            element("button", {}, words.begin));
        return element("details", {}, element("summary", {}, words.new_game), form);
    }

    show(game) {
        this.game = game;
        set_text(this.pause, game.paused ? words.resume : words.pause);
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
        if (cards.length === 0) cards.push(element("p", { class: "none" }, words.nothing_open));
        this.open.replaceChildren(...cards);

        set_text(this.log_title, words.all_reports(game.reports.length));
        this.log.replaceChildren(...[...game.reports].reverse().map((report) => element("li", {},
            ...this.head(report), report.text)));
    }

    /** Article, and when it was: time since the game began. */
    head(report) {
        return [element("span", { class: "article" }, report.article),
                element("time", { class: "when" }, elapsed_text(report.at_ms)), " "];
    }

    card(report) {
        return element("article", { class: `card ${report.kind}` },
            element("p", {}, ...this.head(report), report.text),
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
                    this.button(words.pawn_left, () => this.command("promote",
                                                                     { side: mover, to: "p" })));
            }
            case "ambiguous":
                return report.candidates.map((move) => this.button(
                    move.san, () => this.command("choose", { move: move.uci }), "strong"));
            case "touch_move":
            case "released":
                if (!side) return [];
                return [this.button(words.uphold_of(other[side]), () => this.ask_first(
                    words.uphold_question(side, report.article), words.uphold, "uphold", { side: other[side], article: report.article }), "strong")];
            case "displaced":
            case "out_of_turn":
            case "setup_suspect":
                return [this.button(words.restored, () => this.command("restored"), "strong")];
            case "illegal_move":
            case "pawn_not_exchanged":
            case "press_without_move":
                return [
                    this.button(words.restored, () => this.command("restored"), "strong"),
                    this.button(words.resume, () => this.command("resume", { by: "arbiter" })),
                ];
            case "result_signal":
                return ["white", "black"].map((loser) => this.button(
                    words.side_resigns(loser), () => this.ask_first(
                        words.resigns_question(loser), words.resigns, "resign", { side: loser }), "grave"));
            default:
                return [];
        }
    }

    offer_card(side) {
        return element("article", { class: "card offer" },
            element("p", {}, element("span", { class: "article" }, "9.1.2"),
                    words.draw_offered(side)),
            element("div", { class: "buttons" },
                    this.button(words.accepts(other[side]), () => this.ask_first(
                        words.draw_question, words.draw, "accept", { side: other[side] }),
                        "strong"),
                    this.button(words.declines, () => this.command("decline", { side: other[side] }))));
    }
}
