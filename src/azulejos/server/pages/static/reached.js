// What a visitor has reached, on the start page and among the lessons: lessons, puzzles, rating, streak; where to go on.

import { lessonsOf, nextOf } from "./lessons.js";
import { imported, save } from "./progress.js";
import { part } from "./site.js";
import { solved, streak, tried } from "./solving.js";
import { make, say } from "./words.js";

/** @type {[string, string, string[]][]} */
const courses = JSON.parse(part("courses").textContent ?? "[]"); // games, their titles, the names of their lessons

function show() {
  const lines = [];
  let next = "";
  for (const [game, title, names] of courses) {
    const { done, at } = lessonsOf(game);
    const count = names.filter((name) => done.includes(name)).length;
    if (!count && !at) continue;
    lines.push(say("{game}: lessons {done} of {all}", { game: title, done: count, all: names.length }));
    const lesson = nextOf(game, names);
    if (lesson) next ||= `/learn/${game}/${lesson}`;
  }
  const puzzles = solved();
  if (tried(puzzles)) {
    const n = Object.values(puzzles.done).flatMap((names) => Object.values(names).filter(Boolean)).length;
    const days = streak(puzzles, new Date().toISOString().slice(0, 10));
    lines.push(say("Puzzles: {n} solved", { n }));
    const { rating, deviation } = puzzles;
    lines.push(say("Your rating: {rating} ± {deviation}. Days in a row: {days}.", { rating: Math.round(rating), deviation: Math.round(deviation), days }));
  }
  part("reached").replaceChildren(...lines.map((words) => make("li", {}, words)));
  part("go-on").hidden = !lines.length;
  part("go-on").querySelector("a").href = next || "/puzzles";
}

part("save-progress").addEventListener("click", save);
part("save-progress").disabled = false;
part("open-progress").addEventListener("change", async (/** @type {any} */ { target }) => {
  const [file] = target.files;
  if (!file) return;
  const done = imported(await file.text());
  part("progress-message").textContent = done ? "" : say("This is no file with progress.");
  target.value = "";
  if (done) show();
});
part("open-progress").disabled = false;
show();
