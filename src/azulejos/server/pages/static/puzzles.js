// The overview of puzzles: what this visitor has solved.

import { part } from "./site.js";
import { solved, streak, tried } from "./solving.js";
import { say } from "./words.js";

const now = solved();
const mine = part("mine");
if (tried(now)) {
  const days = streak(now, mine.dataset.day);
  mine.textContent = say("Your rating: {rating} ± {deviation}. Days in a row: {days}.", {
    rating: Math.round(now.rating),
    deviation: Math.round(now.deviation),
    days,
  });
}
for (const card of document.querySelectorAll("section[data-game]")) {
  const { game = "", today = "", count = "" } = /** @type {HTMLElement} */ (card).dataset;
  const done = now.done[game] ?? {};
  const number = Object.keys(done).length;
  const found = Object.values(done).filter(Boolean).length;
  const words = card.querySelector(".solved");
  if (number && words) words.textContent = say("{tried} of {count} tried, {found} found at once", { tried: number, count, found });
  if (today in done) card.querySelector(".button.main")?.classList.remove("main");
}
