// A record, walked through step by step, or playing by itself.

import { Board } from "./board.js";
import { explainObjects } from "./explain.js";
import { worth } from "./hints.js";
import { Log, STEPS } from "./log.js";
import { Motion } from "./motion.js";
import { lens, onLayout, part } from "./site.js";
import { markLast } from "./marking.js";
import { Scoring } from "./scoring.js";
import { bindSettings, settings } from "./settings.js";
import { announce, make, say } from "./words.js";

const room = part("room");

const board = new Board(part("board"));
const ENGINE = /** @type {any} */ ("./engine/thinking.js");
const THOUGHT = 1000; // milliseconds of thought about one position
const PAUSE = 1400; // milliseconds between two moves that play by themselves, at normal speed
const pace = () => Number(settings.pace);
const motion = new Motion(board, {
  get speed() {
    return String(Number(settings.speed) && playing ? pace() : settings.speed); // no movement stays none
  },
});
explainObjects(board);
bindSettings();
const log = new Log({ list: part("log"), stepper: part("stepper"), output: part("step-number"), look: (at) => (showing = look(at)) });
let playing = false;
let showing = Promise.resolve(); // until the position is there
/** @type {number | null} */
let shown = null;
let wanted = 0;

/** @param {number | null} number */
async function look(number) {
  wanted = number ?? log.total;
  const query = new URLSearchParams(lens(room.dataset.theme));
  const target = wanted;
  const answer = await fetch(`${room.dataset.source}/steps/${target}?${query}`);
  if (!answer.ok || target !== wanted) return;
  const step = await answer.json();
  const said = step.words || say("Position {number} of {total}", { number: target, total: log.total });
  part("preview").textContent = said;
  if (shown !== null && target === shown + 1) await motion.play(step.steps, scoringOf(target, step.steps));
  if (target !== wanted) return;
  board.show(step.board);
  markLast(board, step.places);
  shown = target;
  announce(said);
  history.replaceState(null, "", `#${target}`);
  part("analysis").href = `/analysis?from=${room.dataset.source}&step=${target}`;
  judge();
}

/**
 * The scoring of a round that an action ends.
 * @param {number} number
 * @param {import("protocol").Step[]} told
 */
function scoringOf(number, told) {
  const { round } = steps[number];
  const ends = number === log.total || steps[number + 1].round !== round;
  if (!ends || told.filter(({ points }) => points).length < 2) return null;
  return new Scoring(board, { round, names: log.names, scores: steps[number - 1].scores });
}

// It plays by itself, at the chosen pace, until somebody steps or it is over.

async function run() {
  if (wanted >= log.total) log.step("first");
  while (playing && wanted < log.total) {
    await showing;
    if (playing) await new Promise((done) => setTimeout(done, PAUSE / pace()));
    if (playing) log.step("on");
  }
  await showing;
  play(false);
}

/** @param {boolean} on */
function play(on) {
  if (on === playing) return;
  playing = on;
  part("play").setAttribute("aria-pressed", String(on));
  part("play").setAttribute("aria-label", on ? say("Pause") : say("Play by itself"));
  if (on) run();
}

part("play").addEventListener("click", () => play(!playing));
part("stepper").addEventListener("click", (/** @type {any} */ { target }) => target.closest("[data-step]") && play(false));

// What could have been played next, and what was.

let judging = false;

async function judge() {
  const on = part("hint").getAttribute("aria-pressed") === "true";
  if (!on || wanted >= log.total) return part("hints").replaceChildren();
  if (judging) return; // the last one asked for comes when this one is there
  judging = true;
  const number = wanted;
  part("hints").replaceChildren(make("p", { class: "soft" }, say("Thinking…")));
  const { ok, found } = await think(number).catch(() => askServer(number));
  judging = false;
  if (number !== wanted) return judge();
  /** @type {{hints?: import("protocol").Hint[], facts?: Record<string, string>, played?: string, message?: string}} */
  const { hints = [], facts = {}, played, message = "" } = found;
  const rows = hints.map(({ action, words, chance }, k) =>
    make(
      "div",
      { class: "hint", title: [words, facts[action]].filter(Boolean).join(" · "), "aria-current": action === played && "true" },
      ...worth(words, chance, k ? hints[0].chance - chance : null, facts[action]),
    ),
  );
  part("hints").replaceChildren(...(ok ? rows : [make("p", { class: "loss" }, message)]));
}

/** @param {number} number */
async function askServer(number) {
  const answer = await fetch(`${room.dataset.source}/hints/${number}`);
  return { ok: answer.ok, found: await answer.json().catch(() => ({})) };
}

/** @type {any} */
let engine = null; // the visitor's own, once it was needed

/**
 * The same answer from the visitor's own engine; throws where the browser has none.
 * @param {number} number
 */
async function think(number) {
  const { Thinking, bestOf, canThink, fromBase64 } = await import(ENGINE);
  if (!canThink()) throw new Error("no engine");
  const [{ text }, { action: played }] = steps.slice(number);
  const answer = await fetch(`/position?${new URLSearchParams({ text })}`);
  const { view, game, options, actions, choices, ...refused } = await answer.json();
  if (!answer.ok) return { ok: false, found: refused };
  engine ??= new Thinking(game, options);
  /** @type {any} */
  const choice = await new Promise((done, fail) => {
    const enough = performance.now() + THOUGHT;
    /** @type {any} */
    let last = null;
    engine.ponder(fromBase64(view), (/** @type {any} */ one) => ((last = one), performance.now() > enough && done(one)), fail);
    setTimeout(() => last && done(last), THOUGHT);
  });
  engine.stop();
  const other = choice.actions.find((/** @type {any} */ one) => actions[one.place] === played);
  const best = bestOf(choice, 3);
  const hints = [...best, ...(other && !best.includes(other) ? [other] : [])].map(({ place, chance }) => ({
    action: actions[place],
    words: choices.find((/** @type {any} */ one) => one.action === actions[place])?.words ?? actions[place],
    chance,
  }));
  const query = new URLSearchParams([["text", text], ...hints.map(({ action }) => ["action", action])]);
  const said = await fetch(`/coach?${query}`);
  const { facts = {} } = said.ok ? await said.json() : {};
  return { ok: true, found: { hints, facts, played } };
}

part("hint").addEventListener("click", () => {
  const on = part("hint").getAttribute("aria-pressed") !== "true";
  part("hint").setAttribute("aria-pressed", String(on));
  judge();
});

/** @type {any[]} */
const steps = await (await fetch(`${room.dataset.source}/steps`)).json();
log.names = [];
steps.forEach((step, number) => {
  if (step.name) log.names[step.seat] = step.name;
  if (number) log.add({ ...step, kind: "played", actions: number });
  else log.head(step.round);
});
addEventListener("keydown", (event) => {
  if (event.key === "h" && !event.ctrlKey && !event.metaKey && !event.altKey) part("hint").click();
  if (/** @type {Element} */ (event.target).matches("select")) return;
  if (event.key === " " && !event.defaultPrevented && !(/** @type {Element} */ (event.target).closest("button, a"))) {
    event.preventDefault();
    part("play").click();
  }
  const where = STEPS.get(event.key);
  if (!where || event.defaultPrevented) return;
  play(false);
  log.step(where);
});
onLayout(() => {
  shown = null;
  look(wanted);
});
log.go(Math.min(Number(location.hash.slice(1)) || 0, log.total));
for (const control of [part("hint"), ...part("stepper").querySelectorAll("button, select")]) control.disabled = false;
