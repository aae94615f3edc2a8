// Advice: the best moves, asked of the server. Each can be looked at on the board, and taken up as a half-made move.

import { seatFor } from "./site.js";
import { announce, make, say } from "./words.js";

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
  }

  clear() {
    this.position = null;
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
    const answer = await this.ask(position);
    if (this.position !== position) return;
    if (answer.type !== "hints") return this.clear();
    /** @type {Hint[]} */
    const all = answer.hints;
    const shown = all.filter(({ action }) => this.choice(action));
    this.place.replaceChildren(...shown.map((hint, k) => this.row(hint, k ? shown[0].chance - hint.chance : null)));
    this.picking.asked(say("The win chance after each move"));
    this.place.append(make("button", { class: "shut-hints", "aria-label": say("Close"), click: () => this.clear() }, "×"));
    announce(shown.map(({ words, chance }) => say("{words}: win chance {chance}", { words, chance: percent(chance) })).join(" · "));
    if (document.activeElement === this.button || document.activeElement === document.body) this.place.querySelector("button")?.focus();
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
        "aria-label": say("{words}: win chance {chance}", { words, chance: percent(chance) }),
        pointerenter: (/** @type {PointerEvent} */ event) => event.pointerType === "touch" || look(),
        pointerleave: leave,
        focus: (/** @type {any} */ event) => event.target.matches(":focus-visible") && look(),
        blur: leave,
        click: () => {
          const choice = this.choice(action);
          if (choice) this.picking.takeUp(choice);
        },
      },
      ...worth(words, chance, less),
    );
  }
}

/**
 * A move with its chance to win, and how much less that is than the best one's.
 * @param {string} words
 * @param {number} chance
 * @param {number | null} less
 */
export function worth(words, chance, less) {
  const behind = less !== null && less < 0.005 ? "≈" : `−${Math.round(100 * (less ?? 0))}`;
  return [
    make("b", {}, percent(chance)),
    less === null ? make("i", { class: "best" }, "★") : make("i", {}, behind),
    make("span", {}, words),
  ];
}

/** @param {number} chance */
function percent(chance) {
  return chance.toLocaleString(document.documentElement.lang, { style: "percent" });
}
