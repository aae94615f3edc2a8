// Tiles fly from where they were to where they go; points appear where they were made. All seats score side by side.

import { sounds } from "./sounds.js";

const TRAVEL = 420; // milliseconds at normal speed
const LINGER = 650; // how long points can be read
const REST = 900; // how long the whole of a scoring can be read
const MOST = 3100; // of a scoring of two seats
const MOST_OF_MANY = 4400;

/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("./board.js").Spot} Spot */
/** @typedef {import("protocol").Flight} Flight */
/** @typedef {import("protocol").Mark} Mark */
/** @typedef {import("protocol").Step} Step */
/** @typedef {import("./scoring.js").Scoring} Scoring */
/** @typedef {SVGUseElement & {spot?: Spot}} Tile */

/**
 * Steps that are shown at the same time: the steps of one seat come one after another, those of several side by side.
 * @param {Step[]} steps
 */
export function sideBySide(steps) {
  /** @type {Step[][]} */
  const moments = [];
  /** @type {Map<number, number>} */
  let next = new Map(); // seat → the first moment that is free for it
  let from = 0;
  for (const step of steps) {
    const { seat } = step;
    const at = seat == null ? moments.length : Math.max(from, next.get(seat) ?? from);
    (moments[at] ??= []).push(step);
    const whole = seat == null || step === steps[0]; // what was done comes before what it led to
    if (whole) [from, next] = [at + 1, new Map()];
    else next.set(seat, at + 1);
  }
  return moments;
}

/**
 * A place as a CSS transform.
 * @param {Spot} spot
 */
function pose({ x, y, scale, turn, gone }) {
  return { transform: `translate(${x}px, ${y}px) rotate(${turn}deg) scale(${scale})`, opacity: gone ? 0 : 1 };
}

/**
 * The top of the way: lifted from the board, so nearer and larger.
 * @param {Spot} from
 * @param {Spot} to
 * @returns {Spot}
 */
function midway(from, to) {
  return {
    x: (from.x + to.x) / 2,
    y: (from.y + to.y) / 2 - 24,
    scale: 1.25 * Math.max(from.scale, to.scale),
    turn: (from.turn + to.turn) / 2,
  };
}

export class Motion {
  /**
   * @param {Board} board
   * @param {{speed: string}} settings
   */
  constructor(board, settings) {
    this.board = board;
    this.settings = settings;
    /** @type {Set<Animation>} */
    this.running = new Set();
    /** @type {Map<string, Tile>} */
    this.lying = new Map(); // place → a tile that has arrived there
    /** @type {Map<string, number>} */
    this.taken = new Map(); // place → how many tiles have left it
    this.skipping = false;
    document.addEventListener("pointerdown", () => this.skip(), true);
    const skips = (/** @type {KeyboardEvent} */ event) => {
      if (!this.moving || !["Escape", " ", "Enter"].includes(event.key)) return;
      if (event.key === " ") event.preventDefault();
      this.skip();
    };
    document.addEventListener("keydown", skips, true);
  }

  get moving() {
    return this.running.size > 0;
  }

  // Show everything at once.
  skip() {
    if (!this.moving) return;
    this.skipping = true;
    for (const animation of this.running) animation.finish();
  }

  /**
   * Play all steps over the old board; the caller then shows the new one.
   * @param {Step[]} steps
   * @param {Scoring | null} scoring tells of the points, where a round is scored
   */
  async play(steps, scoring = null) {
    const speed = Number(this.settings.speed);
    this.skipping = false;
    if (!speed || !this.board.svg || document.hidden) return sounds.tile();
    this.lying.clear();
    this.taken.clear();
    const moments = sideBySide(steps);
    const first = scoring ? moments.findIndex((moment) => moment.some(({ points }) => points)) : -1;
    const most = (scoring?.seats ?? 0) > 2 ? MOST_OF_MANY : MOST;
    let left = REST + moments.slice(Math.max(first, 0)).reduce((sum, moment) => sum + lasts(moment), 0);
    let until = Infinity; // when a scoring ends at the latest, also on a machine that is busy
    const inTime = () => Math.max(speed, left / Math.max(until - performance.now(), 1));
    for (const [k, moment] of moments.entries()) {
      if (this.skipping) break;
      if (k === first) {
        until = performance.now() + most / speed;
        scoring?.open();
      }
      const pace = inTime();
      await this.travel(moment.flatMap(({ flights = [] }) => flights), TRAVEL / pace);
      if (this.skipping) break;
      if (first >= 0 && k >= first) scoring?.tell(moment);
      await this.mark(moment.flatMap(({ marks = [] }) => marks), LINGER / pace);
      if (first >= 0 && k >= first) left -= lasts(moment);
    }
    if (scoring?.panel.isConnected && !this.skipping) await this.run(scoring.panel, [], { duration: REST / inTime() });
    scoring?.close();
  }

