// Tiles fly from where they were to where they go; points appear where they were made.

const TRAVEL = 420; // milliseconds at normal speed
const LINGER = 650; // how long points can be read

/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("./board.js").Spot} Spot */
/** @typedef {import("protocol").Flight} Flight */
/** @typedef {import("protocol").Mark} Mark */
/** @typedef {SVGUseElement & {spot?: Spot}} Tile */

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
    document.addEventListener("keydown", (event) => ["Escape", " ", "Enter"].includes(event.key) && this.skip(), true);
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
   * @param {import("protocol").Step[]} steps
   */
  async play(steps) {
    const speed = Number(this.settings.speed);
    this.skipping = false;
    if (!speed || !this.board.svg || document.hidden) return;
    this.lying.clear();
    this.taken.clear();
    for (const step of steps) {
      if (this.skipping) break;
      await this.travel(step.flights ?? [], TRAVEL / speed);
      if (step.marks?.length && !this.skipping) await this.mark(step.marks, LINGER / speed);
    }
  }

  /**
   * @param {Flight[]} flights
   * @param {number} duration
   */
  async travel(flights, duration) {
    const ways = flights.map((flight) => this.depart(flight)).filter((way) => way !== null);
    await Promise.all(
      ways.map(({ tile, from, to }, k) =>
        this.run(
          tile,
          [from, midway(from, to), to].map(pose),
          { duration, delay: k * duration * 0.08, easing: "cubic-bezier(.4,.1,.2,1)", fill: "both" },
        ),
      ),
    );
  }

  /**
   * Take a tile from its place: one that has flown there, one that the picture has, or one out of nowhere.
   * @param {Flight} flight
   */
  depart({ shape, start, end, kind }) {
    const source = this.board.place(start);
    const target = this.board.place(end);
    if (!source || !target) return null;
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
    await Promise.all(
      marks.map(({ place, text }) => {
        const element = this.board.place(place);
        if (!element) return null;
        const made = this.board.mark(text, this.board.spot(element));
        return this.run(made, [{ opacity: 0 }, { opacity: 1, offset: 0.15 }, { opacity: 1 }], { duration });
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
