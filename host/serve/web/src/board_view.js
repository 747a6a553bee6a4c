// board_view.js - one board with what happens on it, drawn by cm-chessboard
// SPDX-License-Identifier: Apache-2.0
import { Chessboard, COLOR } from "cm-chessboard/src/Chessboard.js";
import { Markers } from "cm-chessboard/src/extensions/markers/Markers.js";

const marks = {
    moved: { class: "mark-moved", slice: "mark-square" },
    shown: { class: "mark-shown", slice: "mark-frame" },
    off: { class: "mark-off", slice: "mark-ring" },
    extra: { class: "mark-extra", slice: "mark-ring" },
    asked: { class: "mark-asked", slice: "mark-frame" },
};

// The board is drawn once at this width and scaled by the browser: no resizing to wait for.
const drawn_width = 480;

let boards_made = 0;

export class BoardView {
    constructor(holder, small = false) {
        this.holder = holder;
        holder.id = `board-${++boards_made}`;
        this.animated = !matchMedia("(prefers-reduced-motion: reduce)").matches;
        // Men in the air are told by square: the board draws its men anew at every change.
        this.faded = document.createElement("style");
        holder.style.width = `${drawn_width}px`;
        this.board = new Chessboard(holder, {
            position: "8/8/8/8/8/8/8/8",
            responsive: false,
            style: {
                cssClass: "touchmove",
                showCoordinates: !small,
                animationDuration: 160,
            },
            extensions: [{ class: Markers, props: { autoMarkers: null } }],
        });
        const { svg, container } = this.board.view;
        svg.setAttribute("viewBox", `0 0 ${drawn_width} ${drawn_width}`);
        for (const style of [container.style, holder.style]) style.width = style.height = "";
        holder.prepend(this.faded);
        this.marked = "";
    }

    /** Turns the board; white is at the bottom at first. */
    turn(black_below) {
        this.board.setOrientation(black_below ? COLOR.black : COLOR.white, false);
    }

    /**
     * `last`: the move to mark, { uci, state }, or null. `off`: squares whose man is in the air,
     * `extra`: where one stands that the record does not know, `asked`: squares in question.
     */
    show({ fen, last, off = [], extra = [], asked = [] }) {
        // A page in the background has no frames: moves would pile up until it is looked at.
        if (fen !== this.fen && !(this.animated && document.hidden)) {
            if (this.animated && this.fen !== undefined) this.board.setPosition(fen, true);
            else {
                // At once, without the frame that even an animation of no duration waits for.
                this.board.state.position.setFen(fen);
                this.board.view.redrawPieces();
            }
            this.fen = fen;
        }
        const signature = JSON.stringify([last?.uci, last?.state, off, extra, asked]);
        if (signature === this.marked) return;
        this.marked = signature;
        this.board.removeMarkers();
        if (last) {
            for (const square of [last.uci.slice(0, 2), last.uci.slice(2, 4)]) {
                this.board.addMarker(marks.moved, square);
                if (last.state === "shown") this.board.addMarker(marks.shown, square);
            }
        }
        for (const square of off) this.board.addMarker(marks.off, square);
        for (const square of extra) this.board.addMarker(marks.extra, square);
        for (const square of asked) this.board.addMarker(marks.asked, square);
        this.faded.textContent = off.length === 0 ? "" : off
            .map((square) => `#${this.holder.id} .pieces [data-square="${square}"]`)
            .join(",") + "{opacity:.32}";
    }

    destroy() {
        this.board.destroy();
    }
}
