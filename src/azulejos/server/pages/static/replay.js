// A record, walked through step by step.

import { Board } from "./board.js";
import { explainObjects } from "./explain.js";
import { worth } from "./hints.js";
import { Log, STEPS } from "./log.js";
import { Motion } from "./motion.js";
import { lens, onLayout, part } from "./site.js";
import { settings } from "./settings.js";
import { announce, make, say } from "./words.js";

const room = part("room");

const board = new Board(part("board"));
const motion = new Motion(board, settings);
explainObjects(board);
const log = new Log({ list: part("log"), stepper: part("stepper"), output: part("step-number"), look });
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
  if (shown !== null && target === shown + 1) await motion.play(step.steps);
  if (target !== wanted) return;
  board.show(step.board);
  shown = target;
  const said = steps[target]?.words ? say("{what}: {how}", { what: steps[target].name, how: steps[target].words }) : say("Position {number} of {total}", { number: target, total: log.total });
  part("preview").textContent = said;
  announce(said);
  history.replaceState(null, "", `#${target}`);
  part("analysis").href = `/analysis?from=${room.dataset.source}&step=${target}`;
  judge();
}

// What could have been played next, and what was.

let judging = false;

async function judge() {
  const on = part("hint").getAttribute("aria-pressed") === "true";
  if (!on || wanted >= log.total) return part("hints").replaceChildren();
  if (judging) return; // the last one asked for comes when this one is there
  judging = true;
  const number = wanted;
  part("hints").replaceChildren(make("p", { class: "soft" }, say("Thinking…")));
  const answer = await fetch(`${room.dataset.source}/hints/${number}`);
  const found = await answer.json().catch(() => ({}));
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
  part("hints").replaceChildren(...(answer.ok ? rows : [make("p", { class: "loss" }, message)]));
}

part("hint").addEventListener("click", () => {
  const on = part("hint").getAttribute("aria-pressed") !== "true";
  part("hint").setAttribute("aria-pressed", String(on));
  judge();
});
/** @type {HTMLButtonElement} */ (part("hint")).disabled = false;

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
  const where = STEPS.get(event.key);
  if (where && !event.defaultPrevented) log.step(where);
});
onLayout(() => {
  shown = null;
  look(wanted);
});
log.go(Math.min(Number(location.hash.slice(1)) || 0, log.total));
