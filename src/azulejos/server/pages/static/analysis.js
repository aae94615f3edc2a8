// The analysis board: any position, played on branch by branch, with the visitor's own engine beside it.

import { explainObjects } from "./explain.js";
import { Lines } from "./lines.js";
import { STEPS } from "./log.js";
import { foresee } from "./marking.js";
import { lens, part } from "./site.js";
import { SetUp } from "./setup.js";
import { Study } from "./study.js";
import { Tree } from "./tree.js";
import { announce, make, say } from "./words.js";

/** @typedef {import("./study.js").Position} Position */
/** @typedef {import("./tree.js").Node} Node */

const SVG = "http://www.w3.org/2000/svg";
const SOON = 300; // milliseconds until a change is in the address

const room = part("room");
const { theme, language } = room.dataset;
const study = new Study({
  board: part("board"),
  preview: part("preview"),
  buttons: part("words-choices"),
  theme,
  chosen: (choice) => playOn([choice.action, ...(choice.then ?? [])]),
  asked: (words) => status(words ?? study.now?.status ?? ""),
  shown: () => {
    room.dataset.game = study.now?.game;
    part("rules").href = `/rules/${study.now?.game}`;
    part("rules").hidden = false;
  },
});
explainObjects(study.board);
const lines = new Lines({
  list: part("best"),
  bar: part("chances"),
  thought: part("thought"),
  count: () => Number(part("lines").value),
  look,
  play: takeUp,
});

const setup = new SetUp({
  study,
  theme,
  picture,
  done: (text) => {
    if (text !== null) open(new Tree(text, tree?.names)).catch(fail);
    else if (tree) go(tree.at);
  },
});

/** @type {Tree | null} */
let tree = null;
/** @type {string[]} */
let entered = []; // draws that were entered so far, at a position that waits for some
let entering = Promise.resolve(); // one draw after another
let saving = 0; // the timer that puts the tree into the address
let written = ""; // the fragment that this page has put there

// --- showing ---

/** @param {string} words */
function status(words) {
  part("status").textContent = words;
}

/** @param {unknown} error */
function fail(error) {
  const words = error instanceof Error ? error.message : String(error);
  part("preview").className = "preview loss";
  part("preview").textContent = words;
  announce(words);
}

/** What is shown has changed: everything beside the board follows. */
function arrive() {
  const { now } = study;
  if (!tree || !now) return;
  entered = [];
  status(now.status);
  announce(now.status);
  part("text").value = now.text;
  part("name").value = tree.at.name;
  part("comment").value = tree.at.comment;
  part("again").hidden = !tree.at.draws || !tree.at.parent;
  part("prune").hidden = !tree.at.parent;
  part("promote").hidden = tree.path().every(({ parent }, k, path) => !parent || parent.children[0] === path[k]);
  part("prune").textContent = say("Delete from here");
  drawTree();
  drawOutcomes();
  lines.follow(now);
  save();
}

/**
 * Look at a position of the tree.
 * @param {Node} node
 */
async function go(node) {
  if (!tree) return;
  const onwards = node.parent === tree.at && !entered.length;
  tree.at = node;
  try {
    const found = onwards ? await study.play(node.actions, { draws: node.draws }) : await study.show(node.text);
    if (tree.at !== node) return;
    if (found.played?.words) node.words = found.played.words; // in this visitor's language
    arrive();
  } catch (error) {
    fail(error);
  }
}

/**
 * A new tree is looked at.
 * @param {Tree} fresh
 */
async function open(fresh) {
  study.names = fresh.names;
  study.viewer = null;
  await study.show(fresh.at.text); // refused: the old one stays
  tree = fresh;
  part("from").close();
  for (const id of ["share", "from-button", "set-up"]) part(id).disabled = false;
  arrive();
}

// --- playing ---

/** @param {string[]} actions */
async function playOn(actions) {
  if (!tree) return;
  const from = tree.at;
  const known = from.children.find((child) => child.actions.join() === actions.join());
  if (known && !part("enter").checked) return go(known);
  try {
    const found = await study.play(actions, part("enter").checked ? {} : { seed: "random" });
    if (tree.at === from) follow(from, found);
  } catch (error) {
    fail(error);
  }
}

