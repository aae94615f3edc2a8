// Picking on the board: place after place, with a preview of each, until an action is whole.

import { focus, followKeyboard } from "./keyboard.js";
import { enable, fall, foresee, foretell, hold, pickable, reach, unmark } from "./marking.js";
import { Picks } from "./picks.js";
import { followPointer } from "./pointer.js";
import { scrolls } from "./site.js";
import { announce, make, say } from "./words.js";

/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("./picks.js").Option} Option */
/** @typedef {import("protocol").Choice} Choice */
/** @typedef {import("protocol").Closed} Closed */

/**
 * @typedef Parts
 * @property {(choice: Choice) => void} play an action has been made
 * @property {(words: string | null) => void} asked what is asked now
 * @property {{confirm: boolean}} settings `confirm`: ask before an action is made
 * @property {HTMLElement} preview
 * @property {HTMLElement} buttons
 */

export class Picking {
  /**
   * @param {Board} board
   * @param {Parts} parts
   */
  constructor(board, { play, asked, settings, preview, buttons }) {
    this.board = board;
    this.play = play;
    this.asked = asked;
    this.settings = settings;
    this.preview = preview;
    this.buttons = buttons;
    this.picks = new Picks();
    /** @type {number | null} */
    this.score = 0; // what the round would bring as it is; null: it is not said
    this.last = ""; // the last move, in words
    this.why = ""; // why nothing else can be picked
    this.shut = ""; // why nothing at all can be picked for now
    /** @type {string[]} */
    this.near = []; // what a finger may have meant instead of the last pick, and that pick
    /** @type {Option | null} */
    this.first = null; // the choice in words that most people want
    this.list = make("div", { class: "list" });
    this.byKeyboard = false;
    /** @type {Element | null} */
    this.from = null; // what had the focus before a choice was taken up
    followPointer(this);
    followKeyboard(this);
  }

  get depth() {
    return this.picks.depth;
  }

  get choices() {
    return this.picks.choices;
  }

  /**
   * What may be chosen now; nothing if it is not my turn. Half a move stays where the choices are the same: then the
   * position is drawn anew, in another layout. `score`: the projected one.
   * @param {Choice[]} choices
   * @param {Closed[]} closed
   * @param {number | null} score
   */
  offer(choices, closed = [], score = 0) {
    const { choices: before, picked, whole } = this.picks;
    this.picks.offer(choices, closed);
    const actions = (/** @type {Choice[]} */ some) => some.map(({ action }) => action).join();
    if (!whole && actions(before) === actions(this.picks.choices)) this.picks.picked = picked;
    this.score = score;
    this.near = [];
    this.draw();
    if (this.byKeyboard) this.focusFirst();
  }

  /**
   * Nothing can be picked for now; what is picked stays.
   * @param {string} why
   */
  close(why) {
    this.shut = why;
    this.draw();
  }

  /** The board is open again. */
  reopen() {
    this.shut = "";
    this.draw();
  }

  reset() {
    this.picks.reset();
    this.near = [];
    this.draw();
  }

  /**
   * Look at a choice as if it were made; null: no more.
   * @param {Choice | null | undefined} choice
   */
  peek(choice) {
    if (choice) this.picks.peek(choice);
    else if (this.picks.peeking) return this.reset();
    if (choice) this.draw();
  }

  /**
   * Take a choice up: half-made, it waits to be confirmed.
   * @param {Choice} choice
   */
  takeUp(choice) {
    this.from = document.activeElement;
    this.picks.takeUp(choice);
    this.draw();
    announce(choice.words);
    this.buttons.querySelector("button")?.focus();
  }

  /** @param {string} place */
  pick(place) {
    if (this.shut) return;
    const found = this.picks.pick(place, this.settings.confirm && place !== this.first?.pick.place);
    if (!found) return;
    if (found.done) return this.finish(found.done);
    this.near = [];
    this.draw();
    const { whole } = this.picks;
    announce(whole ? whole.words : say("{what}: {how}", { what: found.option.pick.words, how: found.option.pick.asks ?? "" }));
    if (this.byKeyboard) this.focusFirst(place);
  }

  /** @param {Choice} choice */
  finish(choice) {
    this.offer([]);
    this.play(choice);
  }

  /** Undo the last pick; nobody else ever saw it. */
  back() {
    if (!this.depth) return;
    const { taken } = this.picks;
    const last = this.picks.back();
    this.near = [];
    this.draw();
    if (taken) /** @type {HTMLElement | null} */ (this.from)?.focus();
    else if (this.byKeyboard) this.focusFirst(last);
  }

