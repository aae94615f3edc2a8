// A round is scored: a heading, and the lines of all seats side by side while their points appear on the boards.

import { overFactories } from "./moment.js";
import { shortName } from "./site.js";
import { announce, make, say } from "./words.js";

/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("protocol").Step} Step */

export class Scoring {
  /**
   * @param {Board} board
   * @param {object} given
   * @param {number} given.round
   * @param {string[]} given.names
   * @param {number[]} given.scores before it
   */
  constructor(board, { round, names, scores }) {
    this.board = board;
    this.heading = say("Round {round} is scored", { round });
    this.scores = [...scores];
    this.columns = names.map((name, seat) => {
      const score = make("b", {}, String(scores[seat]));
      const lines = make("ul");
      const short = shortName(name, names.length);
      return { score, lines, whole: make("div", {}, make("h3", {}, make("span", {}, short), score), lines) };
    });
    this.panel = make(
      "section",
      { class: "moment scored", "aria-label": this.heading },
      make("h2", {}, this.heading),
      make("div", {}, ...this.columns.map(({ whole }) => whole)),
    );
  }

  get seats() {
    return this.columns.length;
  }

  open() {
    this.board.container.after(this.panel);
    overFactories(this.board, this.panel, this.seats > 2 ? 360 : 240);
    for (const text of this.board.svg.querySelectorAll('[id$=".projected"], .sum')) text.classList.add("gone");
    announce(this.heading);
  }

  /**
   * Lines that are scored at one moment.
   * @param {Step[]} steps
   */
  tell(steps) {
    for (const { seat, words, points } of steps) {
      if (seat == null || !words || !points) continue;
      const { score, lines } = this.columns[seat];
      lines.append(make("li", { class: points < 0 ? "loss" : "" }, words.replace(/ (?=[+−]\d+$)/, "\u00a0")));
      lines.scrollTop = lines.scrollHeight;
      this.scores[seat] += points;
      score.textContent = String(this.scores[seat]);
      const shown = this.board.place(`seat-${seat}.score`);
      if (shown) shown.textContent = String(this.scores[seat]);
    }
  }

  close() {
    this.panel.remove();
  }
}