  /**
   * @param {Flight[]} flights
   * @param {number} duration
   */
  async travel(flights, duration) {
    const ways = flights.map((flight) => this.depart(flight)).filter((way) => way !== null);
    if (ways.length) sounds.tile(duration / 1000);
    await Promise.all(
      ways.map(({ tile, from, to }, k) =>
        this.run(
          tile,
          [from, midway(from, to), to].map(pose),
          { duration, delay: Math.min(0.08, 0.4 / ways.length) * k * duration, easing: "cubic-bezier(.4,.1,.2,1)", fill: "both" },
        ),
      ),
    );
  }

  /**
   * Take a tile from its place: one that has flown there, one that the picture has, or one out of nowhere.
   * @param {Flight} flight
   */
  depart({ shape, start, end, kind = "tile" }) {
    const source = this.board.place(start);
    const target = this.board.place(end);
    if (!source || !target) return null;
    for (const place of [source, target]) place.parentElement?.querySelector(":scope > .sum")?.classList.add("gone");
    /** @type {Spot} */
    const to = { ...this.board.spot(target), gone: target.matches(".store") };
    let tile = this.lying.get(start);
    let from;
    if (tile?.spot) {
      this.lying.delete(start);
      from = tile.spot;
    } else {
      const tiles = /** @type {SVGGraphicsElement[]} */ ([...source.querySelectorAll(".tile")]);
      const count = this.taken.get(start) ?? 0;
      this.taken.set(start, count + 1);
      const own = tiles[Math.min(count, tiles.length - 1)];
      from = this.board.spot(own ?? source);
      if (own) own.classList.add("gone");
      if (own && source.matches(".place")) own.before(...this.board.well());
      if (count + 1 >= tiles.length) for (const badge of source.querySelectorAll(".badge, .count")) badge.classList.add("gone");
      tile = /** @type {Tile} */ (this.board.tile(shape, from, kind));
    }
    tile.spot = to;
    this.lying.set(end, tile);
    return { tile, from, to };
  }

  /**
   * @param {Mark[]} marks
   * @param {number} duration
   */
  async mark(marks, duration) {
    if (!marks.length) return;
    await Promise.all(
      marks.map(({ place, text }) => {
        const element = this.board.place(place);
        if (!element) return null;
        const made = this.board.mark(text, this.board.spot(element));
        const read = this.run(made, [{ opacity: 0 }, { opacity: 1, offset: 0.15 }, { opacity: 1 }], { duration });
        return text.startsWith("−") ? read.then(() => made.remove()) : read; // what is lost leaves its place empty
      }),
    );
  }

  /**
   * @param {Element} element
   * @param {Keyframe[]} frames
   * @param {KeyframeAnimationOptions} options
   */
  async run(element, frames, options) {
    const animation = element.animate(frames, options);
    this.running.add(animation);
    if (this.skipping) animation.finish();
    try {
      await animation.finished;
    } catch {
      // cancelled: the board was replaced
    }
    this.running.delete(animation);
  }
}

/**
 * How long a moment lasts at normal speed, in milliseconds.
 * @param {Step[]} moment
 */
function lasts(moment) {
  const flies = moment.some(({ flights }) => flights?.length) ? TRAVEL : 0;
  return flies + (moment.some(({ marks }) => marks?.length) ? LINGER : 0);
}
