// connection.js - the WebSocket: kept open, commands matched with their replies
// SPDX-License-Identifier: Apache-2.0
import { words } from "./words.js";

const first_wait_ms = 500;
const longest_wait_ms = 8000;

export class Connection {
    /** `on_message(object)` for all but replies; `on_state("open" | "closed")`. */
    constructor(path, on_message, on_state) {
        this.url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;
        this.on_message = on_message;
        this.on_state = on_state;
        this.wait_ms = first_wait_ms;
        this.next_id = 1;
        this.waiting = new Map();
        this.open();
    }

    open() {
        this.socket = new WebSocket(this.url);
        this.socket.onopen = () => {
            this.wait_ms = first_wait_ms;
            this.on_state("open");
        };
        this.socket.onmessage = (event) => {
            const message = JSON.parse(event.data);
            if (message.type !== "reply") this.on_message(message);
            else this.answer(message.id, message.ok ? null : message.error);
        };
        this.socket.onclose = () => {
            for (const id of [...this.waiting.keys()]) this.answer(id, words.connection_lost);
            this.on_state("closed");
            setTimeout(() => this.open(), this.wait_ms);
            this.wait_ms = Math.min(2 * this.wait_ms, longest_wait_ms);
        };
    }

    answer(id, error) {
        const done = this.waiting.get(id);
        this.waiting.delete(id);
        if (done) done(error);
    }

    /** Sends a command; resolves to null, or to the sentence that says why not. */
    command(board, verb, members = {}) {
        if (this.socket.readyState !== WebSocket.OPEN) {
            return Promise.resolve(words.no_connection);
        }
        const id = this.next_id++;
        this.socket.send(JSON.stringify({ id, board, do: verb, ...members }));
        return new Promise((resolve) => this.waiting.set(id, resolve));
    }
}
