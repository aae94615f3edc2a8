// What is told in a panel lies over the factories, which are empty then, so that it hides no board.

/** @typedef {import("./board.js").Board} Board */

const NARROWEST = 284; // pixels: as wide as the factories on a phone on its side
const FACTORIES = "[id^='factory-'], #centre, #large-factory";
const GAP = 6;

/**
 * @param {Board} board
 * @param {HTMLElement} panel inside a positioned parent
 * @param {number} tallest if the panel is as high as the factories: up to this, in pixels
 */
export function overFactories(board, panel, tallest = 0) {
  const parent = panel.offsetParent?.getBoundingClientRect();
  const parts = [...(board.svg?.children ?? [])].filter(({ id }) => id);
  const [factories, others] = [true, false].map((are) =>
    parts.filter((part) => part.matches(FACTORIES) === are).map((part) => part.getBoundingClientRect()),
  );
  if (!factories.length || !parent) return;
  const [top, bottom] = [Math.min(...factories.map((box) => box.top)), Math.max(...factories.map((box) => box.bottom))];
  const middle = (top + bottom) / 2;
  const [left, right] = across(panel, parent, factories);
  if (tallest) panel.style.height = `${Math.max(200, Math.min(tallest, bottom - top))}px`;
  const near = others.filter((box) => box.height && box.left < right && box.right > left);
  const above = near.filter((box) => (box.top + box.bottom) / 2 < middle);
  const below = near.filter((box) => (box.top + box.bottom) / 2 >= middle);
  const highest = Math.max(parent.top, ...above.map((box) => box.bottom + GAP));
  const lowest = Math.min(parent.bottom, ...below.map((box) => box.top)) - GAP - panel.offsetHeight;
  let y = Math.max(highest, Math.min(middle - panel.offsetHeight / 2, lowest));
  if (highest > lowest) {
    // There is no room in between: over all of what stands above.
    across(panel, parent, [...factories, ...above]);
    y = Math.min(top, ...above.map((box) => box.top)) - GAP;
  }
  panel.style.top = `${Math.max(4, y - parent.top)}px`;
}

/**
 * On a phone, where a panel stands above the board, it stands instead of what is above the boards of the seats.
 * @param {Board} board
 * @param {HTMLElement | null} panel
 */
export function withFactories({ svg, container }, panel = null) {
  const instead = panel && !panel.hidden && svg && getComputedStyle(panel).position === "static";
  const tops = instead ? [...svg.querySelectorAll(".seat")].map((seat) => seat.getBoundingClientRect().top) : [];
  const above = instead ? Math.max(0, Math.min(...tops) - svg.getBoundingClientRect().top - 2) : 0;
  container.style.marginTop = above ? `${-above}px` : "";
  container.style.clipPath = above ? `inset(${above}px 0 0)` : "";
}

/**
 * @param {Board} board
 * @param {HTMLElement} panel inside a positioned parent
 * @param {number} seat whose board the panel lies over
 */
export function overSeat(board, panel, seat) {
  const parent = panel.offsetParent?.getBoundingClientRect();
  const box = board.place(`seat-${seat}`)?.getBoundingClientRect();
  if (!box || !parent) return;
  across(panel, parent, [box]);
  const middle = (box.top + box.bottom - panel.offsetHeight) / 2;
  panel.style.top = `${Math.max(4, Math.max(box.top, middle) - parent.top)}px`;
}

/**
 * Make a panel as wide as these boxes; its left and right.
 * @param {HTMLElement} panel
 * @param {DOMRect} parent
 * @param {DOMRect[]} boxes
 */
function across(panel, parent, boxes) {
  const [left, right] = [Math.min(...boxes.map((box) => box.left)), Math.max(...boxes.map((box) => box.right))];
  panel.style.width = `${Math.min(Math.max(right - left, NARROWEST), parent.width - 16)}px`;
  const width = panel.offsetWidth;
  const x = Math.max(8, Math.min((left + right - width) / 2 - parent.left, parent.width - width - 8));
  panel.style.left = `${x}px`;
  return [parent.left + x, parent.left + x + width];
}
