// A coach in a first game: one short tip a turn, at the moment where it helps, each kind twice at most.

import { get, set } from "./progress.js";
import { settings } from "./settings.js";
import { part } from "./site.js";
import { announce } from "./words.js";

/** @typedef {import("protocol").Choice} Choice */
/** @typedef {import("./picking.js").Picking} Picking */

const MOST = 2; // tips of a kind
const FEW = 8; // choices of which tips are asked
const RESTS = 400; // milliseconds that a pointer rests on a place

export class Tips {
  /**
   * @param {Picking} picking
   * @param {string} source the table's address
   */
  constructor(picking, source) {
    this.picking = picking;
    this.source = source;
    this.position = -1; // at which the last tip was told
    this.now = 0;
    this.timer = 0;
    if (location.hash === "#coach") {
      history.replaceState(null, "", location.pathname);
      set("coach", {});
      this.turn(true);
    }
    part("tips-off").addEventListener("click", () => this.turn(false));
    const rest = (/** @type {Event} */ { target }) => this.rest(/** @type {Element} */ (target).closest(".can, [data-place]"));
    for (const place of [picking.board.container, picking.buttons]) {
      place.addEventListener("pointerover", rest);
      place.addEventListener("focusin", rest);
    }
  }

  /**
   * Switch the tips on or off: the setting.
   * @param {boolean} on
   */
  turn(on) {
    part("coach").checked = on;
    part("coach").dispatchEvent(new Event("change"));
    if (!on) part("tip").hidden = true;
  }

  /**
   * Another position: what was said of the last one is over.
   * @param {number} position
   */
  follow(position) {
    if (position !== this.now) part("tip").hidden = true;
    this.now = position;
  }

  /**
   * Something that can be picked is looked at.
   * @param {Element | null} element
   */
  rest(element) {
    clearTimeout(this.timer);
    const place = element && (element.id || /** @type {HTMLElement} */ (element).dataset.place);
    const option = place && this.picking.picks.next().get(place);
    if (option) this.timer = window.setTimeout(() => this.consider(option.choices), RESTS);
  }

  /** Something was picked. */
  picked() {
    const { picks } = this.picking;
    if (picks.depth && !picks.peeking) this.consider(picks.under(picks.picked));
  }

  /**
   * A tip that all these choices have.
   * @param {Choice[]} choices
   */
  async consider(choices) {
    const at = this.now;
    if (!settings.coach || this.position === at || !choices.length || choices.length > FEW) return;
    const query = new URLSearchParams(choices.map(({ action }) => ["action", action]));
    const answer = await fetch(`${this.source}/tips?${query}`);
    if (!answer.ok || at !== this.now || this.position === at) return;
    /** @type {Record<string, {kind: string, words: string}>} */
    const found = await answer.json();
    const [first, ...others] = choices.map(({ action }) => found[action]);
    if (!first || others.some((other) => other?.kind !== first.kind)) return;
    /** @type {Record<string, number>} */
    const told = get("coach", {});
    if ((told[first.kind] ?? 0) >= MOST) return;
    set("coach", { ...told, [first.kind]: (told[first.kind] ?? 0) + 1 });
    this.position = at;
    part("tip-words").textContent = first.words;
    part("tip").hidden = false;
    announce(first.words);
  }
}
