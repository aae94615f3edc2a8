// The keyboard on the board: arrows from place to place, Enter picks, Escape goes back.

import { pickable } from "./marking.js";

/** @typedef {import("./picking.js").Picking} Picking */

/** @param {Picking} picking */
export function followKeyboard(picking) {
  const { board } = picking;
  board.container.addEventListener("focusin", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (target !== board.container) picking.point(target);
  });
  board.container.addEventListener("keydown", (event) => {
    const element = /** @type {Element} */ (event.target).closest(".can");
    if (!element) return;
    picking.byKeyboard = true;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      picking.pick(element.id);
    } else if (event.key.startsWith("Arrow")) {
      event.preventDefault();
      const next = neighbour(pickable(board), element, event.key.slice(5));
      if (next) focus(pickable(board), next);
    } else if (event.key === "Home") picking.focusFirst();
  });
  board.container.tabIndex = -1; // the focus stays here while nothing can be picked
  picking.buttons.addEventListener("keydown", () => (picking.byKeyboard = true));
  document.addEventListener("keydown", (event) => event.key === "Escape" && picking.back());
}

/**
 * One of the places gets the focus, and is the one that Tab comes to.
 * @param {SVGElement[]} elements
 * @param {SVGElement} element
 */
export function focus(elements, element) {
  for (const other of elements) other.setAttribute("tabindex", other === element ? "0" : "-1");
  element.focus();
}

/**
 * The nearest place in a direction; around the edge the farthest on the other side.
 * @param {SVGElement[]} elements
 * @param {Element} from
 * @param {string} direction
 */
function neighbour(elements, from, direction) {
  const across = direction === "Left" || direction === "Right";
  const sign = direction === "Right" || direction === "Down" ? 1 : -1;
  const middle = (/** @type {Element} */ element) => {
    const box = element.getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const { x, y } = middle(from);
  let best = null;
  let least = Infinity;
  for (const element of elements) {
    if (element === from) continue;
    const other = middle(element);
    const along = sign * (across ? other.x - x : other.y - y);
    const aside = Math.abs(across ? other.y - y : other.x - x);
    const cost = along > 1 ? along + 3 * aside : 1e5 + along + 3 * aside;
    if (cost < least) [least, best] = [cost, element];
  }
  return best;
}