/**
 * The tree grows by what was played and drawn.
 * @param {Node} from
 * @param {Position} found
 */
function follow(from, { text, played }) {
  if (!tree || !played) return;
  tree.at = tree.add(from, { text, actions: played.actions, draws: played.draws, words: played.words || say("Draw"), seat: played.seat });
  arrive();
}

/** The same move with other draws. */
async function dealAgain() {
  const parent = tree?.at.parent;
  if (!tree || !parent) return;
  const { actions } = tree.at;
  try {
    const found = await study.ask(parent.text, actions, { seed: "random" });
    study.draw(found);
    follow(parent, found);
  } catch (error) {
    fail(error);
  }
}

// --- draws ---

/** What may be drawn, where a draw is due. */
function drawOutcomes() {
  const { draws = [] } = study.now ?? {};
  part("draws").hidden = !draws.length;
  const buttons = draws.map(({ draw, words, shape, chance }) => {
    const face = shape && study.board.svg.querySelector(`#${shape}`) ? picture(shape) : words;
    const title = `${words} (${chance.toLocaleString(language, { style: "percent", maximumFractionDigits: 1 })})`;
    return make("button", { "data-draw": draw, title, "aria-label": words, click: () => enter(draw) }, face);
  });
  const others = [make("button", { class: "main", id: "random", click: () => enter("") }, say("Draw at random"))];
  if (entered.length && tree) others.push(make("button", { click: () => tree && go(tree.at) }, say("Start over")));
  part("draws").replaceChildren(...others, ...buttons);
}

/** @param {string} shape */
function picture(shape) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "-52 -52 104 104");
  svg.setAttribute("class", "azulejos");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#${shape}`);
  use.setAttribute("class", "tile");
  svg.append(use);
  return svg;
}

/**
 * One more draw is entered; an empty one: the rest is random.
 * @param {string} draw
 */
function enter(draw) {
  return (entering = entering.then(() => add(draw)));
}

/** @param {string} draw */
async function add(draw) {
  if (!tree) return;
  const from = tree.at;
  const so = draw ? [...entered, draw] : entered;
  const rest = draw ? {} : { seed: "random" };
  try {
    const found = await study.ask(from.text, [], { draws: so.join(), ...rest });
    if (tree.at !== from) return;
    study.draw(found);
    if (!found.draws?.length) return follow(from, found);
    entered = so;
    status(found.status);
    drawOutcomes();
    /** @type {HTMLElement | null} */ (part("draws").querySelector(`[data-draw="${CSS.escape(draw)}"]`))?.focus();
  } catch (error) {
    fail(error);
  }
}

// --- the engine ---

/**
 * A line of the engine as ghosts: the first action as if it were made, then what would lie where.
 * @param {string | null} action
 * @param {import("./lines.js").Follows[]} follows
 */
function look(action, follows) {
  study.peek(action);
  if (action === null) return;
  for (const { preview } of follows.slice(1)) foresee(study.board, { ...preview, marks: [] });
}

/**
 * An action of the engine is played; a finger looks at it first.
 * @param {string} action
 * @param {boolean} touched
 */
function takeUp(action, touched) {
  const choice = study.choice(action);
  if (!touched || !choice || choice.any_order) return playOn([action]);
  study.picking.takeUp(choice);
  scrollTo({ top: 0 }); // on a phone the boards lie above
}

part("think").addEventListener("click", () => {
  const on = part("think").getAttribute("aria-pressed") !== "true";
  part("think").setAttribute("aria-pressed", String(on));
  lines.turn(on);
});
part("lines").addEventListener("change", () => lines.again());

// --- the tree ---

function drawTree() {
  if (!tree) return;
  const list = part("tree");
  list.replaceChildren(entry(tree.root));
  branch(tree.root, list);
  scrollTree();
}

/** The current move stays in sight, also when the engine's lines take room from the list. */
function scrollTree() {
  const list = part("tree");
  const current = list.querySelector("[aria-current]");
  if (current) list.scrollTop = current.offsetTop - list.clientHeight / 2;
}
new ResizeObserver(scrollTree).observe(part("tree"));

/**
 * The moves after a position: the main line, with the branches where they leave it.
 * @param {Node} from
 * @param {Element} list
 */
