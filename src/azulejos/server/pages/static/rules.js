// The example on a page of rules: its move is shown as at the table, before it is made.

import { Board } from "./board.js";
import { foresee } from "./marking.js";

for (const figure of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-example]"))) {
  const { picks, ghosts, marks } = JSON.parse(figure.dataset.example ?? "");
  const board = new Board(figure);
  board.svg = figure.querySelector("svg");
  for (const { place, falls } of picks) {
    board.place(place)?.classList.add("held");
    for (const other of falls) board.place(other)?.classList.add("falls");
  }
  foresee(board, { words: "", projected: 0, ghosts, marks });
}
