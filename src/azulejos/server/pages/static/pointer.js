// The pointer on the board: click, drag from place to place with the tiles under the pointer, touch with a finger that
// may miss.

import { pickable } from "./marking.js";

/** @typedef {import("./picking.js").Picking} Picking */

const FINGER = 36; // how far from where it touched a finger may have meant, in pixels
const DRAGGED = 8; // how far the pointer moves before it drags, in pixels

/** @param {Picking} picking */
export function followPointer(picking) {
  const { board } = picking;
  const { container } = board;
  /** @type {{x: number, y: number, place: string | null} | null} */
  let pressed = null;
  let touching = false; // perhaps the page is moved: it picks when it has not
  const target = (/** @type {Event} */ event) => /** @type {Element} */ (event.target);

  container.addEventListener("pointerover", (event) => picking.point(target(event)));
  container.addEventListener("pointerleave", () => picking.point(null));

  container.addEventListener("pointerdown", (event) => {
    touching = event.pointerType === "touch";
    if (event.button !== 0) return;
    const can = target(event).closest(".can");
    if (can && !touching) event.preventDefault();
    const place = touching ? can?.id ?? null : picking.choose(target(event)); // a finger picks when it moves or leaves
    pressed = { x: event.clientX, y: event.clientY, place };
  });

  container.addEventListener("click", (event) => {
    if (!touching) return;
    touching = false;
    const near = around(event.clientX, event.clientY);
    const held = target(event).closest(".held");
    let place = picking.choose(target(event));
    const nearest = near.length ? board.place(near[0]) : null;
    if (!place && !held && nearest) place = picking.choose(nearest); // missed by a little
    if (place && near.includes(place) && near.length > 1) picking.offerNear(place, near);
  });

  document.addEventListener("pointermove", (event) => {
    if (!pressed?.place || !(event.buttons & 1)) return;
    if (!dragging()) {
      const far = Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > DRAGGED;
      if (!far || !take(pressed.place)) return;
    }
    board.carryTo(event.clientX, event.clientY);
    picking.point(document.elementFromPoint(event.clientX, event.clientY));
  });

  // What a finger drags does not move the page.
  container.addEventListener("touchmove", (event) => dragging() && event.preventDefault(), { passive: false });
  document.addEventListener("pointerup", (event) => drop(document.elementFromPoint(event.clientX, event.clientY)));
  document.addEventListener("pointercancel", () => drop(null));

  const dragging = () => container.classList.contains("dragging");

  /**
   * Begin to drag what lies at a place. False: it cannot be.
   * @param {string} place
   */
  function take(place) {
    if (touching) picking.choose(/** @type {Element} */ (board.place(place)));
    touching = false; // it will be no click
    if (!picking.depth || !board.carry(place)) return false;
    container.classList.add("dragging");
    return true;
  }

  /**
   * Let go of what is dragged: on a place that takes it, or it goes back.
   * @param {Element | null} under
   */
  function drop(under) {
    const from = pressed?.place;
    pressed = null;
    if (!dragging() || !from) return;
    container.classList.remove("dragging");
    board.letGo();
    const element = under?.closest(".can");
    if (element && element.id !== from) picking.pick(element.id);
    else if (under?.closest(".shut")) picking.deny(under);
    else if (under?.closest(".held")?.id !== from) picking.back();
  }

  /**
   * The places that lie within a finger's breadth of a point, the nearest first.
   * @param {number} x
   * @param {number} y
   */
  function around(x, y) {
    const far = (/** @type {Element} */ element) => {
      const { x: left, y: top, width, height } = element.getBoundingClientRect();
      return Math.hypot(left + width / 2 - x, top + height / 2 - y);
    };
    return pickable(board)
      .map((element) => ({ distance: far(element), id: element.id }))
      .filter(({ distance }) => distance < FINGER)
      .sort((a, b) => a.distance - b.distance)
      .map(({ id }) => id);
  }
}
