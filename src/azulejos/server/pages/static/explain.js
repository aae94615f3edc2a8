// Every object on the board explains itself: to a pointer that rests on it, a long press, or the key "?".

import { part } from "./site.js";
import { announce, make, say } from "./words.js";

/** @typedef {import("./board.js").Board} Board */

const RESTS = 900; // milliseconds that a pointer rests on an object before it is explained
const PRESSED = 450; // milliseconds of a long press; the browser has its own after 500
const MOVED = 8; // how far a finger moves before it is no long press, in pixels
const STAYS = 350; // milliseconds to go from the object to its explanation

/** @type {Record<string, [string, string, string][]>} */
const TABLES = JSON.parse(part("objects").textContent ?? "{}"); // by game
const objects = Object.fromEntries(
  Object.entries(TABLES).map(([game, table]) => [
    game,
    table.map(([places, words, anchor]) => ({ places: new RegExp(`^(?:${places})$`), words, rule: `/rules/${game}#${anchor}` })),
  ]),
);

/**
 * The object that lies where something was touched: the innermost element that the table knows.
 * @param {Element | null} target
 * @param {Element} container
 */
export function objectAt(target, container) {
  const known = objects[part("room").dataset.game] ?? [];
  for (let element = target; element && element !== container; element = element.parentElement) {
    const found = element.id && known.find(({ places }) => places.test(element.id));
    if (found) return { element, ...found };
  }
  return null;
}

/** @param {Board} board */
export function explainObjects({ container }) {
  const box = part("explained");
  let timer = 0;
  let held = false; // a long press has explained: it picks nothing
  let pressed = { x: 0, y: 0 };

  const hide = () => {
    clearTimeout(timer);
    if (box.matches(":popover-open")) box.hidePopover();
  };
  const later = (/** @type {() => void} */ act, /** @type {number} */ time) => {
    clearTimeout(timer);
    timer = window.setTimeout(act, time);
  };
  const explain = (/** @type {Element | null} */ target) => {
    const found = objectAt(target, container);
    if (!found) return hide();
    const { element, words, rule } = found;
    const name = element.getAttribute("aria-label") ?? "";
    const link = make("a", { href: rule, target: "_blank" }, say("Rules"));
    box.replaceChildren(make("b", {}, name), make("p", {}, words), link);
    if (!box.matches(":popover-open")) box.showPopover();
    place(box, element);
    announce(`${name}. ${words}`);
  };

  // What was pressed is not explained before the pointer moves: the board may change under it.
  const still = (/** @type {PointerEvent} */ { clientX, clientY }) => clientX === pressed.x && clientY === pressed.y;
  container.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch" || still(event)) return;
    const target = /** @type {Element} */ (event.target);
    if (box.matches(":popover-open")) later(hide, STAYS);
    else later(() => explain(target), RESTS);
  });
  container.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch" || still(event) || box.matches(":popover-open")) return;
    const target = /** @type {Element} */ (event.target);
    later(() => explain(target), RESTS);
  });
  // A finger that is lifted leaves too, and what it asked for stays.
  const leave = (/** @type {PointerEvent} */ event) => event.pointerType === "touch" || later(hide, STAYS);
  container.addEventListener("pointerleave", leave);
  box.addEventListener("pointerenter", () => clearTimeout(timer));
  box.addEventListener("pointerleave", leave);

  container.addEventListener("pointerdown", (event) => {
    hide();
    held = false;
    pressed = { x: event.clientX, y: event.clientY };
    if (event.pointerType !== "touch") return;
    const target = /** @type {Element} */ (event.target);
    later(() => {
      held = true;
      explain(target);
    }, PRESSED);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    container.addEventListener(end, () => held || clearTimeout(timer));
  }
  container.addEventListener("pointermove", (event) => {
    const moved = Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > MOVED;
    if (event.pointerType === "touch" && moved && !held) clearTimeout(timer);
  });
  container.addEventListener("contextmenu", (event) => held && event.preventDefault());
  container.addEventListener(
    "click",
    (event) => {
      if (!held) return;
      event.stopImmediatePropagation();
      held = false;
    },
    { capture: true },
  );
  document.addEventListener("pointerdown", (event) => {
    const target = /** @type {Node} */ (event.target);
    if (!box.contains(target) && !container.contains(target)) hide();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" || event.key === "Tab") hide();
    if (event.key !== "?" || !container.contains(document.activeElement)) return;
    explain(document.activeElement);
  });
}

/**
 * Put the explanation beside the object, inside the window.
 * @param {HTMLElement} box
 * @param {Element} element
 */
function place(box, element) {
  const { left, top, bottom, width } = element.getBoundingClientRect();
  const across = left + width / 2 - box.offsetWidth / 2;
  const below = bottom + 8 + box.offsetHeight < innerHeight;
  box.style.left = `${Math.max(8, Math.min(across, innerWidth - box.offsetWidth - 8))}px`;
  box.style.top = `${Math.max(8, below ? bottom + 8 : top - box.offsetHeight - 8)}px`;
}
