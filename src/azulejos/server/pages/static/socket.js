// The connection to a table. It comes back by itself; commands are answered once.

import { Pieces } from "./pieces.js";

const WAITS = [100, 250, 500, 1000];

/** @typedef {import("protocol").FromServer} Message */
/** @typedef {Record<string, unknown> & {type: string}} Command */

export class Socket {
  /**
   * @param {string} address
   * @param {string} final codes after which it does not come back, with spaces between
   * @param {{hear: (message: Message) => void, changed: (how: string, reason?: string) => void}} listener
   */
  constructor(address, final, { hear, changed }) {
    this.address = address;
    this.final = new Set(final.split(" ").map(Number));
    this.hear = hear;
    this.changed = changed;
    this.number = 0;
    /** @type {Map<number, (answer: any) => void>} */
    this.waiting = new Map();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.failures = 0;
    this.stale = false; // connect anew when what was sent is answered?
    addEventListener("online", () => this.again());
    addEventListener("offline", () => this.socket?.close());
    document.addEventListener("visibilitychange", () => document.hidden || this.again());
    this.open();
  }

  open() {
    clearTimeout(this.timer);
    this.changed("connecting");
    const socket = new WebSocket(this.address);
    const pieces = new Pieces();
    this.socket = socket;
    this.stale = false;
    let tried = () => {};
    this.trying = new Promise((settle) => (tried = () => settle(undefined)));
    socket.onopen = () => {
      this.failures = 0;
      this.changed("open");
      tried();
    };
    socket.onmessage = (frame) => {
      const message = JSON.parse(frame.data);
      if (message.now) pieces.complete(message.now);
      this.read(message);
    };
    socket.onclose = (event) => {
      tried();
      if (socket !== this.socket) return;
      for (const settle of this.waiting.values()) settle({ type: "lost" });
      this.waiting.clear();
      if (this.final.has(event.code)) return this.changed("closed", event.reason);
      this.changed("lost");
      this.timer = setTimeout(() => this.open(), WAITS[Math.min(this.failures++, WAITS.length - 1)]);
    };
  }

  again() {
    if (this.socket?.readyState === WebSocket.CLOSED) this.open();
  }

  /**
   * Connect anew, as soon as what was sent is answered.
   * @param {string} address
   */
  reopen(address) {
    this.address = address;
    this.stale = this.waiting.size > 0;
    if (this.stale) return;
    const old = this.socket;
    this.open();
    old?.close();
  }

  /** @param {Message} message */
  read(message) {
    const id = "id" in message ? message.id : undefined;
    const settle = id !== undefined && this.waiting.get(id);
    if (settle) {
      this.waiting.delete(id);
      settle(message);
      if (this.stale) this.reopen(this.address);
    }
    if (message.type !== "done") this.hear(message);
  }

  /**
   * The server's answer to a command: done, refused, or lost with the connection. While the page connects anew because its layout
   * has changed, a command waits.
   * @param {Command} command
   * @returns {Promise<any>}
   */
  async send(command) {
    while (!this.failures && this.socket?.readyState === WebSocket.CONNECTING) await this.trying;
    if (this.socket?.readyState !== WebSocket.OPEN) return { type: "lost" };
    const id = ++this.number;
    this.socket.send(JSON.stringify({ id, command }));
    return new Promise((settle) => this.waiting.set(id, settle));
  }
}