function branch(from, list) {
  for (let at = from; at.children.length; at = at.children[0]) {
    const [main, ...others] = at.children;
    list.append(entry(main));
    for (const other of others) {
      const inner = make("ol", { class: "branch" }, entry(other));
      branch(other, inner);
      list.append(make("li", {}, inner));
    }
  }
}

/** @param {Node} node */
function entry(node) {
  const name = node.seat === null ? "" : (study.now?.names[node.seat] ?? "");
  const words = node.parent ? node.words || node.actions.join(" ") : say("The first position");
  const button = make("button", { class: "entry", "data-action": node.actions[0], click: () => go(node) }, make("b", {}, name), " ", words);
  if (node === tree?.at) button.setAttribute("aria-current", "true");
  if (node.name || node.comment) button.append(make("em", {}, [node.name, node.comment].filter(Boolean).join(" – ")));
  return make("li", {}, button);
}

/** @param {string} where */
function step(where) {
  if (!tree) return;
  const { at } = tree;
  const to = { first: tree.root, back: at.parent, on: at.children[0], last: tree.line().at(-1) }[where];
  if (to && (to !== at || entered.length)) go(to);
}

for (const button of part("stepper").querySelectorAll("[data-step]")) button.addEventListener("click", () => step(button.dataset.step));

part("prune").addEventListener("click", () => {
  const sure = say("Delete it all? Once more to be sure");
  if (!tree?.at.parent) return;
  if (part("prune").textContent !== sure) return (part("prune").textContent = sure);
  const { parent } = tree.at;
  tree.prune(tree.at);
  go(parent);
});
part("promote").addEventListener("click", () => {
  tree?.promote(tree.at);
  arrive();
});
part("again").addEventListener("click", dealAgain);
for (const what of /** @type {const} */ (["name", "comment"])) {
  part(what).addEventListener("change", () => {
    if (!tree) return;
    tree.at[what] = part(what).value.trim();
    drawTree();
    save();
  });
}

function flip() {
  if (!study.now || !tree) return;
  study.viewer = ((study.viewer ?? 0) + 1) % study.now.names.length;
  study.show(study.now.text).catch(fail);
}
part("flip").addEventListener("click", flip);

addEventListener("keydown", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (part("from").open || setup.open || !tree) return;
  const where = STEPS.get(event.key);
  if (where) step(where);
  else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
    const beside = tree.beside(event.key === "ArrowUp" ? -1 : 1);
    if (beside === tree.at) return;
    go(beside);
  } else if (event.key === "e") part("think").click();
  else if (event.key === "f") flip();
  else return;
  event.preventDefault();
});

// --- where positions come from ---

part("from-button").addEventListener("click", () => part("from").showModal());
for (const form of document.querySelectorAll(".new-game")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { game } = /** @type {HTMLElement} */ (form).dataset;
    begin({ game: game ?? "", .../** @type {Record<string, string>} */ (Object.fromEntries(new FormData(/** @type {HTMLFormElement} */ (form)))) });
  });
}

/**
 * A new game; its first deal is random, unless draws are entered.
 * @param {Record<string, string>} options
 */
async function begin(options) {
  const query = new URLSearchParams({ ...options, ...lens(theme) });
  const answer = await fetch(`/position?${query}`);
  const found = await answer.json().catch(() => ({}));
  if (!answer.ok) return (part("from-message").textContent = found.message ?? "");
  await open(new Tree(found.text));
  if (!part("enter").checked) await enter("");
}

part("set-up").addEventListener("click", () => {
  if (!study.now) return;
  part("from").close();
  lines.follow(null);
  part("draws").hidden = true;
  setup.begin(study.now.text);
});

part("paste").addEventListener("submit", async (/** @type {Event} */ event) => {
  event.preventDefault();
  const text = part("pasted").value.trim();
  part("from-message").textContent = "";
  try {
    if (/^azulejos record/.test(text)) {
      const answer = await fetch("/records", { method: "POST", body: `${text}\n` });
      const found = await answer.json().catch(() => ({}));
      if (!answer.ok) throw new Error(found.message ?? answer.statusText);
      await load(found.address, 0);
    } else await open(new Tree(text.replaceAll(/\s+/g, " ")));
  } catch (error) {
    part("from-message").textContent = /** @type {Error} */ (error).message;
  }
});

