// The tree of picks: which places may be picked next along the choices that the server sent. Knows nothing of the page.

/** @typedef {import("protocol").Choice} Choice */
/** @typedef {import("protocol").Pick} Pick */
/** @typedef {import("protocol").Closed} Closed */
/** @typedef {{pick: Pick, choices: Choice[]}} Option A pick, and the choices that it leads to. */

export class Picks {
  /** @type {Choice[]} */
  choices = [];
  /** @type {Closed[]} */
  closed = [];
  /** @type {string[]} */
  picked = []; // places so far
  /** @type {Choice | null} */
  whole = null; // a choice that waits to be confirmed
  peeking = false; // the whole choice is only looked at
  taken = false; // it was taken up as a whole

  /**
   * What may be chosen now.
   * @param {Choice[]} choices
   * @param {Closed[]} closed
   */
  offer(choices, closed) {
    this.choices = choices.flatMap((choice) => [choice, ...(choice.ways ?? []).map((picks) => ({ ...choice, picks }))]);
    this.closed = closed;
    this.reset();
  }

  /** Nothing is picked. */
  reset() {
    this.picked = [];
    this.whole = null;
    this.peeking = false;
    this.taken = false;
  }

  get depth() {
    return this.picked.length;
  }

  /** The picks that stand. The last of a whole choice may still be exchanged for another. */
  get settled() {
    return this.whole && !this.whole.any_order ? this.picked.slice(0, -1) : this.picked;
  }

  /** The picks made so far. */
  get made() {
    const [choice] = this.under(this.picked);
    if (!choice?.any_order) return choice?.picks.slice(0, this.depth) ?? [];
    return this.picked.flatMap((place) => choice.picks.find((pick) => pick.place === place) ?? []);
  }

  /** The places that cannot be picked next, each with the reason. */
  get shut() {
    const last = this.settled.at(-1) ?? "";
    const next = this.next();
    const here = this.closed.filter(({ after }) => after === last);
    const said = new Set(here.map(({ place }) => place));
    const before = this.closed.filter(({ after, place }) => after === "" && !said.has(place));
    return [...here, ...(last ? before : [])].filter(({ place }) => !next.has(place));
  }

  /**
   * The choices that begin with these places; or that have them, where the order does not matter.
   * @param {string[]} places
   */
  under(places) {
    return this.choices.filter(({ picks, any_order }) =>
      any_order ? rest(picks, places) !== null : places.every((place, k) => picks[k]?.place === place),
    );
  }

  /** The next picks by place. */
  next() {
    /** @type {Map<string, Option>} */
    const found = new Map();
    const add = (/** @type {Pick | undefined} */ pick, /** @type {Choice} */ choice) => {
      if (!pick) return;
      const option = found.get(pick.place) ?? { pick, choices: [] };
      if (!option.choices.includes(choice)) option.choices.push(choice);
      found.set(pick.place, option);
    };
    for (const choice of this.under(this.settled)) {
      if (!choice.any_order) add(choice.picks[this.settled.length], choice);
      else for (const pick of choice.picks) add(pick, choice); // what is picked already can be taken back
    }
    return found;
  }

  /**
   * Pick a place. `done` is the choice that this completes; with `confirm` it waits to be picked once more. Null: the
   * place cannot be picked.
   * @param {string} place
   * @param {boolean} confirm
   * @returns {{option: Option, done: Choice | null} | null}
   */
  pick(place, confirm) {
    const option = this.next().get(place);
    if (!option) return null;
    if (option.choices[0].any_order) return { option, done: this.gather(place, confirm) };
    if (this.whole && place === this.picked.at(-1)) return { option, done: this.whole };
    this.picked = [...this.settled, place];
    this.whole = null;
    this.taken = false;
    const whole = option.choices.find(({ picks }) => picks.length === this.depth);
    if (whole && option.choices.length === 1) {
      if (!confirm && !option.pick.sure) return { option, done: whole };
      this.whole = whole;
    }
    return { option, done: null };
  }

  /**
   * Pick one more of a place where the order does not matter, or, if there is no more, take back all of it.
   * @param {string} place
   * @param {boolean} confirm
   * @returns {Choice | null} the choice that this completes
   */
  gather(place, confirm) {
    const more = [...this.picked, place];
    const taken = this.under(more).length > 0;
    this.picked = taken ? more : this.picked.filter((one) => one !== place);
    this.taken = false;
    const open = this.under(this.picked);
    this.whole = open.find(({ picks }) => picks.length === this.depth) ?? null;
    return taken && open.length === 1 && !confirm ? this.whole : null;
  }

  /**
   * Undo the last pick, or a choice that was taken up as a whole.
   * @returns {string | undefined} the place that is picked no more
   */
  back() {
    if (this.peeking || this.taken) {
      this.reset();
      return undefined;
    }
    const last = this.picked.pop();
    this.whole = null;
    return last;
  }

  /**
   * Go back to where one of the places could have been picked instead, the latest such step first.
   * @param {string[]} places
   * @returns {string | null} the place
   */
  rewind(places) {
    for (let depth = this.depth - 1; depth >= 0; depth--) {
      const before = this.picked.slice(0, depth);
      const options = new Set(this.under(before).map(({ picks }) => picks[depth]?.place));
      const place = places.find((one) => options.has(one));
      if (place === undefined) continue;
      this.picked = before;
      this.whole = null;
      return place;
    }
    return null;
  }

  /**
   * Look at a choice as if it were made.
   * @param {Choice} choice
   */
  peek(choice) {
    this.picked = choice.picks.map(({ place }) => place);
    this.whole = choice;
    this.peeking = true;
  }

  /**
   * Take a choice up as a whole: it waits to be confirmed.
   * @param {Choice} choice
   */
  takeUp(choice) {
    this.peek(choice);
    this.peeking = false;
    this.taken = true;
  }
}

/**
 * The picks that are left when places have been picked; null if one of these is not among them.
 * @param {Pick[]} picks
 * @param {string[]} places
 */
function rest(picks, places) {
  const left = [...picks];
  for (const place of places) {
    const k = left.findIndex((pick) => pick.place === place);
    if (k < 0) return null;
    left.splice(k, 1);
  }
  return left;
}
