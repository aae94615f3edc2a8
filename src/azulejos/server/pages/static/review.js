// The review of a finished game: it fills in while one looks; the worst positions come again as exercises.

import { Board } from "./board.js";
import { explainObjects } from "./explain.js";
import { remember, showHistory } from "./history.js";
import { foresee, hold, unmark } from "./marking.js";
import { Picking } from "./picking.js";
import { lens, onLayout, part } from "./site.js";
import { announce, make, say } from "./words.js";

/** @typedef {{seat: number, name: string, words: string, projected: number[]}} Step */
/** @typedef {{action: string, words: string, facts: string, line: Step[], expected: number, gained: string[]}} Said */
/** @typedef {{number: string, step: number, change: string, words: string, bad: boolean}} Moment */

const room = part("room");
const source = `${room.dataset.source}/review`;
const board = new Board(part("board"));
const picking = new Picking(board, {
  play: tried,
  asked: (words) => words && part("preview").replaceChildren(words),
  settings: { confirm: false },
  preview: part("preview"),
  buttons: part("words-choices"),
});
explainObjects(board);

/** @type {any} */
let whole = null; // what the server found, when it is whole
/** @type {any} */
let shown = null; // the decision that is looked at
/** @type {number[]} */
let exercises = []; // steps that are still to be solved
let exercising = false;
let chosen = false; // did the visitor choose the decision that is looked at?

const seat = () => /** @type {HTMLSelectElement | null} */ (document.getElementById("seat"))?.value ?? "0";

// --- filling in ---

async function follow() {
  for (;;) {
    const answer = await fetch(`${source}/progress?seat=${seat()}`);
    const found = await answer.json().catch(() => ({}));
    if (answer.ok) {
      /** @type {HTMLProgressElement} */ (part("bar")).value = found.done / found.total;
      draw(found.graph);
      if (found.moments) return complete(found);
    } else if (answer.status !== 429) return part("busy").replaceChildren(found.message ?? "");
    await new Promise((resolve) => setTimeout(resolve, 600));
  }
}

/** @param {string} graph */
function draw(graph) {
  const picture = new DOMParser().parseFromString(graph, "image/svg+xml").documentElement;
  part("course").replaceChildren(document.importNode(picture, true));
  for (const hit of part("course").querySelectorAll(".hit")) {
    hit.addEventListener("click", () => choose(Number(hit.id.slice("action-".length))));
  }
  here();
}

/** Mark where one is in the graph. */
function here() {
  const svg = part("course").querySelector("svg");
  svg?.querySelector(".here")?.remove();
  const hit = shown && svg?.querySelector(`#action-${shown.number}`);
  if (!svg || !hit) return;
  const x = Number(hit.getAttribute("x")) + Number(hit.getAttribute("width")) / 2;
  const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
  const field = svg.querySelector(".field");
  const top = Number(field?.getAttribute("y"));
  const places = { x1: x, x2: x, y1: top, y2: top + Number(field?.getAttribute("height")) };
  for (const [name, value] of Object.entries({ ...places, class: "here" })) line.setAttribute(name, String(value));
  svg.insertBefore(line, svg.querySelector(".hit"));
}

/** @param {any} found */
function complete(found) {
  whole = found;
  const number = (/** @type {string} */ value, /** @type {string} */ words, kind = "") =>
    make("div", { class: "number" }, make("b", { class: kind }, value), make("span", {}, words));
  part("numbers").setAttribute("aria-busy", "false");
  part("numbers").replaceChildren(
    make(
      "div",
      { class: "figures" },
      number(found.accuracy, say("accuracy")),
      number(found.luck, say("luck"), found.luck.startsWith("−") ? "loss" : "gain"),
      number(String(found.mistakes), found.mistakes_word),
    ),
    make("p", {}, found.even),
    make("p", { class: "row" }, ...named(say("Best move"), found.best), ...named(say("Worst move"), found.worst)),
    make("p", { class: "soft" }, `${say("error rate")} ${found.error_rate} · ${say("luck in points")} ${found.luck_points}`),
  );
  const rows = found.moments.map((/** @type {Moment} */ moment) =>
    make("li", {}, make("button", { click: () => (toBoard(), choose(moment.step)) }, make("b", {}, moment.number), make("span", {}, moment.words), make("b", { class: moment.bad ? "loss" : "gain" }, moment.change))),
  );
  part("moments").replaceChildren(...rows);
  part("turning").hidden = !rows.length;
  part("after").hidden = false;
  part("learn").hidden = !found.exercises.length;
  part("learn").textContent = say("Learn from your mistakes ({n})", { n: found.exercises.length });
  if (!chosen) choose(found.worst?.step ?? found.moments[0]?.step ?? 0);
  else if (shown?.pending) look(shown.number);
  remember({ game: room.dataset.game ?? "", date: room.dataset.date ?? "", source: room.dataset.source ?? "", seat: seat(), ...found.history });
  showHistory();
  announce(found.even);
}