  /**
   * Pick what was pressed, or undo.
   * @param {Element} target
   * @returns {string | null} what was picked
   */
  choose(target) {
    if (this.picks.peeking) this.reset();
    this.byKeyboard = false;
    if (this.shut) {
      this.refuse(this.shut);
      announce(this.shut);
      return null;
    }
    const element = target.closest(".can");
    if (element) this.pick(element.id);
    else if (target.closest(".held")) this.back();
    else if (target.closest(".shut")) this.deny(target);
    else if (this.depth && this.repick(target)) return this.picks.picked.at(-1) ?? null;
    else this.deny(target);
    return element?.id ?? null;
  }

  /**
   * A place that could have been picked some steps before is picked instead.
   * @param {Element} target
   */
  repick(target) {
    const places = [];
    for (let element = target; element && element !== this.board.container; ) {
      places.push(element.id);
      element = /** @type {Element} */ (element.parentElement);
    }
    const place = this.picks.rewind(places);
    if (place) this.pick(place);
    return place;
  }

  /**
   * A place was pressed that does nothing: say why not.
   * @param {Element} target
   */
  deny(target) {
    const shut = target.closest(".shut");
    const place = target.closest("#board [id]");
    if (!shut && (!place || place.tagName === "svg")) return;
    const why = this.picks.shut.find((closed) => closed.place === shut?.id)?.why ?? (this.picks.made.at(-1)?.asks || this.why);
    if (!why) return;
    this.refuse(why);
    announce(why);
  }

  // --- showing ---

  draw() {
    const { picks, board } = this;
    const next = picks.next();
    unmark(board);
    board.clearSky();
    const own = [...next.keys()].filter((place) => place.startsWith("seat-"));
    const hand = own.filter((place) => place.includes(".hand.")); // the tiles show what they reach
    const outlined = new Set(hand.length ? hand : own); // where something may go, not all that may be taken
    this.list = make("div", { class: "list" });
    this.buttons.replaceChildren(this.list);
    hold(board, picks.picked);
    board.container.classList.toggle("closed", this.shut !== "");
    if (this.shut) return this.refuse(this.shut);
    let first = true;
    for (const [place, option] of picks.peeking ? [] : next) {
      const element = board.place(place);
      if (element) {
        enable(element, this.describe(option), first);
        element.classList.toggle("quiet", !outlined.has(place));
        first = false;
      } else if (!picks.whole) this.list.append(this.button(place, option));
    }
    for (const { place } of picks.shut) board.place(place)?.classList.add("shut");
    this.preselect(next);
    this.drawNear();
    this.align(own[0]);
    const { whole } = picks;
    if (whole && !picks.peeking) this.confirmation(whole);
    if (this.depth && !picks.peeking) {
      this.buttons.append(make("button", { class: "cancel", click: () => this.back() }, say("Cancel")));
    }
    this.preview.parentElement?.classList.toggle("picking", this.depth > 0 && !picks.peeking);
    this.tell(null);
  }

  /**
   * The buttons end where the board of the seat ends to which a place belongs, so that they are near it.
   * @param {string | undefined} place
   */
  align(place) {
    const board = place && !scrolls() && this.board.place(place.split(".")[0]);
    const right = this.buttons.parentElement?.getBoundingClientRect().right ?? 0;
    const margin = board ? Math.max(0, right - board.getBoundingClientRect().right - 14) : 0;
    this.buttons.style.marginRight = `${margin}px`;
  }

  /** @param {Option} option */
  describe({ pick, choices }) {
    if (choices.length > 1 || choices[0].picks.length > this.picks.settled.length + 1) return pick.words;
    return `${pick.words}. ${choices[0].preview.words}`;
  }

  /**
   * @param {string} place
   * @param {Option} option
   */
  button(place, option) {
    const look = () => this.tell(option);
    const acts = { "data-place": place, click: () => this.pick(place), pointerover: look, focus: look };
    return make("button", acts, option.pick.words);
  }

  /**
   * Where only choices in words are left, the first is the one that most people want: what it would do is shown.
   * @param {Map<string, Option>} next
   */
  preselect(next) {
    const button = this.list.querySelector("button");
    this.first = (button && !pickable(this.board).length && next.get(button.dataset.place ?? "")) || null;
    if (this.first) button?.classList.add("main");
  }

  /**
   * Offer what a finger may have meant instead of the place that it picked last.
   * @param {string} place
   * @param {string[]} near
   */
  offerNear(place, near) {
    if (place !== this.picks.picked.at(-1)) return;
    this.near = near;
    this.draw();
  }

