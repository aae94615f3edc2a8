// Who sits where, and what may be done about it: seats, invitations, questions to the others, absence.

import { newNonce } from "./nonce.js";
import { may, part, seatFor } from "./site.js";
import { announce, make, renew, say } from "./words.js";

/** @typedef {import("protocol").Now} Now */
/** @typedef {import("./socket.js").Command} Command */
/** @typedef {(command: Command) => Promise<any>} Send */

/**
 * A free seat's link, to copy, to share and to scan.
 * @param {number} seat
 * @param {string} word
 */
function invitation(seat, word) {
  const link = new URL(location.pathname, location.href);
  if (document.documentElement.lang !== "en") link.searchParams.set("language", document.documentElement.lang); // of its preview
  link.hash = `seat=${seat}&word=${word}`; // behind the #, so that it reaches no server and no log
  const field = /** @type {HTMLInputElement} */ (make("input", { readonly: true, value: link.href, "aria-label": say("Invite a friend by this link:") }));
  const button = make("button", { class: "main" }, say("Copy the link"));
  button.addEventListener("click", async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(link.href);
    } catch {
      document.execCommand("copy");
    }
    button.textContent = say("Copied");
  });
  const share = make("button", { hidden: !navigator.share }, say("Share…"));
  share.addEventListener("click", () => navigator.share({ title: document.title, url: link.href }).catch(() => {})); // not shared after all
  const code = make("img", { class: "code", src: `${location.pathname}/invitation/${seat}.svg`, width: 148, height: 148, alt: say("The link as a QR code") });
  code.addEventListener("error", () => code.remove());
  return make(
    "div",
    { class: "invite" },
    make("div", {}, make("label", {}, say("Invite a friend by this link:"), field), make("p", { class: "row" }, button, share)),
    code,
  );
}

/**
 * @param {number} seat
 * @param {Send} send
 * @param {string} chosen the player that was chosen so far
 */
function handOver(seat, send, chosen = "") {
  const select = /** @type {HTMLSelectElement} */ (make("select", { "aria-label": say("Give the seat to a computer player") }));
  select.append(part("players").content.cloneNode(true));
  if (chosen) select.value = chosen;
  const button = make("button", {}, say("Give the seat to a computer player"));
  button.addEventListener("click", () => send({ type: "hand over", seat, player: select.value }));
  return make("p", { class: "row" }, select, button);
}

/**
 * For somebody who is away, the one player that may stand in.
 * @param {number} seat
 * @param {Send} send
 */
function substitute(seat, send) {
  const player = part("players").dataset.substitute;
  const click = () => send({ type: "hand over", seat, player });
  return make("button", { click }, say("Let a computer player stand in"));
}

/**
 * What people can do while another is away: wait, let a computer player stand in, or claim the win.
 * @param {HTMLElement} place
 * @param {Now} now
 * @param {Send} send
 */
export function drawAbsence(place, now, send) {
  const away = now.seats.map((seat, k) => ({ ...seat, k })).filter((seat) => seat.away && may(now, "hand over", seat.k));
  place.hidden = now.phase !== "playing" || !away.length;
  if (place.hidden) return place.replaceChildren();
  const winner = seatFor(now, "claim win");
  const claim = make("button", { class: "main", click: () => send({ type: "claim win", seat: winner }) }, say("Claim the win"));
  renew(
    place,
    ...away.flatMap(({ name, k }) => [make("p", {}, say("{name} is away", { name })), make("p", { class: "row" }, substitute(k, send))]),
    ...(winner !== undefined ? [make("p", { class: "row" }, claim)] : now.claim ? [make("p", { class: "soft" }, now.claim)] : []),
  );
}

/**
 * While seats are free: invitations for those who sit, a chair for those who come.
 * @param {HTMLElement} place
 * @param {Now} now
 * @param {{name?: string, title?: string}} page the visitor's name, the game's title
 * @param {Send} send
 */
