// What is told in a panel lies over the factories, which are empty then, so that it hides no board.

/** @typedef {import("./board.js").Board} Board */

const NARROWEST = 300; // pixels
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
  const around = parts.filter((part) => part.matches(FACTORIES)).map((part) => part.getBoundingClientRect());
  if (!around.length || !parent) return;
  const [left, right] = [Math.min(...around.map((box) => box.left)), Math.max(...around.map((box) => box.right))];
  const [top, bottom] = [Math.min(...around.map((box) => box.top)), Math.max(...around.map((box) => box.bottom))];
  panel.style.width = `${Math.min(Math.max(right - left, NARROWEST), parent.width - 16)}px`;
  const width = panel.offsetWidth;
  const x = Math.max(8, Math.min((left + right - width) / 2 - parent.left, parent.width - width - 8));
  panel.style.left = `${x}px`;
  if (tallest) panel.style.height = `${Math.max(200, Math.min(tallest, bottom - top))}px`;
  const height = panel.offsetHeight;
  const middle = (top + bottom) / 2;
  const others = parts.filter((part) => !part.matches(FACTORIES)).map((part) => part.getBoundingClientRect());
  const near = others.filter((box) => box.height && box.left < parent.left + x + width && box.right > parent.left + x);
  const above = near.filter((box) => (box.top + box.bottom) / 2 < middle);
  const below = near.filter((box) => (box.top + box.bottom) / 2 >= middle);
  const lowest = Math.min(parent.bottom, ...below.map((box) => box.top)) - GAP - height;
  // Between what stands above and below, or over all of what stands above.
  const least = Math.max(...above.map((box) => box.bottom + GAP), parent.top);
  const over = Math.min(top, ...above.map((box) => box.top)) - GAP;
  const y = lowest < least ? over : Math.max(least, Math.min(middle - height / 2, lowest));
  panel.style.top = `${Math.max(4, y - parent.top)}px`;
}
