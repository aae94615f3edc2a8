// A table: what the server says is shown, what the visitor does is sent. No rule is known here.

import { Board } from "./board.js";
import { drawResult } from "./ending.js";
import { explainObjects } from "./explain.js";
import { Hints } from "./hints.js";
import { Log } from "./log.js";
import { markLast } from "./marking.js";
import { overFactories, overSeat, withFactories } from "./moment.js";
import { Motion } from "./motion.js";
import { addNonces } from "./nonce.js";
import { Opponent, canThink } from "./opponent.js";
import { Picking } from "./picking.js";
import { Scoring } from "./scoring.js";
import { drawAbsence, drawAsked, drawLobby, drawPeople, drawSeats } from "./seats.js";
import { lens, onLayout, part, scrolls, seatFor, tablePath } from "./site.js";
import { bindSettings, settings } from "./settings.js";
import { Socket } from "./socket.js";
import { sounds } from "./sounds.js";
import { Tips } from "./tips.js";
import { announce, say } from "./words.js";

/** @typedef {import("protocol").FromServer} Message */
/** @typedef {import("protocol").Now} Now */

const room = part("room");
const title = document.title;

const board = new Board(part("board"));
const motion = new Motion(board, settings);
const picking = new Picking(board, {
  settings,
  play,
  asked: (words) => {
    if (!now || log.at !== null) return;
    status(words ?? headline());
    tips.picked();
  },
  preview: part("preview"),
  buttons: part("words-choices"),
});
explainObjects(board);
const hints = new Hints({
  place: part("hints"),
  button: part("hint"),
  picking,
  ask: (position) => send({ type: "ask hint", seat: now.turn, position }),
});
const opponent = new Opponent(send);
bindSettings();
const tips = new Tips(picking, room.dataset.source);
const log = new Log({ list: part("log"), stepper: part("stepper"), output: part("step-number"), look });

/** @type {Now} */
let now; // the table, as the server last said
const explains = matchMedia("(hover: hover)").matches
  ? say("Rest the pointer on anything to see what it is.")
  : say("Press and hold anything to see what it is."); // before the first move
let missed = ""; // what the page says about those who are away
let queue = Promise.resolve(); // messages are shown one after another
let waiting = 0;
/** @type {string[]} */
let following = []; // actions of a choice that come after its first
/** @type {{command: import("./socket.js").Command, words: string} | null} */
let kept = null; // a move that was made while the connection was lost

// --- the connection ---

function address() {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const { source, theme, language } = room.dataset;
  const query = new URLSearchParams({ ...lens(theme), language, engine: canThink ? "1" : "0", patches: "1" });
  return `${scheme}//${location.host}${source}/socket?${query}`;
}

const socket = new Socket(address(), room.dataset.final, {
  hear(message) {
    waiting += 1;
    queue = queue.then(() => receive(message)).catch((error) => console.error(error)).finally(() => (waiting -= 1));
  },
  changed(how, reason) {
    room.dataset.connection = how;
    if (how === "connecting" && !now) status(say("Connecting…"));
    if (how === "lost") lost();
    if (how === "closed") status(reason ?? "");
  },
});
onLayout(() => socket.reopen(address()));

/** Without a connection the board is closed. What was picked so far stays. */
function lost() {
  status(say("Connection lost; trying again…"));
  picking.close(kept ? say("Your move is kept until the connection is back: {words}", kept) : say("Connection lost; trying again…"));
}

/**
 * The table when one comes, or comes back: then half a move is still there if nothing has happened meanwhile.
 * @param {Now} fresh
 */
async function comeBack(fresh) {
  const half = picking.shut !== "" && picking.depth > 0 && fresh.position === now?.position;
  if (picking.shut) picking.reopen();
  await show(fresh, half);
}

/** A kept move is sent again: playing the same twice is one play. What cannot be played any more is said to be lost. */
async function sendKept() {
  if (!kept) return;
  const { command, words } = kept;
  const answer = await send(command);
  if (answer.type === "lost") return;
  kept = null;
  if (answer.type === "refused") lose(say("Your move was lost: {words}. {why}", { words, why: answer.message }));
}

/** @param {string} words */
function lose(words) {
  announce(words);
  queue = queue.then(() => picking.refuse(words)); // after the table that came with the answer
}