/**
 * A button to a decision.
 * @param {string} kind
 * @param {{step: number, words: string} | null} decision
 */
function named(kind, decision) {
  return decision ? [make("button", { title: decision.words, click: () => choose(decision.step) }, `${kind}: ${decision.step + 1}`)] : [];
}

/** Up to the board, from a list below it. */
function toBoard() {
  if (part("board").getBoundingClientRect().top < 0) part("board").scrollIntoView();
}

// --- looking at a decision ---

let wanted = 0; // the step that was last asked for

/** @param {number} step */
function choose(step) {
  chosen = true;
  return look(step);
}

/** @param {number} step */
async function look(step) {
  wanted = step;
  const query = new URLSearchParams(lens(room.dataset.theme));
  const answer = await fetch(`${source}/${step}?${query}`);
  const found = answer.ok && (await answer.json());
  if (!found || step !== wanted) return;
  shown = found;
  exercising = false;
  board.show(shown.board);
  picking.offer([]);
  history.replaceState(null, "", `#${step}`);
  part("analysis").href = `/analysis?from=${room.dataset.source}&step=${step}`;
  here();
  tell();
}

/** What was played, what was better, and why; both lines side by side. */
function tell() {
  const { played, better, why, facts, loss, exact, pending, name, number } = shown;
  const heading = say("Move {number}: {name}, {words}", { number: number + 1, name, words: played.words });
  const said = [make("h2", {}, make("span", {}, heading), make("b", { class: "loss" }, loss ?? ""))];
  if (better) {
    const best = make("b", {}, say("Better: {words}", { words: better.words }));
    said.push(make("p", {}, best, facts ? ` – ${facts}. ` : ". ", why));
  } else said.push(make("p", { class: "soft" }, pending ? say("Thinking…") : say("Nothing better was found.")));
  if (exact) said.push(make("p", { class: "soft exact" }, say("Exact: every line to the end of the round was searched.")));
  const lines = better ? [column(say("Played"), played, better), column(say("Better"), better, played)] : [column(say("Played"), played, null)];
  said.push(make("div", { class: "lines" }, ...lines));
  if (better) said.push(make("div", { class: "row" }, make("button", { class: "main", click: () => exercise(number) }, say("Try it yourself"))));
  part("why").dataset.kind = shown.kind ?? "";
  part("why").replaceChildren(...said);
  part("why").hidden = false;
  announce(heading);
  ghosts(better ?? played, better ? played : null);
}

/**
 * A line to the end of the round: a button that shows its first action on the board, its turns, and what it scored.
 * @param {string} kind
 * @param {Said} one
 * @param {Said | null} other
 */
function column(kind, one, other) {
  const names = [...part("room").querySelectorAll("#seat option")].map(({ textContent }) => textContent);
  const turns = one.line.map(({ name, words, projected }) =>
    make("li", {}, make("b", {}, name), ` ${words} `, make("span", { class: "soft scores" }, projected.join(" : "))),
  );
  const rest = turns.splice(one.expected);
  const more = make("details", { class: "soft" }, make("summary", {}, say("… and {n} simple moves more", { n: rest.length })), make("ol", { start: String(turns.length + 1) }, ...rest));
  const scored = one.gained.map((points, seat) => `${names[seat] ?? ""} ${points}`).join(", ");
  return make(
    "section",
    { class: "course-line" },
    make("button", { "data-action": one.action, "aria-pressed": "false", click: () => ghosts(one, other) }, make("b", {}, kind), ` ${one.words}`),
    one.facts ? make("p", { class: "soft facts" }, one.facts) : null,
    make("ol", {}, ...turns),
    rest.length ? more : null,
    make("p", {}, say("By the end of the round: {points}", { points: scored })),
  );
}

/**
 * An action as ghosts on the board; the places of the other one are outlined.
 * @param {Said} one
 * @param {Said | null} other
 */
