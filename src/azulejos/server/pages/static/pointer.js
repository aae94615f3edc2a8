// The pointer on the board: click, drag from place to place, touch with a finger that may miss.

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
    if (event.button !== 0 || touching) return;
    if (target(event).closest(".can")) event.preventDefault();
    pressed = { x: event.clientX, y: event.clientY, place: picking.choose(target(event)) };
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

  container.addEventListener("pointermove", (event) => {
    if (!pressed?.place || !picking.depth || event.pointerType === "touch" || !(event.buttons & 1)) return;
    const far = Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > DRAGGED;
    if (far) container.classList.add("dragging");
  });

  container.addEventListener("pointerup", (event) => {
    const dragged = container.classList.contains("dragging");
    container.classList.remove("dragging");
    const from = pressed?.place;
    pressed = null;
    if (!dragged || !from) return;
    const element = document.elementFromPoint(event.clientX, event.clientY)?.closest(".can");
    if (element && element.id !== from) picking.pick(element.id);
  });

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
