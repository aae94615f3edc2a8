// Marks on the board: what may be picked, what is held, what would fall away, what a choice would do.

/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("protocol").Choice} Choice */

/**
 * The places on the board that can be picked now.
 * @param {Board} board
 */
export function pickable(board) {
  return /** @type {SVGElement[]} */ ([...board.container.querySelectorAll(".can")]);
}

/**
 * Take all marks off.
 * @param {Board} board
 */
export function unmark(board) {
  for (const old of board.container.querySelectorAll(".can, .held, .shut, .falls, .reach, .quiet")) {
    const { role, label } = /** @type {SVGElement} */ (old).dataset;
    old.classList.remove("can", "held", "shut", "falls", "reach", "quiet");
    old.removeAttribute("tabindex");
    if (role) old.setAttribute("role", role);
    if (label) old.setAttribute("aria-label", label);
  }
}

/**
 * A place can be picked: it becomes a button.
 * @param {SVGElement} element
 * @param {string} words
 * @param {boolean} first
 */
export function enable(element, words, first) {
  element.classList.add("can");
  element.dataset.role ??= element.getAttribute("role") ?? "img";
  element.dataset.label ??= element.getAttribute("aria-label") ?? "";
  element.setAttribute("role", "button");
  element.setAttribute("aria-label", words);
  element.setAttribute("tabindex", first ? "0" : "-1");
}

/**
 * What has been picked so far is outlined.
 * @param {Board} board
 * @param {string[]} places
 */
export function hold(board, places) {
  for (const place of places) {
    const element = board.place(place);
    element?.classList.add("held");
    element?.setAttribute("role", "group"); // there may be places to pick inside it
  }
}

/**
 * What would fall away is marked.
 * @param {Board} board
 * @param {string[]} places
 */
export function fall(board, places) {
  for (const old of board.container.querySelectorAll(".falls")) old.classList.remove("falls");
  for (const place of places) board.place(place)?.classList.add("falls");
}

/**
 * What could be picked after the place that is pointed at.
 * @param {Board} board
 * @param {string[]} places
 */
export function reach(board, places) {
  for (const old of board.container.querySelectorAll(".reach")) old.classList.remove("reach");
  for (const place of places) board.place(place)?.classList.add("reach");
}

/**
 * The places that the last move touched, until the next one. Where tiles are gone, the place that they lay on.
 * @param {Board} board
 * @param {string[]} places
 */
export function markLast(board, places) {
  for (const place of places) {
    const [whole] = place.split(".");
    (board.place(place) ?? board.place(whole))?.classList.add("last");
  }
}

/**
 * Ghosts and points of a choice, above the board.
 * @param {Board} board
 * @param {Choice["preview"]} preview
 */
export function foresee(board, preview) {
  for (const { place, shape, kind = "tile" } of preview.ghosts ?? []) {
    const element = board.place(place);
    if (element) board.tile(shape, board.spot(element), `ghost ${kind}`);
  }
  for (const { place, text } of preview.marks ?? []) {
    const element = board.place(place);
    if (element) board.mark(text, board.spot(element));
  }
}

/**
 * The projected score on the board of the seat to act follows what a choice would bring; null: as it was.
 * @param {Board} board
 * @param {number | null} score
 */
export function foretell(board, score) {
  const seat = board.container.querySelector(".seat:has(> rect.turn)");
  const text = /** @type {SVGElement | null | undefined} */ (seat?.querySelector('[id$=".projected"]'));
  if (!text) return;
  const { now } = text.dataset;
  if (score === null && now === undefined) return;
  text.dataset.now ??= text.textContent?.slice(2);
  const shown = score ?? Number(now);
  const gain = shown - Number(seat?.querySelector('[id$=".score"]')?.textContent);
  text.textContent = `→ ${shown}`;
  text.setAttribute("class", `${gain > 0 ? "gain" : gain < 0 ? "loss" : "same"} serif`);
  if (score === null) delete text.dataset.now;
}