  /** Large buttons for what lies so close together that a finger may miss it. */
  drawNear() {
    const { picks, near } = this;
    const before = picks.picked.slice(0, -1);
    const words = new Map(picks.under(before).map(({ picks }) => [picks[before.length]?.place, picks[before.length]?.words]));
    for (const place of near) {
      const pressed = place === picks.picked.at(-1);
      if (pressed && this.first) continue; // beside choices in words: only what else there is
      const change = () => {
        picks.picked = before;
        picks.whole = null;
        this.pick(place);
        this.offerNear(place, near);
      };
      const button = make("button", { "data-near": place, "aria-pressed": String(pressed) }, words.get(place) ?? "");
      if (!pressed) button.addEventListener("click", change);
      this.list.append(button);
    }
  }

  /** @param {Choice} whole */
  confirmation(whole) {
    const acts = { class: "main confirm", "data-place": "confirm", click: () => this.finish(whole) };
    this.buttons.append(make("button", acts, say("Confirm")));
  }

  // --- looking ahead ---

  /** @param {Element | null} target */
  point(target) {
    if (this.picks.peeking) this.reset();
    const shut = target?.closest(".shut");
    if (shut) return this.refuse(this.picks.shut.find(({ place }) => place === shut.id)?.why ?? "");
    const element = target?.closest(".can");
    this.tell((element && this.picks.next().get(element.id)) ?? null);
  }

  /**
   * Say why a place cannot be picked.
   * @param {string} why
   */
  refuse(why) {
    this.board.clearSky();
    foretell(this.board, null);
    this.preview.className = "preview loss";
    this.preview.textContent = why;
  }

  /**
   * Say and show what a pick would do; without one, what has been picked does.
   * @param {Option | null} pointed
   */
  tell(pointed) {
    const found = pointed ?? this.first;
    const { made, whole } = this.picks;
    this.board.clearSky();
    foretell(this.board, null);
    fall(this.board, [...made, ...(found ? [found.pick] : [])].flatMap(({ falls = [] }) => falls));
    reach(this.board, pointed ? pointed.choices.flatMap(({ picks }) => picks[this.picks.settled.length + 1]?.place ?? []) : []);
    this.preview.className = "preview";
    this.preview.textContent = "";
    if (!this.depth && !found && this.last) {
      this.preview.className = "preview last";
      this.preview.textContent = this.last;
    }
    if (!this.choices.length) return;
    const [several] = this.picks.under(this.picks.picked).filter(({ any_order }) => any_order && this.depth);
    const asks = whole ? "" : several ? this.why : made.at(-1)?.asks;
    this.asked(made.map(({ words }) => words).join(" · ") + (asks ? ` – ${asks}` : "") || null);
    if (found?.choices.length === 1) this.show(found.choices[0]);
    else if (found) this.common(found);
    else if (whole) this.show(whole);
  }

  /**
   * Say and show what a pick brings, whichever of its choices follows.
   * @param {Option} option
   */
  common({ pick, choices }) {
    const [{ preview }, ...others] = choices;
    const same = (/** @type {{place: string, text: string}} */ mark) =>
      others.every((other) => (other.preview.marks ?? []).some(({ place, text }) => place === mark.place && text === mark.text));
    const marks = (preview.marks ?? []).filter(same);
    foresee(this.board, { ...preview, ghosts: [], marks });
    const alike = this.score !== null && others.every((other) => other.preview.projected === preview.projected);
    foretell(this.board, alike ? preview.projected : null);
    this.preview.textContent = [pick.words, ...marks.map(({ text }) => text)].join(" · ");
  }

  /** @param {Choice} choice */
  show({ preview, words }) {
    foresee(this.board, preview);
    const { score } = this;
    foretell(this.board, score === null ? null : preview.projected);
    const same = score === null || preview.projected === score;
    const change = same ? [] : [make("b", {}, `${score} → ${preview.projected}`), " · "];
    this.preview.replaceChildren(...change, preview.words || words);
    this.preview.classList.toggle("loss", score !== null && preview.projected < score);
    this.preview.classList.toggle("long", (this.preview.textContent ?? "").length > 75);
  }

  /**
   * The focus goes to a place that can be picked, to what is asked in words, or waits on the board.
   * @param {string | undefined} wanted the place, if it can be picked
   */
  focusFirst(wanted = undefined) {
    const places = this.picks.whole ? [] : pickable(this.board);
    const place = places.find(({ id }) => id === wanted) ?? places[0];
    if (place) focus(places, place);
    else (this.buttons.querySelector("button") ?? this.board.container).focus();
  }
}
