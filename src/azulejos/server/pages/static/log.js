// The log, and stepping through what has been played.

import { make, say } from "./words.js";

export class Log {
  // `look(number)`: show the position after so many actions; null for the game itself.
  constructor({ list, stepper, output, look }) {
    Object.assign(this, { list, stepper, output, look });
    this.names = [];
    this.total = 0; // actions played
    this.at = null; // the position that is looked at; null: the last
    this.round = 0;
    for (const button of stepper.querySelectorAll("[data-step]")) {
      button.addEventListener("click", () => this.step(button.dataset.step));
    }
    list.addEventListener("keydown", (event) => {
      const steps = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
      if (!steps[event.key]) return;
      event.preventDefault();
      this.step(steps[event.key]);
    });
  }

  clear() {
    this.list.replaceChildren();
    this.round = 0;
    this.total = 0;
  }

  add(entry) {
    const actions = entry.actions ?? 0; // a 0 is not sent
    if (entry.kind === "taken back") {
      for (const item of [...this.list.children]) {
        if (Number(item.dataset.actions) > actions) item.classList.add("undone");
      }
    }
    this.total = actions;
    if (entry.round && entry.round !== this.round && entry.kind !== "played") this.head(entry.round);
    const name = entry.action ? this.names[entry.seat] : null;
    const item = make("li", { class: entry.kind.replace(" ", "-") });
    if (entry.action) {
      item.dataset.actions = actions;
      item.append(
        make(
          "button",
          { class: "entry", click: () => this.go(actions) },
          make("b", {}, name ?? ""),
          " ",
          make("code", {}, entry.action),
          " ",
          entry.words,
        ),
      );
      const told = (entry.steps ?? []).filter((step) => step.words);
      if (told.length) {
        item.append(
          make("ul", {}, ...told.map((step) => make("li", {}, this.owned(step, entry.seat) + step.words))),
        );
      }
    } else item.append(entry.words);
    this.list.append(item);
    if (entry.kind === "played" && entry.round !== this.round) this.head(entry.round);
    this.number();
  }

  owned(step, seat) {
    return step.seat != null && step.seat !== seat ? `${this.names[step.seat]}: ` : "";
  }

  head(round) {
    this.round = round;
    this.list.append(make("li", { class: "round" }, say("Round {round}", { round })));
  }

  step(where) {
    const at = this.at ?? this.total;
    const to = { first: 0, back: at - 1, on: at + 1, last: this.total }[where];
    this.go(Math.max(0, Math.min(to, this.total)));
  }

  go(number) {
    this.at = number >= this.total ? null : number;
    this.number();
    scrollTo({ top: 0 }); // on a phone the boards lie above the log
    this.look(this.at);
  }

  number() {
    this.output.textContent = `${this.at ?? this.total} / ${this.total}`;
    for (const item of this.list.querySelectorAll("[data-actions]")) {
      const here = Number(item.dataset.actions) === this.at;
      item.toggleAttribute("aria-current", here);
      if (here) this.list.scrollTop = item.offsetTop - this.list.clientHeight / 2;
    }
    if (this.at === null) this.list.scrollTop = this.list.scrollHeight;
  }
}
