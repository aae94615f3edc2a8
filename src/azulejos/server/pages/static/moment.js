// What is told in a panel lies over the factories, which are empty then, so that it hides no board.

/** @typedef {import("./board.js").Board} Board */

const NARROWEST = 300; // pixels

/**
 * @param {Board} board
 * @param {HTMLElement} panel inside a positioned parent
 */
export function overFactories(board, panel) {
  const found = [...(board.svg?.querySelectorAll("[id^='factory-']:not([id*='.']), #centre, #large-factory") ?? [])];
  const boxes = found.map((element) => element.getBoundingClientRect());
  const parent = panel.offsetParent?.getBoundingClientRect();
  if (!boxes.length || !parent) return;
  const left = Math.min(...boxes.map((box) => box.left)) - parent.left;
  const right = Math.max(...boxes.map((box) => box.right)) - parent.left;
  const top = Math.min(...boxes.map((box) => box.top)) - parent.top;
  const bottom = Math.max(...boxes.map((box) => box.bottom)) - parent.top;
  const width = Math.min(Math.max(right - left, NARROWEST), parent.width - 16);
  panel.style.left = `${Math.max(8, Math.min((left + right - width) / 2, parent.width - width - 8))}px`;
  panel.style.width = `${width}px`;
  panel.style.top = `${Math.max(4, top + (bottom - top - panel.offsetHeight) / 2)}px`;
}
