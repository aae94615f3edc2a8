// A position set up by hand: a tile is chosen and put on places of the board, or taken off; round, turn and scores are
// entered. The server changes the text of the position and says what is impossible about it.

import { lens, part } from "./site.js";
import { announce, make, say } from "./words.js";

/** @typedef {{letter: string, words: string, shape: string}} Piece */
/** @typedef {{text: string, board: string, wrong: string, pieces: Piece[], names: string[], round: number, seat: number, start: number, scores: number[]}} Arranged */

export class SetUp {
  open = false;
  restore = () => {}; // gives the board back to what it showed
  letter = ""; // what is put; empty: tiles are taken off
  /** @type {Arranged | null} */
  now = null;
  asking = Promise.resolve(); // one change after another

  /**
   * @param {object} parts
   * @param {import("./study.js").Study} parts.study
   * @param {string} parts.theme
   * @param {(shape: string) => Element} parts.picture a small picture of a tile
   * @param {(text: string | null) => void} parts.done the position is set up; null: it is left as it was
   */
  constructor({ study, theme, picture, done }) {
    this.study = study;
    this.theme = theme;
    this.picture = picture;
    this.done = done;
    study.board.container.addEventListener("click", (event) => this.open && this.touch(/** @type {Element} */ (event.target)));
    part("set-text").addEventListener("change", () => this.change({}, part("set-text").value.trim()));
    part("set-done").addEventListener("click", () => this.close(this.now?.text ?? null));
    part("set-cancel").addEventListener("click", () => this.close(null));
    for (const id of ["set-round", "set-seat", "set-start"]) part(id).addEventListener("change", () => this.number(id));
  }

  /** @param {string} text */
  begin(text) {
    this.open = true;
    const { redraw } = this.study;
    this.restore = () => (this.study.redraw = redraw);
    this.study.redraw = () => this.change({}, this.now?.text ?? text);
    this.study.lock();
    part("setup").hidden = false;
    return this.change({}, text);
  }

  /** @param {string | null} text */
  close(text) {
    this.open = false;
    this.restore();
    part("setup").hidden = true;
    this.study.unlock();
    this.done(text);
  }

  /** @param {Element} target */
  touch(target) {
    const place = target.closest("[id]");
    if (place && this.study.board.svg?.contains(place)) this.change({ place: place.id, piece: this.letter });
  }

  /** @param {string} id */
  number(id) {
    this.change({ [id.slice("set-".length)]: part(id).value });
  }

  /**
   * Change the position, after the changes before, or another one.
   * @param {Record<string, string>} change
   * @param {string} [text]
   */
  change(change, text) {
    return (this.asking = this.asking.catch(() => {}).then(() => this.ask(text ?? this.now?.text ?? "", change)));
  }

  /**
   * Ask for a changed position, and show it.
   * @param {string} text
   * @param {Record<string, string>} change
   */
  async ask(text, change) {
    const query = new URLSearchParams({ text, ...change, ...lens(this.theme, this.study.board.container) });
    for (const name of this.study.names) query.append("name", name);
    const answer = await fetch(`/position/arranged?${query}`);
    const found = await answer.json().catch(() => ({}));
    if (!this.open) return;
    if (!answer.ok) return this.complain(found.message ?? answer.statusText);
    this.now = found;
    this.show(found);
  }

  /** @param {string} words */
  complain(words) {
    part("wrong").textContent = words;
    if (words) announce(words);
  }

  /** @param {Arranged} found */
  show({ text, board, wrong, pieces, names, round, seat, start, scores }) {
    this.study.board.show(board);
    part("set-text").value = text;
    part("set-round").value = String(round);
    for (const [id, value] of /** @type {[string, number][]} */ ([["set-seat", seat], ["set-start", start]])) {
      part(id).replaceChildren(...names.map((name, k) => make("option", { value: String(k), selected: k === value }, name)));
    }
    part("set-scores").replaceChildren(
      ...names.map((name, k) => {
        const input = make("input", { type: "number", min: "0", value: String(scores[k]), change: () => this.scored() });
        return make("label", {}, name, input);
      }),
    );
    const all = [...pieces, { letter: "", words: say("Take off"), shape: "" }];
    part("pieces").replaceChildren(
      ...all.map(({ letter, words, shape }) =>
        make(
          "button",
          { "data-piece": letter, title: words, "aria-label": words, "aria-pressed": String(letter === this.letter), click: () => this.choose(letter) },
          shape ? this.picture(shape) : words,
        ),
      ),
    );
    part("set-done").disabled = Boolean(wrong);
    this.complain(wrong);
  }

  scored() {
    const scores = [...part("set-scores").querySelectorAll("input")].map((input) => input.value);
    this.change({ scores: scores.join() });
  }

  /** @param {string} letter */
  choose(letter) {
    this.letter = letter;
    for (const button of part("pieces").children) button.setAttribute("aria-pressed", String(button.dataset.piece === letter));
  }
}
