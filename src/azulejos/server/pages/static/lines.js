// The engine beside a board: each seat's chance to win, the best actions with their lines, and how much was thought.
// The visitor's own engine thinks; where the browser has none, the server gives its hints.

import { announce, make, say } from "./words.js";

const ENGINE = /** @type {any} */ ("./engine/thinking.js");
const LONGEST = 60_000; // milliseconds of thought about one position
const PAUSE = 1000; // milliseconds between two requests for a line in words

/** @typedef {import("./study.js").Position} Position */
/** @typedef {{action: string, words: string, seat: number, projected: number[], preview: import("protocol").Preview}} Follows */
/** @typedef {{action: string, words: string, chance: number, line: number[]}} Found */

export class Lines {
  on = true;
  /** @type {Position | null} */
  position = null;
  /** @type {any} */
  engine = null;
  made = ""; // the variant that the engine was made for
  asked = 0; // when a line was last put into words
  tired = 0; // the timer that ends a thought
  /** @type {Map<string, Follows[]>} */
  said = new Map(); // lines in words

  /**
   * @param {object} parts
   * @param {HTMLElement} parts.list the best actions
   * @param {HTMLElement} parts.bar the seats' chances
   * @param {HTMLElement} parts.thought how much was thought
   * @param {() => number} parts.count how many actions are shown
   * @param {(action: string | null, follows: Follows[]) => void} parts.look show a line on the board; null: no more
   * @param {(action: string, touched: boolean) => void} parts.play an action was chosen, by a finger or not
   */
  constructor({ list, bar, thought, ...calls }) {
    this.list = list;
    this.bar = bar;
    this.thought = thought;
    this.calls = calls;
    document.addEventListener("visibilitychange", () => (document.hidden ? this.engine?.stop() : this.again()));
  }

  /** @param {boolean} on */
  turn(on) {
    this.on = on;
    this.again();
  }

  /** Think about the position anew. */
  again() {
    if (this.position) this.follow(this.position);
  }

  /**
   * Another position is looked at.
   * @param {Position | null} position
   */
  follow(position) {
    if (position?.text !== this.position?.text) this.said.clear();
    this.position = position;
    this.engine?.stop();
    clearTimeout(this.tired);
    this.list.replaceChildren();
    this.bar.replaceChildren();
    this.thought.textContent = "";
    this.bar.hidden = true;
    if (!position || !this.on || document.hidden) return;
    if (position.winners?.length) this.chances(position.names.map((_, seat) => Number(position.winners?.includes(seat)) / (position.winners?.length ?? 1)));
    if (position.turn === null) return;
    this.thought.textContent = say("Thinking…");
    this.think(position).catch(() => this.askServer(position));
  }

  /** @param {Position} position */
  async think(position) {
    const { Thinking, bestOf, canThink, fromBase64 } = await import(ENGINE);
    if (!position.view || !canThink()) return this.askServer(position);
    const variant = JSON.stringify([position.game, position.options]);
    if (this.made !== variant) {
      this.engine?.close();
      this.engine = new Thinking(position.game, position.options);
      this.made = variant;
    }
    if (this.position !== position) return;
    this.tired = window.setTimeout(() => this.position === position && this.engine.stop(), LONGEST);
    const { actions = [], choices = [] } = position;
    const hear = (/** @type {any} */ found) => {
      if (this.position !== position) return;
      this.chances(found.chances);
      this.thought.textContent = say("{n} simulations", { n: found.simulations.toLocaleString(document.documentElement.lang) });
      const named = (/** @type {any} */ { place, chance, line }) => {
        const choice = choices.find((one) => one.action === actions[place]);
        return { action: actions[place], words: choice?.words ?? actions[place], chance, line };
      };
      this.show(bestOf(found, this.calls.count()).map(named), found.actions.map(named));
    };
    this.engine.ponder(fromBase64(position.view), hear, () => this.position === position && this.askServer(position));
  }

  /**
   * What the server thinks, where this browser cannot.
   * @param {Position} position
   */
  async askServer(position) {
    const answer = await fetch(`/position/hints?${new URLSearchParams({ text: position.text })}`);
    const found = await answer.json().catch(() => ({}));
    if (this.position !== position) return;
    this.thought.textContent = answer.ok ? "" : (found.message ?? "");
    const hints = /** @type {import("protocol").Hint[]} */ (found.hints ?? []);
    this.show(hints.map(({ action, words, chance }) => ({ action, words, chance, line: [] })));
  }

