// A light on some places of the board: the rest is dimmed a little, and each place has a frame.

/** @typedef {import("./board.js").Board} Board */

const SVG = "http://www.w3.org/2000/svg";
const ROOM = 5; // pixels between a place and its frame

/**
 * @param {string} tag
 * @param {Record<string, string | number>} given
 */
function make(tag, given) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(given)) element.setAttribute(name, String(value));
  return element;
}

/**
 * The shapes around a place: its rings, as on a star's rhombus or around tiles that lie around a corner; or its box.
 * @param {Board} board
 * @param {string} place
 * @returns {any[]}
 */
function shapes(board, place) {
  const element = board.place(place);
  const rings = element ? [...element.querySelectorAll(":scope > .ring")] : [];
  return rings.length ? rings : element ? [element] : [];
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
   * Light these places; none: no light.
   * @param {string[]} places
   */
  show(places) {
    this.places = places;
    this.follow();
  }

  /** Draw the frames where the places are now. */
  follow() {
    const { x, y, width, height } = this.stage.getBoundingClientRect();
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.replaceChildren();
    const frames = this.places.flatMap((place) => shapes(this.board, place).flatMap((shape) => this.frame(shape)));
    if (!frames.length) return;
    const mask = make("mask", { id: "lit" });
    const { a, e, f } = this.board.svg.getScreenCTM(); // the picture may be smaller than its element
    const drawn = this.board.svg.viewBox.baseVal;
    const whole = { x: e + a * drawn.x - x, y: f + a * drawn.y - y, width: a * drawn.width, height: a * drawn.height, rx: 14 };
    mask.append(make("rect", { ...whole, fill: "white" }));
    for (const frame of frames) mask.append(frame.cloneNode());
    for (const frame of frames) frame.setAttribute("class", "frame");
    this.svg.append(mask, make("rect", { ...whole, class: "dim", mask: "url(#lit)" }), ...frames);
  }

  /**
   * A shape of the board, a little larger, over the stage; nothing if it is not drawn.
   * @param {any} shape
   * @returns {SVGElement[]}
   */
  frame(shape) {
    const box = shape.getBBox();
    if (!box.width || !box.height) return [];
    const onto = DOMMatrix.fromMatrix(this.svg.getScreenCTM()).inverse().multiply(DOMMatrix.fromMatrix(shape.getScreenCTM()));
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const [wide, high] = [Math.hypot(onto.a, onto.b) * box.width, Math.hypot(onto.c, onto.d) * box.height]; // in pixels
    const larger = onto.translate(x, y).scale(1 + (2 * ROOM) / wide, 1 + (2 * ROOM) / high).translate(-x, -y);
    const { x: left, y: top, width, height } = box;
    const drawn = shape.tagName === "use" ? this.board.place(shape.getAttribute("href").slice(1)) : shape;
    const frame = drawn.tagName === "g" ? make("rect", { x: left, y: top, width, height, rx: (10 * width) / wide }) : drawn.cloneNode();
    for (const name of ["id", "class"]) frame.removeAttribute(name);
    frame.setAttribute("transform", larger.toString());
    frame.setAttribute("vector-effect", "non-scaling-stroke");
    return [frame];
  }

  /**
   * Scroll until these places are in sight, as far as there is room for them between two heights of the window.
   * @param {string[]} places
   * @param {number} from
   * @param {number} to
   */
  reveal(places, from, to) {
    const boxes = places.flatMap((place) => shapes(this.board, place)).map((shape) => shape.getBoundingClientRect());
    if (!boxes.length) return;
    const top = Math.min(...boxes.map((box) => box.top)) - ROOM;
    const bottom = Math.max(...boxes.map((box) => box.bottom)) + ROOM;
    if (top >= from && bottom <= to) return;
    const high = bottom - top > to - from; // then the first place counts
    const middle = high ? boxes[0].top + boxes[0].height / 2 : (top + bottom) / 2;
    const least = top - from;
    const most = bottom - to;
    const wanted = middle - (from + to) / 2;
    scrollBy({ top: high ? Math.min(Math.max(wanted, least), most) : wanted });
  }
}
