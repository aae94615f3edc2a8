// The log, and stepping through what has been played.

import { make, say } from "./words.js";

/** @typedef {import("protocol").Told} Told */
/** @typedef {import("protocol").Step} Step */

/** Keys that step, and where to. */
export const STEPS = new Map([
  ["ArrowLeft", "back"],
  ["ArrowRight", "on"],
  ["Home", "first"],
  ["End", "last"],
]);

export class Log {
  /** @type {string[]} */
  names = [];
  total = 0; // actions played
  /** @type {number | null} */
  at = null; // the position that is looked at; null: the last
  round = 0;

  /**
   * @param {object} parts
   * @param {HTMLElement} parts.list
   * @param {HTMLElement} parts.stepper
   * @param {HTMLElement} parts.output
   * @param {(number: number | null) => void} parts.look shows the position after so many actions; null: the game itself
   */
  constructor({ list, stepper, output, look }) {
    this.list = list;
    this.stepper = stepper;
    this.output = output;
    this.look = look;
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (stepper.querySelectorAll("[data-step]"))) {
      button.addEventListener("click", () => this.step(button.dataset.step ?? "last"));
    }
    list.addEventListener("keydown", (event) => {
      const where = STEPS.get(event.key);
      if (!where) return;
      event.preventDefault();
      this.step(where);
    });
  }

  clear() {
    this.list.replaceChildren();
    this.round = 0;
    this.total = 0;
  }

  /** @param {Omit<Told, "number">} entry */
  add(entry) {
    const actions = entry.actions ?? 0; // a 0 is not sent
    if (entry.kind === "taken back") {
      for (const item of this.items()) {
        if (Number(item.dataset.actions) <= actions) continue;
        item.classList.add("undone");
        delete item.dataset.actions; // the moves that follow have its numbers
        item.toggleAttribute("aria-current", false);
        item.querySelector("button")?.setAttribute("disabled", "");
      }
    }
    this.total = actions;
    if (entry.round && entry.round !== this.round && entry.kind !== "played") this.head(entry.round);
    const name = entry.action && entry.seat != null ? this.names[entry.seat] : null;
    const item = make("li", { class: entry.kind.replace(" ", "-") });
    if (entry.action) {
      item.dataset.actions = String(actions);
      item.append(
        make(
          "button",
          { class: "entry", click: () => this.go(actions) },
          make("b", {}, name ?? ""),
          " ",
          entry.words,
        ),
      );
      const told = (entry.steps ?? []).filter((step) => step.words);
      if (told.length) {
        const several = told.some((step) => step.seat != null && step.seat !== entry.seat);
        item.append(make("ul", {}, ...told.map((step) => make("li", {}, several ? this.owned(step) : step.words))));
      }
    } else item.append(entry.words);
    this.list.append(item);
    if (entry.kind === "played" && entry.round && entry.round !== this.round) this.head(entry.round);
    this.number();
  }

  items() {
    return /** @type {NodeListOf<HTMLElement>} */ (this.list.querySelectorAll("[data-actions]"));
  }

  /**
   * A step with the name of its seat.
   * @param {Step} step
   */
  owned({ seat, words }) {
    return seat == null ? words : say("{what}: {how}", { what: this.names[seat], how: words });
  }

  /** @param {number} round */
  head(round) {
    this.round = round;
    this.list.append(make("li", { class: "round" }, say("Round {round}", { round })));
  }

  /** @param {string} where */
  step(where) {
    const at = this.at ?? this.total;
    const to = new Map([["first", 0], ["back", at - 1], ["on", at + 1], ["last", this.total]]).get(where);
    this.go(Math.max(0, Math.min(to ?? at, this.total)));
  }

  /** @param {number} number */
  go(number) {
    this.at = number >= this.total ? null : number;
    this.number();
    scrollTo({ top: 0 }); // on a phone the boards lie above the log
    this.look(this.at);
  }

  number() {
    this.output.textContent = `${this.at ?? this.total} / ${this.total}`;
    for (const item of this.items()) {
      const here = Number(item.dataset.actions) === this.at;
      item.toggleAttribute("aria-current", here);
      if (here) this.list.scrollTop = item.offsetTop - this.list.clientHeight / 2;
    }
    if (this.at === null) this.list.scrollTop = this.list.scrollHeight;
  }
}