function ghosts(one, other) {
  const found = (/** @type {Said | null} */ wanted) => shown.choices.find((/** @type {{action: string}} */ { action }) => action === wanted?.action);
  const places = (/** @type {any} */ choice) => (choice?.picks ?? []).map((/** @type {{place: string}} */ { place }) => place);
  const choice = found(one);
  clearGhosts();
  if (choice) {
    hold(board, places(choice));
    foresee(board, choice.preview);
    part("preview").replaceChildren([choice.words, choice.preview.words].filter(Boolean).join(" · "));
  }
  for (const place of places(found(other))) board.place(place)?.classList.add("other");
  for (const button of part("why").querySelectorAll("[data-action]")) {
    button.setAttribute("aria-pressed", String(button.getAttribute("data-action") === one.action));
  }
}

function clearGhosts() {
  for (const old of part("board").querySelectorAll(".other")) old.classList.remove("other");
  unmark(board);
  board.clearSky();
}

// --- exercises ---

part("learn").addEventListener("click", () => {
  exercises = [...whole.exercises];
  toBoard();
  next();
});

function next() {
  const step = exercises.shift();
  if (step === undefined) return look(whole.worst?.step ?? 0);
  look(step).then(() => shown?.number === step && exercise(step));
}

/** @param {number} step */
function exercise(step) {
  exercising = true;
  part("why").dataset.kind = "";
  part("why").replaceChildren(
    make("h2", {}, say("Find a better move")),
    make("p", {}, say("{name} played {words}.", { name: shown.name, words: shown.played.words })),
    make("div", { class: "row" }, make("button", { click: () => solved(step, "") }, say("Show the answer"))),
  );
  clearGhosts();
  picking.offer(shown.choices, shown.closed, shown.projected);
  part("preview").replaceChildren(shown.ask);
  announce(say("Find a better move"));
}

/** @param {{action: string, words: string}} choice */
async function tried(choice) {
  if (!exercising) return;
  const step = shown.number;
  part("preview").replaceChildren(say("Thinking…"));
  const answer = await fetch(`${source}/${step}/try?action=${encodeURIComponent(choice.action)}`);
  const { good, loss } = await answer.json();
  if (good) return solved(step, say("Right: {words}", { words: choice.words }));
  const words = say("{words} gives away {loss}. Try again.", { words: choice.words, loss });
  picking.offer(shown.choices, shown.closed, shown.projected);
  part("preview").replaceChildren(make("span", { class: "loss" }, words));
  announce(words);
}

/**
 * @param {number} step
 * @param {string} words
 */
function solved(step, words) {
  exercising = false;
  picking.offer([]);
  tell();
  if (words) {
    part("why").prepend(make("p", { class: "gain" }, words));
    announce(words);
  }
  if (exercises.length) part("why").append(make("div", { class: "row" }, make("button", { class: "main", click: next }, say("Next position"))));
}

// --- sharing ---

part("share").addEventListener("click", async () => {
  const address = location.href.split("#")[0];
  const picture = await card();
  const file = picture && new File([picture], "review.png", { type: "image/png" });
  const data = { title: document.title, url: address, ...(file && navigator.canShare?.({ files: [file] }) ? { files: [file] } : {}) };
  if (navigator.share) return navigator.share(data).catch(() => {});
  await navigator.clipboard?.writeText(address).catch(() => {});
  if (picture) {
    const link = make("a", { href: URL.createObjectURL(picture), download: "review.png" });
    link.click();
  }
  part("share").lastChild?.replaceWith(say("Copied"));
});

part("share").disabled = false;

/** The picture to share, as PNG. */
async function card() {
  const answer = await fetch(`${source}/card.svg?seat=${seat()}`);
  if (!answer.ok) return null;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await answer.text())}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = 1200;
  canvas.height = 630;
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  return new Promise((/** @type {(picture: Blob | null) => void} */ resolve) => canvas.toBlob(resolve, "image/png"));
}

part("print").addEventListener("click", () => print());
document.getElementById("seat")?.addEventListener("change", follow);
onLayout(() => shown && look(shown.number));
addEventListener("keydown", (event) => {
  if (!shown || exercising || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "ArrowLeft" && shown.number > 0) choose(shown.number - 1);
  if (event.key === "ArrowRight") choose(shown.number + 1);
});
chosen = location.hash !== "";
await look(Number(location.hash.slice(1)) || 0);
if (!chosen) history.replaceState(null, "", location.pathname);
await follow();
