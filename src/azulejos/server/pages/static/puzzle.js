// One puzzle after another: solve it on the board, then see why.

import { explainObjects } from "./explain.js";
import { part } from "./site.js";
import { keep, solved, streak } from "./solving.js";
import { Study } from "./study.js";
import { announce, make, say } from "./words.js";

/** @typedef {import("protocol").Choice} Choice */
/** @typedef {{action: string, words: string, chance: string, facts: string, why: string}} Worth */
/**
 * @typedef {{best: string, words: string, why: string, answers: Worth[], line: string[], themes: string[][],
 *   exact: boolean, levels: string[][]}} Answer
 */

const room = part("room");
const { game, today, day } = room.dataset;
/** @type {[string, number, string[]][]} */
const listed = JSON.parse(part("puzzles").textContent); // name, rating, themes; the easiest first
const study = new Study({
  board: part("board"),
  preview: part("preview"),
  buttons: part("words-choices"),
  chosen: attempt,
  asked: (words) => part("status").replaceChildren(words ?? study.now?.ask ?? ""),
  theme: room.dataset.theme,
});
explainObjects(study.board);

/** @type {{name: string, position: string, seat: number, names: string[], rating: number} | null} */
let puzzle = null;
let fresh = true; // was nothing tried yet?
let over = false; // is the answer known?

const theme = () => part("theme").value;
const address = (/** @type {string} */ end) => `/puzzles/${game}/${encodeURIComponent(puzzle?.name ?? "")}/${end}`;

// --- which one ---

/** A puzzle that was not tried yet, near the visitor's rating, at random; null if all were. */
function another() {
  const now = solved();
  const done = now.done[game] ?? {};
  const open = listed.filter(([name, , themes]) => !(name in done) && name !== puzzle?.name && (!theme() || themes.includes(theme())));
  open.sort((one, other) => Math.abs(one[1] - now.rating) - Math.abs(other[1] - now.rating));
  return open[Math.floor(Math.random() * Math.min(open.length, 6))]?.[0] ?? null;
}

/** @param {string} name */
async function show(name) {
  part("next").disabled = part("answer").disabled = true;
  part("why").hidden = true;
  part("said").replaceChildren();
  part("change").textContent = "";
  part("next").classList.remove("main"); // before the answer it would skip the puzzle
  const found = await get(`/puzzles/${game}/${encodeURIComponent(name)}/position`);
  part("next").disabled = false;
  if (found.message) return tell("loss", found.message);
  const { seat, names, position, rating } = (puzzle = found);
  fresh = true;
  over = false;
  study.viewer = seat;
  study.names = names;
  study.unlock();
  try {
    await study.show(position);
  } catch (error) {
    tell("loss", /** @type {Error} */ (error).message);
  }
  history.replaceState(null, "", `/puzzles/${game}/${encodeURIComponent(name)}${theme() ? `?theme=${encodeURIComponent(theme())}` : ""}`);
  part("tag").hidden = name !== today;
  part("its").textContent = String(rating);
  tell("", say("It is your turn: find the best action."));
  part("answer").disabled = false;
  count();
}

/**
 * What the server answers; `message`: why it does not.
 * @param {string} address
 * @returns {Promise<any>}
 */
async function get(address) {
  const nothing = { message: say("The server does not answer. Try again.") };
  const answer = await fetch(address).catch(() => null);
  const found = (await answer?.json().catch(() => null)) ?? nothing;
  return answer?.ok || found.message ? found : nothing;
}

function next() {
  const name = another();
  if (name) return show(name);
  tell("", say("You have tried all of these puzzles."), make("a", { href: "/puzzles" }, say("All puzzles")));
  if (!puzzle) part("status").textContent = say("You have tried all of these puzzles.");
}

/** The figures of the visitor. */
function count() {
  const now = solved();
  const done = now.done[game] ?? {};
  const those = listed.filter(([, , themes]) => !theme() || themes.includes(theme()));
  part("mine").textContent = Object.keys(now.done).length ? String(Math.round(now.rating)) : "–";
  part("streak").textContent = String(streak(now, day));
  const tried = those.filter(([name]) => name in done).length;
  part("left").textContent = say("{tried} of {count} tried", { tried, count: those.length });
}

// --- trying ---

