// What a visitor has reached, on the start page and among the lessons: lessons, puzzles, rating, streak; where to go on.

import { begun, lessonsOf, nextOf } from "./lessons.js";
import { imported, save } from "./progress.js";
import { part } from "./site.js";
import { solved, streak, tried } from "./solving.js";
import { make, say } from "./words.js";

/** @type {[string, string, string[]][]} */
const courses = JSON.parse(part("courses").textContent ?? "[]"); // games, their titles, the names of their lessons

function show() {
  const lines = [];
  for (const [game, title, names] of courses) {
    const { done, at } = lessonsOf(game);
    const count = names.filter((name) => done.includes(name)).length;
    if (!count && !at) continue;
    lines.push(say("{game} · lessons {done} of {all}", { game: title, done: count, all: names.length }));
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
  const go = part("go-on").querySelector("a");
  go.href = "/puzzles";
  go.textContent = say("Solve a puzzle");
  for (const [game, title, names] of begun().flatMap((one) => courses.filter(([game]) => game === one))) {
    const lesson = nextOf(game, names);
    if (!lesson) continue;
    go.href = `/learn/${game}/${lesson}`;
    go.textContent = say("{title} · go on with lesson {number}", { title, number: names.indexOf(lesson) + 1 });
    break;
  }
  if (lines.length) moveUp();
}

/** On the start page, what is begun stands above what could be: beside the games, or on a narrow page before them. */
function moveUp() {
  const start = document.querySelector(".start");
  const beside = start?.querySelector(".beside");
  if (!start || !beside) return;
  const narrow = beside.getBoundingClientRect().left <= start.getBoundingClientRect().left;
  (narrow ? start : beside).prepend(part("progress"));
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
