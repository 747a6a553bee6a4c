// model_test.mjs - the page's own arithmetic: merging, clocks, the score sheet
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import {
    Model, clock_left, clock_text, elapsed_text, score_rows, side_of, spent_text, spoken_move, time_control_text,
} from "../../host/serve/web/src/model.js";
import { dictionaries } from "../../host/serve/web/src/words.js";

const state = (more = {}) => ({
    type: "state", board: "b", game: "1", start: "8/8/8/8/8/8/8/8 w - - 0 1",
    moves: { from: 0, list: [{ san: "e4" }, { san: "e5" }] },
    clock: { white_ms: 60000, black_ms: 50000, running: "white" },
    link: { state: "connected" }, ...more,
});

test("a change replaces the moves from its first on and keeps the rest", () => {
    const model = new Model();
    assert.equal(model.take(state(), 0), "b");
    model.take({ type: "change", board: "b",
                 moves: { from: 1, list: [{ san: "c5" }, { san: "Nf3" }] } }, 1);
    assert.deepEqual(model.games.get("b").moves.map((move) => move.san), ["e4", "c5", "Nf3"]);
    model.take({ type: "change", board: "b", moves: { from: 1, list: [] } }, 2);
    assert.deepEqual(model.games.get("b").moves.map((move) => move.san), ["e4"]);
});

test("a new state forgets the old game, a change of an unknown board is not taken", () => {
    const model = new Model();
    model.take(state({ offer: "white" }), 0);
    model.take(state({ game: "2", moves: { from: 0, list: [] } }), 1);
    assert.deepEqual(model.games.get("b").moves, []);
    assert.equal(model.games.get("b").offer, undefined);
    assert.equal(model.take({ type: "change", board: "other", turn: "black" }, 2), null);
    assert.equal(model.take({ type: "change" }, 2), null);
});

test("only the running clock runs, not below zero, and not without the board", () => {
    const model = new Model();
    model.take(state(), 1000);
    const game = model.games.get("b");
    assert.equal(clock_left(game, "white", 3500), 57500);
    assert.equal(clock_left(game, "black", 3500), 50000);
    assert.equal(clock_left(game, "white", 999999), 0);
    model.take({ type: "change", board: "b", link: { state: "lost" } }, 4000);
    assert.equal(clock_left(model.games.get("b"), "white", 9000), 57000);
    assert.equal(clock_left({ clock: { white_ms: null } }, "white", 0), null);
});

test("a change without a clock does not restart the clock that runs", () => {
    const model = new Model();
    model.take(state(), 0);
    model.take({ type: "change", board: "b", turn: "black" }, 5000);
    assert.equal(clock_left(model.games.get("b"), "white", 5000), 55000);
});

test("times read as on a chess clock", () => {
    assert.equal(clock_text(5400000), "1:30:00");
    assert.equal(clock_text(60000), "1:00");
    assert.equal(clock_text(10000), "0:10");
    assert.equal(clock_text(9999), "9.9");
    assert.equal(clock_text(0), "0.0");
    assert.equal(spent_text(400), "0.4s");
    assert.equal(spent_text(9960), "10s");
    assert.equal(spent_text(185000), "3m05");
    assert.equal(spent_text(null), "");
});

test("a time control is put in words", () => {
    assert.equal(time_control_text("40/5400+30:1800+30"), "90 min for 40 moves, then 30 min + 30 s");
    assert.equal(time_control_text("300"), "5 min");
    assert.equal(time_control_text("1500d5"), "25 min, 5 s delay");
    assert.equal(time_control_text("-"), "");
    assert.equal(time_control_text(undefined), "");
});

test("the score sheet begins where the game begins", () => {
    const game = { start: "8/8/8/8/8/8/8/8 b - - 0 31", moves: [{}, {}, {}] };
    assert.deepEqual(score_rows(game), [
        { number: 31, white: null, black: 0 }, { number: 32, white: 1, black: 2 }]);
    assert.equal(side_of(game, 0), "black");
    assert.equal(side_of(game, 1), "white");
    assert.equal(side_of({ start: "8/8/8/8/8/8/8/8 w - - 0 1" }, 0), "white");
});

test("moves are spoken in words", () => {
    assert.equal(spoken_move("Nbxd7+"), "knight b takes d 7, check");
    assert.equal(spoken_move("O-O-O#"), "castles queen side, checkmate");
    assert.equal(spoken_move("a8=?"), "a 8 becomes a piece not yet named");
    assert.equal(spoken_move("e4"), "e 4");
});

test("time since the game began", () => {
    assert.equal(elapsed_text(3723999), "1:02:03");
    assert.equal(elapsed_text(0), "0:00:00");
});

// What each word says, for every side and for numbers of every plural form.
function said(word) {
    if (typeof word === "string") return [word];
    const sides = ["white", "black"].map((side) => word(side, "4.3.1"));
    const numbers = [1, 2, 5, 21, 22].map((count) => word(count, count));
    return [...sides, ...numbers]
        .filter((text) => text !== undefined && !text.includes("undefined"));
}

test("every language has every word of the page, and none of another", () => {
    const english = Object.entries(dictionaries.en);
    for (const [language, words] of Object.entries(dictionaries)) {
        assert.deepEqual(Object.keys(words).sort(), english.map(([key]) => key).sort(), language);
        for (const [key, of_english] of english) {
            assert.equal(typeof words[key], typeof of_english, `${language}.${key}`);
            assert.equal(words[key].length > 0, true, `${language}.${key}`);
            assert.notEqual(said(words[key]).length, 0, `${language}.${key}`);
            for (const text of said(words[key])) {
                assert.notEqual(text, "", `${language}.${key}`);
                assert.equal(/[\u0400-\u04ff]/.test(text), language === "ru",
                             `${language}.${key}: ${text}`);
            }
        }
    }
    // No Latin letter in Russian but names, squares and what the browser calls its language.
    const names = /Touchmove|cm-chessboard|MIT|JavaScript|g1f3|white|black/g;
    for (const [key, word] of Object.entries(dictionaries.ru)) {
        for (const text of said(word)) {
            assert.doesNotMatch(text.replace(names, ""), /[a-z]/i, `ru.${key}`);
        }
    }
});

test("counted words take the form of their number", () => {
    const { en, ru, pl } = dictionaries;
    assert.deepEqual([1, 3, 5, 11, 21].map(ru.open_count),
                     ["1 вопрос", "3 вопроса", "5 вопросов", "11 вопросов", "21 вопрос"]);
    assert.deepEqual([1, 3, 5, 12, 22].map(pl.open_count),
                     ["1 pytanie", "3 pytania", "5 pytań", "12 pytań", "22 pytania"]);
    assert.equal(ru.for_moves(ru.minutes(90), 40), "90 мин на 40 ходов");
    assert.equal(en.for_moves(en.minutes(90), 40), "90 min for 40 moves");
});
