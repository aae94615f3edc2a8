// Advice: the best moves, found by the visitor's own engine, or by the server where the browser has none. Each can be
// looked at on the board, and taken up as a half-made move.

import { seatFor } from "./site.js";
import { announce, make, say } from "./words.js";

const ENGINE = /** @type {any} */ ("./engine/thinking.js");
const SHOWN = 3;
const LONGEST = 15_000; // milliseconds of thought about one position

/** @typedef {import("protocol").Hint} Hint */
/** @typedef {import("protocol").Now} Now */

export class Hints {
  /**
   * @param {object} parts
   * @param {HTMLElement} parts.place
   * @param {HTMLElement} parts.button
   * @param {import("./picking.js").Picking} parts.picking whose choices the hints are among
   * @param {(position: number) => Promise<any>} parts.ask the server's answer
   */
  constructor({ place, button, picking, ask }) {
    this.place = place;
    this.button = button;
    this.picking = picking;
    this.ask = ask;
    /** @type {number | null} */
    this.position = null; // the position that hints were asked for
    /** @type {any} */
    this.engine = null; // the visitor's own, once it was needed
    this.tired = 0; // the timer that ends a thought
    /** @type {Map<string, string>} */
    this.facts = new Map(); // what actions do, in words
    button.addEventListener("click", () => (this.position === null ? this.want() : this.clear()));
    place.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.clear();
      this.button.focus();
    });
  }

  /**
   * What is on the table now; hints for another position are forgotten.
   * @param {Now} now
   * @param {boolean} myTurn
   */
  follow(now, myTurn) {
    this.now = now;
    this.button.hidden = !myTurn || seatFor(now, "ask hint") === undefined;
    if (this.position !== null && this.position !== now.position) this.clear();
    if (now.view && !this.button.hidden) this.prepare(now).catch(() => null);
  }

  /**
   * Have the visitor's own engine ready, if the browser can run one.
   * @param {Now} now
   */
  async prepare({ game, options }) {
    const { Thinking, canThink } = await import(ENGINE);
    if (!this.engine && canThink()) this.engine = new Thinking(game, options);
    await this.engine?.prepare();
  }

  clear() {
    this.position = null;
    this.facts.clear();
    this.engine?.stop();
    clearTimeout(this.tired);
    this.picking.peek(null);
    this.place.replaceChildren();
    this.button.setAttribute("aria-pressed", "false");
  }

  async want() {
    const position = this.now?.position;
    if (position === undefined) return;
    this.position = position;
    this.button.setAttribute("aria-pressed", "true");
    this.picking.reset();
    this.place.replaceChildren(make("p", { class: "soft" }, say("Thinking…")));
    announce(say("Thinking…"));
    const thinks = this.now?.view && (await this.think(this.now).catch(() => false));
    if (!thinks && this.position === position) this.askServer(position);
  }

  /** @param {number} position */
  async askServer(position) {
    const answer = await this.ask(position);
    if (this.position !== position) return;
    if (answer.type !== "hints") return this.clear();
    this.show(answer.hints);
  }

  /**
   * Let the visitor's own engine think about a position for as long as its hints are looked at; false if it cannot.
   * @param {Now} now
   */
  async think(now) {
    const { position, actions = [], choices = [] } = now;
    const { bestOf, fromBase64 } = await import(ENGINE);
    await this.prepare(now);
    if (this.position !== position) return true;
    if (!this.engine) return false;
    this.tired = setTimeout(() => this.position === position && this.engine.stop(), LONGEST);
    this.engine.ponder(
      fromBase64(now.view),
      (/** @type {any} */ found) => {
        const best = bestOf(found, SHOWN).map((/** @type {any} */ { place, chance }) => ({
          action: actions[place],
          words: choices.find((choice) => choice.action === actions[place])?.words ?? "",
          chance,
        }));
        if (this.position === position) this.show(best);
      },
      () => this.position === position && this.askServer(position),
    );
    return true;
  }

  /**
   * Ask the server what the hints do, in words, and show it; it does not think.
   * @param {Hint[]} hints
   */
  async explain(hints) {
    const { text = "", position } = /** @type {Now} */ (this.now);
    const asked = hints.filter(({ action }) => !this.facts.has(action));
    if (!asked.length) return;
    for (const { action } of asked) this.facts.set(action, "");
    const query = new URLSearchParams([["text", text], ...asked.map(({ action }) => ["action", action])]);
    const answer = await fetch(`/coach?${query}`).catch(() => null);
    if (!answer?.ok) return;
    const { facts } = await answer.json();
    if (this.position !== position) return;
    for (const [action, words] of Object.entries(facts)) {
      this.facts.set(action, words);
      const row = /** @type {HTMLElement | null} */ (this.place.querySelector(`[data-action="${CSS.escape(action)}"]`));
      row?.querySelector("em")?.replaceChildren(words);
      if (row) row.title = [row.title, words].filter(Boolean).join(" · ");
    }
  }

  /**
   * Show hints, or what is new about them. Nothing moves under a pointer, or once the focus has gone on from the best.
   * @param {Hint[]} hints
   */
  show(hints) {
    const rows = [.../** @type {NodeListOf<HTMLElement>} */ (this.place.querySelectorAll(".hint"))];
    const shown = hints.filter(({ action }) => this.choice(action));
    const less = (/** @type {number} */ k) => (k ? shown[0].chance - shown[k].chance : null);
    const facts = (/** @type {string} */ action) => this.facts.get(action) ?? "";
    this.explain(shown);
    if (rows.length && rows.map((row) => row.dataset.action).join() === shown.map(({ action }) => action).join()) {
      shown.forEach(({ action, words, chance }, k) => {
        rows[k].replaceChildren(...worth(words, chance, less(k), facts(action)));
        rows[k].setAttribute("aria-label", label(words, chance, facts(action)));
      });
      return;
    }
    const focused = this.place.contains(document.activeElement);
    if (rows.length && (this.place.matches(":hover") || (focused && document.activeElement !== rows[0]))) return;
    this.place.replaceChildren(...shown.map((hint, k) => this.row(hint, less(k))));
    this.place.append(make("button", { class: "shut-hints", "aria-label": say("Close"), click: () => this.clear() }, "×"));
    if (!rows.length) {
      this.picking.asked(say("The win chance after each move"));
      announce(shown.map(({ words, chance }) => label(words, chance)).join(" · "));
    }
    const free = document.activeElement === this.button || document.activeElement === document.body;
    if (focused || (free && !rows.length)) this.place.querySelector("button")?.focus();
  }

  /** @param {string} action */
  choice(action) {
    const found = this.picking.choices.find((choice) => choice.action === action);
    return found?.any_order ? { ...found, picks: found.picks.slice(0, 1), then: [], any_order: false } : found;
  }

  /**
   * @param {Hint} hint
   * @param {number | null} less how much less than the best; null for the best
   */
  row({ action, words, chance }, less) {
    const look = () => this.picking.peek(this.choice(action));
    const leave = () => this.picking.peek(null);
    return make(
      "button",
      {
        class: "hint",
        title: words,
        "data-action": action,
        "aria-label": label(words, chance),
        pointerenter: (/** @type {PointerEvent} */ event) => event.pointerType === "touch" || look(),
        pointerleave: leave,
        focus: (/** @type {any} */ event) => event.target.matches(":focus-visible") && look(),
        blur: leave,
        click: () => {
          const choice = this.choice(action);
          if (choice) this.picking.takeUp(choice);
        },
      },
      ...worth(words, chance, less, this.facts.get(action)),
    );
  }
}

/**
 * A move with its chance to win, how much less that is than the best one's, and what it does.
 * @param {string} words
 * @param {number} chance
 * @param {number | null} less
 * @param {string} facts
 */
export function worth(words, chance, less, facts = "") {
  const behind = less !== null && less < 0.005 ? "≈" : `−${Math.round(100 * (less ?? 0))}`;
  return [
    make("b", {}, say("win chance {chance}", { chance: percent(chance) })),
    less === null ? make("i", { class: "best" }, "★") : make("i", {}, behind),
    make("span", { class: "said" }, make("span", {}, words), make("em", {}, facts)),
  ];
}

/**
 * @param {string} words
 * @param {number} chance
 * @param {string} facts
 */
function label(words, chance, facts = "") {
  const said = say("{words}: win chance {chance}", { words, chance: percent(chance) });
  return facts ? `${said} · ${facts}` : said;
}

/** @param {number} chance */
function percent(chance) {
  return chance.toLocaleString(document.documentElement.lang, { style: "percent" });
}