/** @param {Message} message */
async function receive(message) {
  switch (message.type) {
    case "preparing":
    case "notice":
      return status(message.words);
    case "table":
      log.names = message.now.seats.map((seat) => seat.name);
      log.clear();
      message.log.forEach((entry) => log.add(entry));
      log.at = null;
      await comeBack(message.now);
      return void sendKept();
    case "events":
      return follow(message);
    case "refused":
      announce(message.message);
      if (now) await show(now); // the picture that is there, and its choices again
      picking.refuse(message.message);
  }
}

// --- showing ---

/** @param {string} words */
function status(words) {
  part("status").textContent = words;
  part("status").classList.toggle("long", words.length > 85);
}

function headline() {
  return now.notice ? `${now.notice} · ${now.status}` : now.status;
}

/** @param {import("protocol").EventsMessage} message */
async function follow(message) {
  log.names = message.now.seats.map((seat) => seat.name);
  for (const entry of message.events) {
    if (entry.action) {
      picking.last = say("{what}: {how}", { what: log.names[entry.seat ?? 0], how: entry.words });
      picking.why = "";
      picking.offer([]);
      announce(picking.last);
      for (const step of entry.steps ?? []) if (step.words) announce(step.words);
      if (log.at === null && waiting < 4) await move(entry, message.now);
    } else announce(entry.words);
    log.add(entry);
  }
  const quiet = message.events.every(({ kind }) => /^(rematch asked|takeback|hand over)/.test(kind));
  await show(message.now, quiet && message.now.position === now?.position);
  const rematched = message.events.some(({ kind }) => kind === "rematched");
  if (rematched && now.next_table && now.seats.some((seat) => seat.yours)) location.assign(tablePath(now.next_table));
}

/**
 * Show how a play moves the tiles, and how a round is scored that it ends.
 * @param {import("protocol").Told} entry
 * @param {Now} after
 */
async function move(entry, after) {
  const { steps = [] } = entry;
  const { round = 0, scores = [] } = now;
  const ends = entry.round !== round || after.phase === "over";
  if (!ends || steps.filter(({ points }) => points).length < 2) return motion.play(steps);
  const scoring = new Scoring(board, { round, names: log.names, scores });
  status(scoring.heading);
  await motion.play(steps, scoring);
}

/**
 * Show the table as it is. `quiet`: the position is the same; do not disturb what the visitor does.
 * @param {Now} fresh
 */
async function show(fresh, quiet = false) {
  const myTurn = seatFor(fresh, "play") !== undefined;
  const news = fresh.position !== now?.position;
  now = fresh;
  room.dataset.phase = now.phase;
  room.dataset.position = now.position;
  room.dataset.turn = myTurn ? "mine" : "others";
  if (log.at === null && (!quiet || !picking.depth)) status(headline());
  document.title = (myTurn ? `● ${say("Your turn")} – ` : "") + title;
  part("takeback").hidden = log.at !== null || seatFor(now, "ask takeback") === undefined;
  addNonces(now, location.pathname, send);
  hints.follow(now, myTurn && log.at === null);
  tips.follow(now.position);
  opponent.follow(now);
  drawMenu();
  drawLobby(part("lobby"), now, room.dataset, send);
  drawSeats(part("seats"), now, send);
  drawPeople(part("people"), now);
  drawAsked(part("asked"), now, send);
  drawAbsence(part("absence"), now, send);
  drawResult(part("result"), now, room.dataset.source, send);
  if (news && goOn()) return;
  if (log.at === null && now.board && !quiet) {
    board.show(now.board);
    picking.last = now.last?.words ?? (now.phase === "over" ? "" : explains);
    picking.why = now.phase === "over" ? "" : myTurn ? now.ask ?? "" : say("it is not your turn");
    picking.offer(myTurn ? now.choices ?? [] : [], now.closed, now.projected?.[now.turn ?? 0]);
    markLast(board, now.last?.places ?? []);
  }
  if (!now.board) board.clear();
  placePanels();
  if (news && myTurn) {
    announce(now.status);
    sounds.turn();
    if (settings.forced && now.choices?.length === 1 && log.at === null) picking.finish(now.choices[0]);
  }
  if (news && now.phase === "over") {
    announce(say("The game is over: {result}", { result: now.result }));
    sounds.end();
    if (scrolls()) scrollTo({ top: 0 });
  }
  if (seatFor(now, "answer takeback") !== undefined || seatFor(now, "answer hand over") !== undefined) openSide(true);
  if (missed !== (missed = part("absence").textContent) && missed) openSide(true); // once for every news of it
}

