// main.js - the page: what is shown when, and where it comes from
// SPDX-License-Identifier: Apache-2.0
import icon from "./icon.svg";
import marks from "./marks.svg";
import men from "./men.svg";
import { Connection } from "./connection.js";
import { element, set_text } from "./dom.js";
import { GameView } from "./game_view.js";
import { Model, side_of, spoken_move } from "./model.js";
import { Overview } from "./overview.js";
import { words } from "./words.js";

const tick_ms = 100;
const alert_ms = 8000;
const is_arbiter = location.pathname === "/arbiter";

const at = (id) => document.getElementById(id);
const model = new Model();
let connected = false;
let stale = false; // the first message after a reconnection replaces everything
let view = null;
let viewed = null; // serial number, or "all"
let drawing_due = false;

// cm-chessboard looks for its sprites under these names before it would fetch them.
for (const [id, sprite] of [["cm-chessboard-sprite", men], ["cm-chessboard-markers", marks],
                            ["page-icons", icon]]) {
    const holder = element("div", { id, class: "sprites", "aria-hidden": "true" });
    holder.innerHTML = sprite;
    document.body.append(holder);
}

const connection = new Connection(is_arbiter ? "/live/arbiter" : "/live", (message) => {
    if (stale) model.clear();
    stale = false;
    const before = model.games.get(message.board);
    const board = model.take(message, performance.now());
    if (board === null) return;
    if (message.type === "change" && board === viewed) speak(before, model.games.get(board));
    draw_soon();
}, (state) => {
    connected = state === "open";
    stale = connected;
    draw_soon();
});

async function command(verb, members) {
    const refused = await connection.command(viewed, verb, members);
    if (refused) complain(refused);
}

let alert_timer = 0;
function complain(sentence) {
    set_text(at("alert"), sentence);
    at("alert").hidden = false;
    clearTimeout(alert_timer);
    alert_timer = setTimeout(() => { at("alert").hidden = true; }, alert_ms);
}

/** Tells a screen reader of new moves (once published) and of the result. */
function speak(before, game) {
    const spoken = [];
    const published = (move) => move && move.state !== "shown";
    game.moves.forEach((move, ply) => {
        if (!published(move)) return;
        const known = before.moves[ply];
        if (published(known) && known.san === move.san) return;
        spoken.push(`${words.side(side_of(game, ply))}: ${spoken_move(move.san)}`);
    });
    if (game.result && !before.result) spoken.push(game.result.text);
    if (spoken.length > 0) set_text(at("spoken"), spoken.join(". "));
}

function draw_soon() {
    if (drawing_due) return;
    drawing_due = true;
    // Not requestAnimationFrame: a page in the background must keep up as well.
    setTimeout(() => {
        drawing_due = false;
        draw();
    });
}

function wanted() {
    const asked = /^#board=(.+)$/.exec(location.hash);
    const serial = asked && decodeURIComponent(asked[1]);
    if (serial && model.games.has(serial)) return serial;
    return model.games.size === 1 ? [...model.games.keys()][0] : "all";
}

function draw() {
    draw_link();
    if (model.games.size === 0) {
        if (connected && !view) {
            at("main").replaceChildren(element("p", { class: "waiting" },
                words.no_board));
        }
        return;
    }
    const next = wanted();
    if (next !== viewed || !view) {
        view?.destroy();
        viewed = next;
        view = next === "all" ? new Overview() : new GameView(is_arbiter ? command : null);
        at("main").replaceChildren(view.root);
        view.attached?.();
    }
    view.show(viewed === "all" ? model.games : model.games.get(viewed));
    draw_boards();
}

function open_reports(game) {
    return (game.reports || []).filter((report) => report.open).length + (game.offer ? 1 : 0);
}

function draw_boards() {
    const games = [...model.games.values()];
    const open = games.reduce((sum, game) => sum + open_reports(game), 0);
    document.title = `${open > 0 ? `(${open}) ` : ""}Touchmove${is_arbiter ? ` \u00b7 ${words.arbiter}` : ""}`;
    at("boards").hidden = games.length < 2;
    if (games.length < 2) return;
    const link = (serial, text, count) => element("a", {
        href: serial === "all" ? "#" : `#board=${encodeURIComponent(serial)}`,
        "aria-current": serial === viewed ? "page" : null,
    }, text, count > 0 ? element("b", { "aria-label": words.open_count(count) }, String(count)) : null);
    at("boards").replaceChildren(link("all", words.all_boards, 0),
        ...games.map((game) => link(game.board, game.board, open_reports(game))));
}

function draw_link() {
    const pill = at("link");
    const game = model.games.get(viewed);
    let text = words.live;
    let state = "good";
    if (!connected) [text, state] = [words.no_daemon, "bad"];
    else if (game && game.link.state !== "connected") {
        text = game.link.state === "lost" ? words.board_lost : words.board_unseen;
        state = "bad";
    } else if (game?.paused) [text, state] = [words.clocks_paused, "idle"];
    set_text(pill, text);
    pill.className = `pill ${state}`;
    pill.title = game?.link?.why || "";
}

const themes = { light: "\u263e", dark: "\u2600" }; // the sign is what a press leads to
function set_theme(theme) {
    document.documentElement.dataset.theme = theme;
    set_text(at("theme"), themes[theme]);
}
let stored_theme = null;
try {
    stored_theme = localStorage.getItem("theme");
} catch { /* no storage: the system's choice */ }
set_theme(themes[stored_theme] ? stored_theme
          : matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
at("theme").addEventListener("click", () => {
    set_theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
    try {
        localStorage.setItem("theme", document.documentElement.dataset.theme);
    } catch { /* it lasts until the page is left */ }
});

set_text(at("role"), is_arbiter ? words.arbiter : "");
at("role").hidden = !is_arbiter;
document.body.classList.toggle("arbiter", is_arbiter);
addEventListener("hashchange", draw_soon);
document.addEventListener("visibilitychange", draw_soon);
setInterval(() => { if (view && model.games.size > 0) view.tick(performance.now()); }, tick_ms);