/**
 * A game that was played: of a table, or a record.
 * @param {string} source
 * @param {number} number the position to look at
 */
async function load(source, number) {
  const answer = await fetch(`${source}/steps`);
  if (!answer.ok) throw new Error(say("There is no record here. A table has one when its game is over."));
  const [first, ...steps] = await answer.json();
  const fresh = new Tree(first.text);
  let at = fresh.root;
  for (const { text, action, draws, words, seat, name } of steps) {
    if (seat !== null) fresh.names[seat] = name;
    at = fresh.add(at, { text, actions: [action], draws, words, seat });
  }
  fresh.names = Array.from(fresh.names, (name) => name ?? "");
  fresh.at = fresh.line()[number] ?? fresh.root;
  await open(fresh);
}

// --- sharing ---

/** The tree is kept in the address, which is the link to share. */
function save() {
  clearTimeout(saving);
  delete room.dataset.saved;
  const mine = (saving = window.setTimeout(async () => {
    const packed = await tree?.pack(language);
    if (mine !== saving) return; // it has changed meanwhile
    written = `#${packed}`;
    history.replaceState(null, "", `/analysis${written}`);
    room.dataset.saved = written;
  }, SOON));
}

part("share").addEventListener("click", async () => {
  if (!tree) return;
  const address = `${location.origin}/analysis#${await tree.pack(language)}`;
  if (navigator.share) return navigator.share({ title: document.title, url: address }).catch(() => {});
  await navigator.clipboard?.writeText(address).catch(() => {});
  part("share").textContent = say("Copied");
});

/**
 * @param {Blob} file
 * @param {string} name
 */
function download(file, name) {
  make("a", { href: URL.createObjectURL(file), download: name }).click();
}

part("save-record").addEventListener("click", async () => {
  if (!tree || !study.now) return;
  const [root, ...moves] = tree.line();
  const line = { text: root.text, names: study.now.names, moves: moves.map(({ actions, draws }) => ({ actions, draws })) };
  const answer = await fetch("/analysis/record", { method: "POST", body: JSON.stringify(line), headers: { "content-type": "application/json" } });
  if (answer.ok) return download(await answer.blob(), `${study.now.game}-analysis.txt`);
  fail((await answer.json().catch(() => ({}))).message ?? answer.statusText);
});

/** The picture of the position, with its styles. */
async function saved() {
  const query = new URLSearchParams({ position: study.now?.text ?? "", ...lens(theme) });
  for (const name of study.now?.names ?? []) query.append("name", name);
  if (study.viewer !== null) query.set("viewer", String(study.viewer));
  const answer = await fetch(`/draw.svg?${query}`);
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.text();
}

part("save-svg").addEventListener("click", () =>
  saved().then((text) => download(new Blob([text], { type: "image/svg+xml" }), `${study.now?.game}.svg`)).catch(fail),
);
part("save-png").addEventListener("click", () =>
  saved()
    .then(async (text) => {
      const image = new Image();
      image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
      await image.decode();
      const { width, height } = study.board.svg.viewBox.baseVal;
      const canvas = document.createElement("canvas");
      Object.assign(canvas, { width: 2 * width, height: 2 * height });
      canvas.getContext("2d")?.drawImage(image, 0, 0, 2 * width, 2 * height);
      canvas.toBlob((file) => file && download(file, `${study.now?.game}.png`), "image/png");
    })
    .catch(fail),
);

// --- what the address says ---

async function read() {
  const fresh = await Tree.unpack(location.hash.slice(1), language);
  if (fresh) return open(fresh);
  const query = new URLSearchParams(location.search);
  const source = query.get("from");
  if (source && /^\/(tables|records)\/[\w-]+$/.test(source)) return load(source, Number(query.get("step")));
  const text = query.get("text");
  if (text) return open(new Tree(text));
  part("from-button").disabled = false;
  part("from").showModal();
}

addEventListener("hashchange", () => location.hash !== written && read().catch(fail));
read().catch((error) => {
  part("from-button").disabled = false;
  fail(error);
});
