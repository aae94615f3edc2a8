// A lesson: it says one thing, shows where, waits until the visitor does it, and explains a wrong try.

import { explainObjects } from "./explain.js";
import { finish, lessonsOf, stopAt } from "./lessons.js";
import { part, scrolls } from "./site.js";
import { Spotlight } from "./spotlight.js";
import { Study } from "./study.js";
import { announce, say } from "./words.js";

/** @typedef {import("protocol").Choice} Choice */
/**
 * @typedef {{words: string, anchor: string, marks: string[], expected: string, wrong: [string, string][], draws: string,
 *   done: string, reply: string[], position: string}} Step As in core/lessons.py, in the visitor's language.
 */

/** @type {{game: string, name: string, position: string, steps: Step[]}} */
const lesson = JSON.parse(part("lesson").textContent ?? "");
const room = part("room");
const study = new Study({ board: part("board"), preview: part("preview"), buttons: part("words-choices"), chosen, asked, shown, theme: room.dataset.theme });
study.names = [room.dataset.you, room.dataset.other];
study.viewer = 0;
study.projects = false; // what the round may bring is no part of a lesson
explainObjects(study.board);
const spotlight = new Spotlight(part("spot"), part("stage"), study.board);

const title = part("status").textContent;
let at = 0; // the step
/** @type {Step} */
let step = lesson.steps[0];
let waiting = false; // for the visitor to play
let depth = 0; // how many places of a move are picked

const fits = (/** @type {string} */ pattern, /** @type {string} */ action) => new RegExp(`^(?:${pattern})$`).test(action);
const right = (/** @type {Choice} */ { action }) => fits(step.expected, action);

// --- steps ---

/**
 * Begin a step; the position is shown already, unless the step has its own.
 * @param {number} number
 */
async function begin(number) {
  at = number;
  step = lesson.steps[at];
  study.lock();
  if (step.position) await study.show(step.position);
  room.dataset.step = String(at);
  part("along").value = at;
  stopAt(lesson.game, { lesson: lesson.name, step: at, position: study.now?.text ?? lesson.position });
  tell(step.words);
  part("rule").href = `/rules/${lesson.game}#${step.anchor}`;
  waiting = Boolean(step.expected);
  if (waiting) study.unlock();
  offerToGoOn(!waiting);
  spotlight.show(step.marks);
  reveal(step.marks);
}

/**
 * On a page that scrolls: bring places into sight, between what is told and the buttons.
 * @param {string[]} places
 */
function reveal(places) {
  if (!scrolls()) return;
  const [told, buttons] = [part("told"), part("words-choices").parentElement];
  const above = getComputedStyle(told).position === "sticky" ? told : document.querySelector(".bar");
  const below = getComputedStyle(buttons).position === "fixed" ? buttons.getBoundingClientRect().top : innerHeight;
  spotlight.reveal(places, above.getBoundingClientRect().bottom, below > innerHeight / 2 ? below : innerHeight);
}

/** @param {Choice} choice */
async function chosen(choice) {
  if (!waiting) return;
  if (!right(choice)) {
    const words = step.wrong.find(([pattern]) => fits(pattern, choice.action))?.[1];
    refuse(words ?? say("That is allowed, but the lesson asks for something else. Look at the marks."));
    return study.unlock();
  }
  waiting = false;
  study.open = false;
  part("status").textContent = title;
  refuse("");
  spotlight.show([]);
  await study.play([choice.action, ...(choice.then ?? [])], step.draws ? { draws: step.draws } : {});
  part("along").value = at + 1;
  if (!step.done) return goOn();
  tell(step.done);
  offerToGoOn(true);
}

async function goOn() {
  offerToGoOn(false);
  const { reply } = step;
  if (at + 1 === lesson.steps.length) return complete();
  if (reply.length) await study.play(reply);
  await begin(at + 1);
}

function complete() {
  finish(lesson.game, lesson.name);
  room.dataset.done = "yes";
  part("next").hidden = false;
  const button = part("next").querySelector("button");
  button?.classList.add("main");
  (button ?? part("next")).focus({ preventScroll: true });
}

// --- words ---

/** @param {string} words */
function tell(words) {
  part("said").textContent = words;
  refuse("");
  announce(words);
}

/** @param {string} words */
function refuse(words) {
  if (part("wrong").textContent === words) return;
  part("wrong").textContent = words;
  if (words) announce(words);
}

/**
 * The last step of a lesson leads to the next lesson at once.
 * @param {boolean} offered
 */
function offerToGoOn(offered) {
  const last = at + 1 === lesson.steps.length;
  if (offered && last) return complete();
  part("go").hidden = !offered;
  if (offered) part("go").focus({ preventScroll: true });
}

/**
 * Half a move: what is to be picked next stands above. A pick that leads to nothing that is expected is told at once.
 * @param {string | null} words
 */
function asked(words) {
  part("status").textContent = words ?? title;
  if (!waiting) return;
  const next = study.picking.picks.next();
  for (const button of part("words-choices").querySelectorAll("[data-place]")) {
    button.classList.toggle("lit", next.get(button.dataset.place)?.choices.some(right) ?? false);
  }
  if (study.picking.depth !== depth) reveal(step.marks.filter((place) => [...next.keys()].some((key) => `${key}.`.startsWith(`${place}.`))));
  depth = study.picking.depth;
  const { picks } = study.picking;
  const open = picks.depth ? picks.under(picks.picked) : [];
  if (!open.length || open.some(right)) return picks.depth ? refuse("") : undefined;
  const why = step.wrong.find(([pattern]) => open.every(({ action }) => fits(pattern, action)))?.[1];
  refuse(why ?? say("Look at the marks: the lesson asks for something else."));
}

function shown() {
  spotlight.follow();
}

part("go").addEventListener("click", (/** @type {MouseEvent} */ event) => {
  study.picking.byKeyboard = event.detail === 0; // pressed by a key: the board gets the focus
  goOn();
});
part("again").addEventListener("click", () => start(0, lesson.position));
part("again").disabled = false;

/**
 * @param {number} number
 * @param {string} position
 */
async function start(number, position) {
  part("next").hidden = true;
  delete room.dataset.done;
  study.open = false;
  await study.show(position);
  await begin(number);
}

const left = lessonsOf(lesson.game).at;
if (left?.lesson === lesson.name && left.step && left.step < lesson.steps.length) {
  await start(left.step, left.position).catch(() => start(0, lesson.position));
} else await start(0, lesson.position);
