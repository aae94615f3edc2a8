// A record, walked through step by step.

import { Board } from "./board.js";
import { Log } from "./log.js";
import { Motion } from "./motion.js";
import { settings } from "./settings.js";
import { announce, say } from "./words.js";

const room = document.getElementById("room");
const part = (id) => document.getElementById(id);
const phone = matchMedia("(max-width: 760px)");

const board = new Board(part("board"));
const motion = new Motion(board, settings);
const log = new Log({ list: part("log"), stepper: part("stepper"), output: part("step-number"), look });
let shown = null;
let wanted = 0;

async function look(number) {
  wanted = number ?? log.total;
  const query = new URLSearchParams({ layout: phone.matches ? "tall" : "wide", theme: room.dataset.theme });
  const target = wanted;
  const answer = await fetch(`${room.dataset.source}/steps/${target}?${query}`);
  if (!answer.ok || target !== wanted) return;
  const step = await answer.json();
  if (shown !== null && target === shown + 1) await motion.play(step.steps);
  if (target !== wanted) return;
  board.show(step.board);
  shown = target;
  const said = steps[target]?.words ? `${steps[target].name}: ${steps[target].words}` : say("Position {number} of {total}", { number: target, total: log.total });
  part("preview").textContent = said;
  announce(said);
  history.replaceState(null, "", `#${target}`);
}

const steps = await (await fetch(`${room.dataset.source}/steps`)).json();
log.names = [];
steps.forEach((step, number) => {
  if (step.name) log.names[step.seat] = step.name;
  if (number) log.add({ ...step, kind: "played", actions: number });
  else log.head(step.round);
});
addEventListener("keydown", (event) => {
  const moves = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
  if (moves[event.key] && !event.defaultPrevented) log.step(moves[event.key]);
});
phone.addEventListener("change", () => {
  shown = null;
  look(wanted);
});
log.go(Math.min(Number(location.hash.slice(1)) || 0, log.total));