  /**
   * The bar of the seats' chances.
   * @param {number[]} chances
   */
  chances(chances) {
    const { names = [] } = this.position ?? {};
    this.bar.hidden = false;
    const said = chances.map((chance, seat) => `${names[seat]} ${percent(chance)}`);
    this.bar.setAttribute("aria-label", said.join(", "));
    while (this.bar.children.length > chances.length) this.bar.lastChild?.remove();
    chances.forEach((chance, seat) => {
      const part = /** @type {HTMLElement} */ (this.bar.children[seat] ?? this.bar.appendChild(make("span", { class: `seat-${"abcd"[seat]}` })));
      part.style.flexGrow = String(Math.max(chance, 0.001));
      part.title = said[seat];
      part.textContent = chance > 0.12 ? percent(chance) : "";
    });
  }

  /**
   * Show the best actions, or what is new about them. Nothing moves under a pointer or the focus.
   * @param {Found[]} found
   * @param {Found[]} all the others too
   */
  show(found, all = found) {
    const rows = /** @type {HTMLElement[]} */ ([...this.list.children]);
    const order = rows.map((row) => row.dataset.action);
    const same = order.join() === found.map(({ action }) => action).join();
    const busy = rows.length > 0 && (this.list.matches(":hover") || this.list.contains(document.activeElement));
    if (!same && !busy) this.list.replaceChildren(...found.map((one) => this.row(one)));
    for (const one of all) this.fill(one);
    if (!rows.length && found[0]) announce(say("{words}: win chance {chance}", { words: found[0].words, chance: percent(found[0].chance) }));
    this.putIntoWords(found);
  }

  /** @param {Found} one */
  row({ action }) {
    let touched = false;
    const look = () => this.calls.look(action, this.follows(action));
    const button = make(
      "button",
      {
        pointerenter: (/** @type {PointerEvent} */ event) => event.pointerType === "touch" || look(),
        pointerdown: (/** @type {PointerEvent} */ event) => (touched = event.pointerType === "touch"),
        pointerleave: (/** @type {PointerEvent} */ event) => event.pointerType === "touch" || this.leave(),
        focus: (/** @type {any} */ event) => event.target.matches(":focus-visible") && look(),
        blur: () => touched || this.leave(),
        click: () => this.calls.play(action, touched),
      },
      make("b"),
      make("i"),
      make("span"),
    );
    return make("li", { "data-action": action }, button);
  }

  /** @param {Found} one */
  fill({ action, words, chance }) {
    const row = /** @type {HTMLElement | undefined} */ ([...this.list.children].find((child) => /** @type {HTMLElement} */ (child).dataset.action === action));
    if (!row) return;
    const [worth, score, line] = /** @type {HTMLElement[]} */ ([.../** @type {Element} */ (row.firstChild).children]);
    const follows = this.follows(action);
    const after = follows.at(-1)?.projected.join(" : ") ?? "";
    worth.textContent = percent(chance);
    score.textContent = after;
    score.title = say("the score that is expected after this line");
    line.replaceChildren(make("strong", {}, follows[0]?.words ?? words), ...follows.slice(1).map((step) => ` · ${step.words}`));
  }

  /** @param {string} action */
  follows(action) {
    return this.said.get(action) ?? [];
  }

  leave() {
    this.calls.look(null, []);
  }

  /**
   * Ask the server for the lines in words, seldom: they change all the time at first.
   * @param {Found[]} found
   */
  async putIntoWords(found) {
    const now = performance.now();
    const { position } = this;
    if (!position || now - this.asked < PAUSE) return;
    this.asked = now;
    for (const one of found) {
      if (!one.line.length) continue;
      const query = new URLSearchParams({ text: position.text, line: one.line.slice(0, 8).join() });
      const known = this.said.get(one.action);
      if (known?.length && String(query) === this.queries.get(one.action)) continue;
      const answer = await fetch(`/position/line?${query}`).catch(() => null);
      if (!answer?.ok || this.position !== position) return;
      this.queries.set(one.action, String(query));
      this.said.set(one.action, await answer.json());
      this.fill(one);
    }
  }

  /** @type {Map<string, string>} */
  queries = new Map(); // what was asked for each action last
}

/** @param {number} chance */
function percent(chance) {
  return chance.toLocaleString(document.documentElement.lang, { style: "percent" });
}