export function drawLobby(place, now, { name = "", title = "" }, send) {
  const free = now.seats.map((seat, k) => ({ ...seat, k })).filter((seat) => seat.who === "open");
  const invited = new URLSearchParams(location.hash.slice(1));
  const sitting = now.seats.some((seat) => seat.yours);
  place.hidden = !free.length || now.phase === "over";
  if (place.hidden) return place.replaceChildren();
  if (place.contains(document.activeElement) && place.dataset.number === String(now.number)) return;
  place.dataset.number = String(now.number);
  const parts = [
    make("h2", {}, title),
    make("p", { class: "soft" }, now.seats.map((seat) => seat.name).join(" – ")),
    ...(now.claim ? [make("p", { class: "soft" }, now.claim)] : []),
  ];
  for (const seat of free) {
    if (sitting) parts.push(invitation(seat.k, seat.invitation ?? ""));
    if (may(now, "hand over", seat.k)) parts.push(handOver(seat.k, send));
  }
  const meant = free.find(({ k }) => String(k) === invited.get("seat"));
  if (!sitting && !now.public && !meant) {
    parts.push(
      make("p", {}, invited.get("word") ? say("This invitation has been used.") : say("You have no invitation for a seat here.")),
      make("p", {}, say("Ask the people at the table for a link. You can watch the game from here.")),
    );
  } else if (!sitting) {
    const seat = meant ?? free[0];
    const acts = { name: "name", maxlength: 40, required: true, value: name, autocomplete: "nickname" };
    const field = /** @type {HTMLInputElement} */ (make("input", acts));
    const form = make(
      "form",
      { class: "row sit" },
      make("label", {}, say("Your name"), field),
      make("button", { class: "main" }, say("Sit down")),
    );
    const trouble = make("p", { class: "loss", role: "status" });
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const word = invited.get("word") ?? "";
      const answer = await send({ type: "sit", seat: seat.k, name: field.value.trim(), invitation: word, nonce: newNonce(location.pathname) });
      if (answer.type === "refused" && answer.reason === "not invited") {
        history.replaceState(null, "", location.pathname);
        place.dataset.number = "";
        drawLobby(place, now, { name, title }, send);
      } else if (answer.type === "refused") trouble.textContent = answer.message;
      else history.replaceState(null, "", location.pathname);
    });
    parts.push(form, trouble);
  }
  renew(place, ...parts);
}

/**
 * Who is away, who watches, who wants to play again.
 * @param {HTMLElement} place
 * @param {Now} now
 */
export function drawPeople(place, now) {
  const words = now.people ?? [];
  if (words.join() === [...place.children].map((item) => item.textContent).join()) return;
  for (const one of words) if (place.childElementCount && !place.textContent?.includes(one)) announce(one);
  place.replaceChildren(...words.map((one) => make("li", {}, one)));
}

/**
 * @param {HTMLElement} place
 * @param {Now} now
 * @param {Send} send
 */
export function drawSeats(place, now, send) {
  const chosen = [...place.children].map((item) => item.querySelector("select")?.value);
  renew(
    place,
    ...now.seats.map((seat, k) => {
      const item = make("li", { class: seat.who }, make("b", {}, seat.name));
      if (seat.who === "person" && !seat.here && !seat.yours) item.append(" ", make("i", {}, say("away")));
      if (now.phase === "playing" && !seat.away && seat.who !== "open" && may(now, "hand over", k)) item.append(handOver(k, send, chosen[k]));
      if (may(now, "free seat", k)) {
        item.append(" ", make("button", { click: () => send({ type: "free seat", seat: k }) }, say("Free the seat")));
      }
      if (seat.yours && may(now, "sit", k)) {
        const back = () => send({ type: "sit", seat: k, name: "", invitation: "" });
        item.append(" ", make("button", { click: back }, say("Take my seat back")));
      }
      return item;
    }),
    ...(now.seats.some((seat) => seat.yours) ? [] : [make("li", { class: "soft" }, say("You are watching"))]),
  );
}

/**
 * What another asks: to take back, or to let a computer player play on.
 * @param {HTMLElement} place
 * @param {Now} now
 * @param {Send} send
 */
export function drawAsked(place, now, send) {
  const parts = [...takeback(now, send), ...handover(now, send)];
  place.hidden = !parts.length;
  renew(place, ...parts);
}

/**
 * @param {Now} now
 * @param {Send} send
 */
function takeback(now, send) {
  const asked = now.takeback;
  if (!asked) return [];
  const { name, yours } = now.seats[asked.seat];
  const words = yours ? say("You ask to take back") : say("{name} asks to take back", { name });
  return question(words, { type: "answer takeback", seat: seatFor(now, "answer takeback") }, send);
}

/**
 * @param {Now} now
 * @param {Send} send
 */
function handover(now, send) {
  const asked = now.handover;
  if (!asked) return [];
  const { name, yours } = now.seats[asked.by];
  const words = yours ? say("You ask to let {player} play on", { player: asked.words }) : say("{name} asks to let {player} play on", { name, player: asked.words });
  return question(words, { type: "answer hand over", seat: seatFor(now, "answer hand over") }, send);
}

/**
 * A question in words, and the answers of those who have not given theirs.
 * @param {string} words
 * @param {Command} command its answer, for which there is no seat if none is wanted
 * @param {Send} send
 */
function question(words, command, send) {
  const answer = (/** @type {boolean} */ agree) => () => send({ ...command, agree });
  const agree = make("button", { class: "main", click: answer(true) }, say("Agree"));
  const decline = make("button", { click: answer(false) }, say("Decline"));
  return [make("p", {}, words), ...(command.seat !== undefined ? [make("p", { class: "row" }, agree, decline)] : [])];
}
