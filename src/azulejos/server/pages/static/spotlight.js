// A light on some places of the board: the rest is dimmed a little, and each place has a frame.

/** @typedef {import("./board.js").Board} Board */

const SVG = "http://www.w3.org/2000/svg";
const ROOM = 5; // pixels between a place and its frame

/**
 * What is framed of a place: of a few tiles on a factory, which may lie around a corner, each.
 * @param {Board} board
 * @param {string} place
 * @returns {Element[]}
 */
function parts(board, place) {
  const element = board.place(place);
  const tiles = element && /factory|moons|supply\./.test(place) ? [...element.querySelectorAll(".tile")] : [];
  return tiles.length ? tiles : element ? [element] : [];
}

export class Spotlight {
  /**
   * @param {any} svg lies over the stage
   * @param {HTMLElement} stage
   * @param {Board} board
   */
  constructor(svg, stage, board) {
    this.svg = svg;
    this.stage = stage;
    this.board = board;
    /** @type {string[]} */
    this.places = [];
    new ResizeObserver(() => this.follow()).observe(stage);
  }

  /**
   * Light these places; none: no light. `scroll`: bring the first of them into view.
   * @param {string[]} places
   */
  show(places, scroll = false) {
    this.places = places;
    this.follow();
    if (scroll && places.length) this.board.place(places[0])?.scrollIntoView({ block: "center" });
  }

  /** Draw the frames where the places are now. */
  follow() {
    const { x, y, width, height } = this.stage.getBoundingClientRect();
    const boxes = this.places.flatMap(parts.bind(null, this.board)).flatMap((element) => {
      const box = element.getBoundingClientRect();
      return box.width ? [{ x: box.x - x - ROOM, y: box.y - y - ROOM, width: box.width + 2 * ROOM, height: box.height + 2 * ROOM }] : [];
    });
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.replaceChildren();
    if (!boxes.length) return;
    const mask = this.add("mask", { id: "lit" });
    const { a, e, f } = this.board.svg.getScreenCTM(); // the picture may be smaller than its element
    const drawn = this.board.svg.viewBox.baseVal;
    const whole = { x: e + a * drawn.x - x, y: f + a * drawn.y - y, width: a * drawn.width, height: a * drawn.height, rx: 14 };
    mask.append(this.make("rect", { ...whole, fill: "white" }));
    for (const box of boxes) mask.append(this.make("rect", { ...box, rx: 10, fill: "black" }));
    this.add("rect", { ...whole, class: "dim", mask: "url(#lit)" });
    for (const box of boxes) this.add("rect", { class: "frame", rx: 10, ...box });
  }

  /**
   * @param {string} tag
   * @param {Record<string, string | number>} given
   */
  make(tag, given) {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(given)) element.setAttribute(name, String(value));
    return element;
  }

  /**
   * @param {string} tag
   * @param {Record<string, string | number>} given
   */
  add(tag, given) {
    const element = this.make(tag, given);
    this.svg.append(element);
    return element;
  }
}
