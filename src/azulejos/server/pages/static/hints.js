// Advice: the best moves, asked of the server. Each can be looked at on the board, and taken up as a half-made move.

import { announce, make, say } from "./words.js";

export class Hints {
  // `ask()`: the server's answer. `picking`: whose choices the hints are among.
  constructor({ place, button, picking, ask }) {
    Object.assign(this, { place, button, picking, ask });
    this.position = null; // the position that hints were asked for
    button.addEventListener("click", () => (this.position === null ? this.want() : this.clear()));
    place.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.clear();
      this.button.focus();
    });
  }

  // What is on the table now; hints for another position are forgotten.
  follow(now, myTurn) {
    this.now = now;
    this.button.hidden = !now.can_ask_hint || !myTurn;
    if (this.position !== null && this.position !== now.position) this.clear();
  }

  clear() {
    this.position = null;
    this.picking.peek(null);
    this.place.replaceChildren();
    this.button.setAttribute("aria-pressed", "false");
  }

  async want() {
    const { position } = this.now;
    this.position = position;
    this.button.setAttribute("aria-pressed", "true");
    this.picking.reset();
    this.place.replaceChildren(make("p", { class: "soft" }, say("Thinking…")));
    announce(say("Thinking…"));
    const answer = await this.ask(position);
    if (this.position !== position) return;
    if (answer.type !== "hints") return this.clear();
    const shown = answer.hints.filter(({ action }) => this.choice(action));
    this.place.replaceChildren(...shown.map((hint, k) => this.row(hint, k ? shown[0].chance - hint.chance : null)));
    this.place.append(make("button", { class: "shut-hints", "aria-label": say("Close"), click: () => this.clear() }, "×"));
    announce(shown.map(({ words, chance }) => `${words}: ${percent(chance)}`).join("; "));
    if (document.activeElement === this.button || document.activeElement === document.body) this.place.firstChild.focus();
  }

  choice(action) {
    return this.picking.choices.find((choice) => choice.action === action);
  }

  // `less`: how much less than the best; null for the best.
  row({ action, words, chance }, less) {
    const look = () => this.picking.peek(this.choice(action));
    const leave = () => this.picking.peek(null);
    return make(
      "button",
      {
        class: "hint",
        title: words,
        "aria-label": say("{words}: win chance {chance}", { words, chance: percent(chance) }),
        pointerenter: (event) => event.pointerType === "touch" || look(),
        pointerleave: leave,
        focus: (event) => event.target.matches(":focus-visible") && look(),
        blur: leave,
        click: () => this.picking.takeUp(this.choice(action)),
      },
      ...worth(action, words, chance, less),
    );
  }
}

// A move with its chance to win, and how much less that is than the best one's.
export function worth(action, words, chance, less) {
  const behind = less < 0.005 ? "≈" : `−${Math.round(100 * less)}`;
  return [
    make("b", {}, percent(chance)),
    less === null ? make("i", { class: "best" }, "★") : make("i", {}, behind),
    make("code", {}, action),
    make("span", {}, words),
  ];
}

function percent(chance) {
  return chance.toLocaleString(document.documentElement.lang, { style: "percent" });
}
