// The board: a picture made by the server, changed in place when a new one comes.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {{x: number, y: number, scale: number, turn: number, gone?: boolean}} Spot Where something lies, how large, how turned. */

export class Board {
  /** @param {HTMLElement} container */
  constructor(container) {
    this.container = container;
    /** @type {any} */
    this.svg = null; // the picture, an SVGSVGElement; null if there is none
    /** @type {SVGElement | null} */
    this.carried = null; // tiles that are dragged
  }

  /**
   * Show a picture. What is the same stays the same element, so that focus and pointers keep their place.
   * @param {string} text
   */
  show(text) {
    this.clearSky();
    this.letGo();
    const fresh = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    if (fresh.nodeName !== "svg") throw new Error("the board is not a picture");
    if (this.svg && this.svg.getAttribute("class") === fresh.getAttribute("class")) patch(this.svg, fresh);
    else {
      this.svg = document.importNode(fresh, true);
      this.container.replaceChildren(this.svg);
    }
  }

  clear() {
    this.svg = null;
    this.container.replaceChildren();
  }

  /**
   * @param {string} id
   * @returns {SVGGraphicsElement | null}
   */
  place(id) {
    return this.svg && this.svg.getElementById(id); // the page may have such an id too
  }

  // --- what lies above the board: ghosts, marks, flying tiles ---

  get sky() {
    let sky = this.svg.querySelector(":scope > .sky");
    if (!sky) {
      sky = document.createElementNS(SVG, "g");
      sky.setAttribute("class", "sky");
      sky.setAttribute("aria-hidden", "true");
      this.svg.append(sky);
    }
    return sky;
  }

  clearSky() {
    this.svg?.querySelector(":scope > .sky")?.remove();
  }

  /**
   * Where something lies, in the picture's own measure: its middle, how large a tile is there, and how it is turned.
   * @param {SVGGraphicsElement} element
   * @returns {Spot}
   */
  spot(element) {
    const inverse = this.svg.getScreenCTM().inverse();
    const box = element.getBoundingClientRect();
    /** @type {SVGGraphicsElement | null} */
    const inside = element.matches(".store") ? null : element.querySelector(".tile, .place");
    const own = element.matches(".tile, .place, .chip, .corner") || !box.width ? element : inside;
    if (own) {
      const { a, b, e, f } = inverse.multiply(own.getScreenCTM());
      const scale = box.width ? Math.hypot(a, b) : Math.min(Math.hypot(a, b), 0.36); // nothing lies there yet
      return { x: e, y: f, scale, turn: (Math.atan2(b, a) * 180) / Math.PI };
    }
    const across = element.matches("text") ? box.width + 14 : box.width / 2; // words stay readable
    const middle = new DOMPoint(box.x + across, box.y + box.height / 2).matrixTransform(inverse);
    return { x: middle.x, y: middle.y, scale: Math.min((box.height * inverse.d) / 96, 0.5), turn: 0 };
  }

  /** What an empty place looks like, where the picture has such a thing. */
  well() {
    if (!this.place("well")) return [];
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", "#well");
    use.setAttribute("class", "well");
    return [use];
  }

  // --- what is dragged ---

  /**
   * Take the tiles of a place up, to carry them; false if there are none.
   * @param {string} id
   */
  carry(id) {
    const tiles = [...(this.place(id)?.querySelectorAll(".tile") ?? [])];
    if (!tiles.length) return false;
    this.carried = document.createElementNS(SVG, "g");
    this.carried.setAttribute("class", "carried");
    tiles.slice(0, 5).forEach((tile, k) => {
      const { scale, turn } = this.spot(/** @type {SVGGraphicsElement} */ (tile));
      const copy = /** @type {Element} */ (tile.cloneNode(true));
      copy.removeAttribute("id");
      copy.setAttribute("transform", `translate(${k * 14} ${k * 8}) rotate(${turn}) scale(${scale})`);
      this.carried?.append(copy);
      tile.classList.add("lifted");
    });
    this.svg.append(this.carried);
    return true;
  }

  /**
   * @param {number} x of the window
   * @param {number} y
   */
  carryTo(x, y) {
    const spot = new DOMPoint(x, y).matrixTransform(this.svg.getScreenCTM().inverse());
    this.carried?.setAttribute("transform", `translate(${spot.x} ${spot.y})`);
  }

  letGo() {
    this.carried?.remove();
    for (const tile of this.container.querySelectorAll(".lifted")) tile.classList.remove("lifted");
  }

  /**
   * A copy of one of the picture's definitions, lying in the sky.
   * @param {string} shape
   * @param {Spot} spot
   */
  tile(shape, spot, className = "tile") {
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", `#${shape}`);
    use.setAttribute("class", className);
    use.setAttribute("transform", `translate(${spot.x} ${spot.y}) rotate(${spot.turn}) scale(${spot.scale})`);
    this.sky.append(use);
    return use;
  }

  /**
   * A short text on a disc: points.
   * @param {string} text
   * @param {Spot} spot
   */
  mark(text, spot) {
    const group = document.createElementNS(SVG, "g");
    group.setAttribute("class", "points " + (text.startsWith("−") ? "minus" : "plus"));
    const aside = 28 * Math.min(spot.scale, 0.5); // at the tile's corner
    group.setAttribute("transform", `translate(${spot.x + aside} ${spot.y - aside})`);
    const disc = document.createElementNS(SVG, "rect");
    const width = 14 + 9 * text.length;
    for (const [name, value] of Object.entries({ x: -width / 2, y: -13, width, height: 26, rx: 13 })) {
      disc.setAttribute(name, String(value));
    }
    const words = document.createElementNS(SVG, "text");
    words.setAttribute("text-anchor", "middle");
    words.setAttribute("y", "5");
    words.textContent = text;
    group.append(disc, words);
    this.sky.append(group);
    return group;
  }
}

/**
 * Make `old` like `fresh`, keeping what can be kept: elements with the same id, then those of the same kind in order.
 * @param {Element} old
 * @param {Element} fresh
 */
function patch(old, fresh) {
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  const byId = new Map([...old.children].filter((child) => child.id).map((child) => [child.id, child]));
  /** @type {any} */
  let at = old.firstChild;
  for (const node of fresh.childNodes) {
    const child = /** @type {any} */ (node);
    /** @type {any} */
    let match = null;
    if (child.nodeType === Node.TEXT_NODE) {
      if (at?.nodeType === Node.TEXT_NODE) match = at;
    } else if (child.id) match = byId.get(child.id) ?? null;
    else if (at && at.nodeName === child.nodeName && !at.id) match = at;
    if (match && match.nodeName === child.nodeName) {
      if (match !== at) old.insertBefore(match, at);
      if (match.nodeType === Node.TEXT_NODE) {
        if (match.data !== child.data) match.data = child.data;
      } else if (!match.isEqualNode(child)) patch(match, child);
      at = match.nextSibling;
    } else old.insertBefore(document.importNode(child, true), at);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}
