// The computer players of a lone visitor think here, in the visitor's own browser; the server checks what they play.

const ENGINE = /** @type {any} */ ("./engine/thinking.js");

/** @typedef {import("protocol").Now} Now */

// Can this browser think for them?
export const canThink = typeof WebAssembly === "object" && typeof Worker === "function";

export class Opponent {
  /** @param {(command: any) => Promise<any>} send */
  constructor(send) {
    this.send = send;
    /** @type {any} */
    this.engine = null;
    this.position = 0; // the position that is thought about
  }

  /**
   * If it is a computer player's turn that is thought about here, think, once a position.
   * @param {Now} now
   */
  follow(now) {
    const seat = now.turn;
    if (seat === null || seat === undefined || !now.view || now.seats[seat].who !== "computer") return;
    if (!canThink || this.position === now.position) return;
    this.position = now.position;
    this.think(now, seat).catch(() => this.send({ type: "play for", seat, position: now.position }));
  }

  /**
   * @param {Now} now
   * @param {number} seat
   */
  async think({ game, options, view, seats, position }, seat) {
    const { Thinking, fromBase64 } = await import(ENGINE);
    this.engine ??= new Thinking(game, options);
    const action = await this.engine.choose(fromBase64(view), seats[seat].player);
    this.send({ type: "play for", seat, action, position });
  }
}