/**
 * @param {string} kind
 * @param {string} words
 * @param {(Node | string)[]} more
 */
function tell(kind, words, ...more) {
  part("said").replaceChildren(make("p", { class: kind }, words), ...more.map((one) => make("p", {}, one)));
  announce(words);
}

/** @param {Choice | null} choice null: show the answer */
async function attempt(choice) {
  if (!puzzle || over) return;
  const now = solved();
  const query = new URLSearchParams({ action: choice?.action ?? "" });
  if (fresh && !(puzzle.name in (now.done[game] ?? {}))) {
    query.set("rating", String(now.rating));
    query.set("deviation", String(now.deviation));
  }
  const found = await get(`${address("try")}?${query}`);
  if (found.message) {
    study.offer();
    return tell("loss", found.message);
  }
  remember(found, Boolean(choice));
  if (!found.answer) {
    study.offer();
    part("status").textContent = found.said; // on phones all else is below the board
    return tell("loss", found.said, ...[found.facts, say("Try again.")].filter(Boolean));
  }
  over = true;
  study.lock();
  part("answer").disabled = true;
  part("next").classList.add("main");
  if (found.right) tell("gain", say("Right: {words}", { words: found.answer.words }));
  else tell("", say("The best is: {words}", { words: found.answer.words }));
  part("status").textContent = found.answer.words;
  explain(found.answer);
  part("next").focus();
}

/**
 * Keep the result of the first try, and the day of the puzzle of the day; show how the rating changes.
 * @param {any} found
 * @param {boolean} played
 */
function remember(found, played) {
  if (!puzzle) return;
  const now = solved();
  const done = (now.done[game] ??= {});
  if (fresh && !(puzzle.name in done)) {
    done[puzzle.name] = found.right ? 1 : 0;
    const difference = Math.round(found.rating) - Math.round(now.rating);
    part("change").textContent = `${difference < 0 ? "−" : "+"}${Math.abs(difference)}`;
    part("change").className = difference < 0 ? "loss" : "gain";
    now.rating = found.rating;
    now.deviation = found.deviation;
  }
  if (found.right && played && puzzle.name === today && !now.days.includes(day)) now.days.push(day);
  fresh = false;
  keep(now);
  count();
}

/** @param {Answer} found */
function explain(found) {
  part("reasons").replaceChildren(make("p", {}, found.why), ...(found.exact ? [make("p", { class: "soft" }, say("Solved to the end of the round."))] : []));
  part("answers").replaceChildren(
    ...found.answers.map((one) => {
      const button = make(
        "button",
        { class: one.action === found.best ? "best" : "", "aria-pressed": "false", click: () => look(button, one) },
        one.words,
        make("b", {}, one.chance),
        one.facts ? make("span", {}, one.facts) : null,
      );
      return make("li", {}, button);
    }),
  );
  part("line").replaceChildren(...found.line.map((words) => make("li", {}, words)));
  part("levels").replaceChildren(...found.levels.map(([level, share]) => make("li", {}, make("span", {}, level), make("b", {}, share))));
  const links = found.themes.flatMap(([words, anchor]) => [make("a", { href: `/rules/${game}#${anchor}` }, words), ", "]).slice(0, -1);
  part("rules-links").replaceChildren(`${say("Themes")}: `, ...links);
  part("analyse").href = `/analysis?${new URLSearchParams({ text: puzzle?.position ?? "" })}`;
  part("why").hidden = false;
  const first = part("answers").querySelector("button");
  if (first) look(first, found.answers[0]);
}

/**
 * An action as ghosts on the board, and why the best is better.
 * @param {HTMLElement} button
 * @param {Worth} one
 */
function look(button, one) {
  for (const other of part("answers").querySelectorAll("button")) other.setAttribute("aria-pressed", String(other === button));
  study.peek(one.action);
  if (!one.why) return;
  part("reasons").firstChild.textContent = one.why;
  announce(one.why);
}

part("next").addEventListener("click", next);
part("answer").addEventListener("click", () => attempt(null));
part("theme").addEventListener("change", next);
part("theme").value = new URLSearchParams(location.search).get("theme") ?? "";
part("theme").disabled = false;
count();
if (room.dataset.name) await show(room.dataset.name);
else await next();
room.dataset.ready = "yes";