/** The result lies over the factories, an invitation over the free seat's board; an earlier position is looked at without the result. */
function placePanels() {
  overSeat(board, part("lobby"), now?.seats.findIndex((seat) => seat.who === "open"));
  if (now?.phase !== "over") return withFactories(board);
  part("result").hidden = log.at !== null;
  overFactories(board, part("result"));
  withFactories(board, part("result"));
}
new ResizeObserver(placePanels).observe(part("board"));

// --- doing ---

/** Play the next action of a choice that has several; false: there is none, or the rules have played it. */
function goOn() {
  const [action, ...then] = following;
  following = [];
  if (!action || !now.actions?.includes(action)) return false;
  following = then;
  send({ type: "play", seat: now.turn, action, position: now.position });
  return true;
}

/** @param {import("./socket.js").Command} command */
function send(command) {
  return socket.send(command);
}

/** @param {import("protocol").Choice} choice */
async function play(choice) {
  following = choice.then ?? [];
  const command = { type: "play", seat: now.turn, action: choice.action, position: now.position };
  const answer = await send(command);
  if (answer.type === "lost") {
    kept = { command, words: choice.words };
    lost();
  }
  if (answer.type === "refused") announce(say("Your move was not made: {message}", { message: answer.message }));
}

part("takeback").addEventListener("click", () => send({ type: "ask takeback", seat: seatFor(now, "ask takeback") }));

function drawMenu() {
  part("resign").hidden = seatFor(now, "resign") === undefined;
  part("leave").hidden = seatFor(now, "leave") === undefined;
  part("previous").hidden = !now.previous_table;
  part("previous").href = tablePath(now.previous_table ?? "");
}

/**
 * A button that asks once more before it acts; closing the menu forgets it.
 * @param {"resign" | "leave"} what
 * @param {string} asks
 */
function sure(what, asks) {
  const button = part(what);
  const words = button.textContent;
  button.addEventListener("click", () => {
    if (button.textContent === words) return (button.textContent = asks);
    part("menu").open = false;
    send({ type: what, seat: seatFor(now, what) });
  });
  part("menu").addEventListener("toggle", () => part("menu").open || (button.textContent = words)); // it is told late
}
sure("resign", say("Resign? Once more to be sure"));
sure("leave", say("Leave the seat? Once more to be sure"));

for (const drop of [part("menu"), part("settings")]) {
  document.addEventListener("pointerdown", (event) => {
    if (!drop.contains(event.target)) drop.open = false;
  });
  drop.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape" || !drop.open) return;
    event.stopPropagation(); // half a move stays
    drop.open = false;
    drop.querySelector("summary").focus();
  });
}

// --- the side: log, result, seats ---

/** @param {boolean} open */
function openSide(open) {
  const moved = part("side").hidden === open;
  part("side").hidden = !open;
  part("log-button").setAttribute("aria-expanded", String(open));
  if (open) part("log").scrollTop = part("log").scrollHeight;
  if (moved && scrolls()) scrollTo({ top: open ? part("side").offsetTop - 60 : 0 }); // it lies below the boards
}
part("log-button").addEventListener("click", () => openSide(part("side").hidden));
part("log-button").disabled = false;
openSide(matchMedia("(min-width: 1500px)").matches);

/**
 * Look at an earlier position; null: back to the game.
 * @param {number | null} number
 */
async function look(number) {
  picking.offer([]);
  hints.clear();
  hints.follow(now, false);
  part("takeback").hidden = true;
  picking.why = say("this is an earlier position");
  picking.last = "";
  if (number === null) return show(now);
  part("result").hidden = true;
  placePanels();
  const query = new URLSearchParams(lens(room.dataset.theme));
  const answer = await fetch(`${room.dataset.source}/steps/${number}?${query}`);
  if (!answer.ok || log.at !== number) return;
  const step = await answer.json();
  board.show(step.board);
  markLast(board, step.places);
  picking.last = step.words;
  picking.draw();
  status(say("Position {number} of {total}", { number, total: log.total }));
}

addEventListener("keydown", (event) => {
  if (/** @type {Element} */ (event.target).matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "u" && !part("takeback").hidden) part("takeback").click();
  if (event.key === "h" && !part("hint").hidden) part("hint").click();
  if (event.key === "l") openSide(part("side").hidden);
});
