// A board on any position, without a table: for analysis, lessons and puzzles.
//
//   const study = new Study({ board: part("board"), preview: part("preview"), buttons: part("words-choices"), chosen });
//   await study.show(text);                              // a position, ready to be picked on; the server's answer
//   await study.play([choice.action, ...choice.then]);   // tiles move, then what follows is shown; the answer
//   study.peek(action); study.peek(null);                // a choice as ghosts on the board, and no more
//   study.lock(); study.unlock();                        // nothing can be picked; what may be can again
//   study.now                                            // the answer about what is shown: see pages/positions.py
//
// `chosen(choice)` is called when a visitor has picked a whole choice; what then happens is up to the page: most call
// `study.play`. Draws: `{ draws: "BYRK" }` are given, `{ seed: "random" }` or `{ seed: 7 }` are drawn, with neither the
// position waits for them. A request that is refused throws an Error with words for the visitor, and changes nothing.

import { Board } from "./board.js";
import { Motion } from "./motion.js";
import { Picking } from "./picking.js";
import { settings as preferences } from "./settings.js";
import { lens, onLayout } from "./site.js";

/** @typedef {import("protocol").Choice} Choice */
/** @typedef {{draws?: string, seed?: string | number}} Drawn Where draws come from. */
/** @typedef {{actions: string[], words: string, seat: number | null, draws: string, steps: import("protocol").Step[]}} Played */
/**
 * A position, as pages/positions.py answers; what is empty is left out.
 * @typedef {{text: string, game: string, options: Record<string, string>, names: string[], turn: number | null,
 *   status: string, round: number, scores: number[], projected: number[], board: string, ask?: string,
 *   actions?: string[], choices?: Choice[], closed?: import("protocol").Closed[], view?: string,
 *   draws?: {draw: string, words: string, shape: string, chance: number}[], winners?: number[], result?: string, played?: Played}} Position
 */

const KEPT = 64; // answers that are remembered

export class Study {
  /**
   * @param {object} parts
   * @param {HTMLElement} parts.board
   * @param {HTMLElement} parts.preview
   * @param {HTMLElement} parts.buttons
   * @param {(choice: Choice) => void} parts.chosen a whole choice was picked
   * @param {(words: string | null) => void} [parts.asked] what is to be picked next; null: the position's own question
   * @param {() => void} [parts.shown] another picture is shown
   * @param {string} [parts.theme]
   * @param {{confirm: boolean, speed: string}} [parts.settings]
   */
  constructor({ board, preview, buttons, chosen, asked = () => {}, shown = () => {}, theme = "auto", settings = preferences }) {
    this.board = new Board(board);
    this.motion = new Motion(this.board, settings);
    this.picking = new Picking(this.board, { play: chosen, asked, settings, preview, buttons });
    this.theme = theme;
    this.shown = shown;
    /** @type {number | null} */
    this.viewer = null; // the seat whose board comes first; null: the first
    /** @type {string[]} */
    this.names = []; // of the players
    this.open = true; // can anything be picked?
    this.projects = true; // is it said how a choice changes the score that the round would bring?
    /** @type {Position | null} */
    this.now = null;
    this.asking = 0; // the last request
    /** @type {Map<string, Promise<Position>>} */
    this.kept = new Map();
    onLayout(() => this.redraw(), board);
  }

  /**
   * Ask the server about a position, and what comes of actions and draws there, without showing it.
   * @param {string} text
   * @param {string[]} [actions] played one after another; the rules may have played all but the first
   * @param {Drawn} [drawn]
   * @returns {Promise<Position>}
   */
  ask(text, actions = [], drawn = {}) {
    const query = new URLSearchParams({ text, ...lens(this.theme, this.board.container) });
    for (const action of actions) query.append("action", action);
    for (const name of this.names) query.append("name", name);
    if (this.viewer !== null) query.set("viewer", String(this.viewer));
    for (const [name, value] of Object.entries(drawn)) query.set(name, String(value));
    const address = `/position?${query}`;
    const known = this.kept.get(address);
    if (known) return known;
    const found = fetchPosition(address);
    if (drawn.seed === "random") return found;
    this.kept.set(address, found);
    found.catch(() => this.kept.delete(address));
    for (const [oldest] of this.kept) if (this.kept.size > KEPT) this.kept.delete(oldest);
    return found;
  }

  /**
   * Show a position; the last one asked for stays.
   * @param {string} text
   */
  async show(text) {
    const asking = (this.asking += 1);
    const layout = () => lens(this.theme, this.board.container).layout;
    for (;;) {
      const wanted = layout();
      const found = await this.ask(text);
      if (asking === this.asking && wanted !== layout()) continue; // there is other room by now
      if (asking === this.asking) this.draw(found);
      return found;
    }
  }

  /** The same position for other room; what has been asked for meanwhile comes instead. A page may put its own here. */
  redraw = async () => {
    const { asking, now } = this;
    const found = now && (await this.ask(now.text));
    if (found && asking === this.asking) this.draw(found);
  };

  /**
   * Play actions in the position that is shown, or only draw; and show what follows.
   * @param {string[]} actions
   * @param {Drawn} [drawn]
   */
  async play(actions, drawn = {}) {
    if (!this.now) throw new Error("no position is shown");
    const asking = (this.asking += 1);
    this.picking.offer([]);
    let found;
    try {
      found = await this.ask(this.now.text, actions, drawn);
    } catch (error) {
      if (asking === this.asking) this.offer();
      throw error;
    }
    if (asking === this.asking) await this.motion.play(found.played?.steps ?? []);
    if (asking === this.asking) this.draw(found);
    return found;
  }

  /** @param {Position} found */
  draw(found) {
    this.now = found;
    this.board.show(found.board);
    this.offer();
    this.shown();
  }

  /** Offer what may be picked, unless it is locked. */
  offer() {
    const { choices = [], closed = [], projected = [], turn = null, ask = "" } = this.now ?? {};
    this.picking.why = ask;
    this.picking.offer(this.open ? choices : [], this.open ? closed : [], this.projects ? projected[turn ?? 0] : null);
  }

  /** Nothing can be picked until `unlock`. */
  lock() {
    this.open = false;
    this.offer();
  }

  unlock() {
    this.open = true;
    this.offer();
  }

  /**
   * Look at a choice as if it were made; null: no more.
   * @param {string | null} action
   */
  peek(action) {
    const found = action === null ? null : this.choice(action);
    const first = found?.any_order ? { ...found, picks: found.picks.slice(0, 1), then: [], any_order: false } : found;
    this.picking.peek(first);
  }

  /**
   * The choice that begins with an action.
   * @param {string} action
   */
  choice(action) {
    return this.now?.choices?.find((choice) => choice.action === action);
  }
}

/** @param {string} address */
async function fetchPosition(address) {
  const answer = await fetch(address);
  const found = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(found.message ?? answer.statusText);
  return found;
}
