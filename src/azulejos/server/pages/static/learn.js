// The list of lessons: what is done, and where to go on.

import { lessonsOf, nextOf } from "./lessons.js";
import { say } from "./words.js";

for (const card of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-lessons]"))) {
  const game = card.dataset.lessons ?? "";
  const items = /** @type {HTMLElement[]} */ ([...card.querySelectorAll("[data-lesson]")]);
  const names = items.map((item) => item.dataset.lesson ?? "");
  const { done, at } = lessonsOf(game);
  for (const item of items) {
    const tick = /** @type {HTMLElement} */ (item.querySelector(".tick"));
    tick.hidden = !done.includes(item.dataset.lesson ?? "");
  }
  const next = nextOf(game, names);
  const go = /** @type {HTMLAnchorElement} */ (card.querySelector(".go"));
  const coached = /** @type {HTMLElement} */ (card.querySelector(".coached > button"));
  if (next && (done.length || at)) {
    go.href = `/learn/${game}/${next}`;
    go.textContent = say("Go on with lesson {number}", { number: names.indexOf(next) + 1 });
  }
  if (!next) {
    go.classList.remove("main");
    go.textContent = say("Once more from lesson 1");
    coached.classList.add("main");
  }
}
