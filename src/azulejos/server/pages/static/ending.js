// The end of a game: who won, where the points came from, and what can be done next.

import { seatFor, shortName, tablePath } from "./site.js";
import { make, renew, say } from "./words.js";

/** @typedef {import("protocol").Now} Now */
/** @typedef {(command: import("./socket.js").Command) => Promise<any>} Send */

/**
 * @param {HTMLElement} place
 * @param {Now} now
 * @param {string} source
 * @param {Send} send
 */
export function drawResult(place, now, source, send) {
  place.hidden = now.phase !== "over";
  if (place.hidden) return place.replaceChildren();
  const row = make("p", { class: "row" });
  row.append(make("a", { class: "button", href: `${source}/review` }, say("Review")));
  row.append(make("a", { class: "button", href: `${source}/replay` }, say("Replay")));
  row.append(make("a", { class: "button", href: `/analysis?from=${source}` }, say("Analysis")));
  row.append(share(new URL(`${source}/replay`, location.href).href, now.result ?? ""));
  row.append(make("a", { class: "button", href: `${source}/record`, download: true }, say("Save the record")));
  const next = make("div", { class: "next" }, ...again(now, send), row);
  renew(place, make("div", { class: "ending" }, make("h2", {}, now.result ?? ""), tally(now), next));
}

/**
 * Where everybody's points came from.
 * @param {Now} now
 */
function tally({ seats, tally = [], scores = [], winners = [] }) {
  const many = seats.length > 2;
  const names = seats.map(({ name }, seat) => {
    return make("th", { scope: "col", title: name, class: winners.includes(seat) && "won" }, shortName(name, seats.length));
  });
  const rows = tally.map(({ words, points }) =>
    make("tr", {}, make("th", { scope: "row" }, words), ...points.map((n) => make("td", {}, signed(n)))),
  );
  const sums = scores.map((score) => make("td", {}, String(score)));
  const sum = make("tr", { class: "sum" }, make("th", { scope: "row" }, say("score")), ...sums);
  const head = make("thead", {}, make("tr", {}, make("td"), ...names));
  return make("div", { class: "wide-table" }, make("table", { class: many && "many" }, head, make("tbody", {}, ...rows, sum)));
}

/**
 * The next game: the large button.
 * @param {Now} now
 * @param {Send} send
 */
function again(now, send) {
  if (now.next_table) return [make("a", { class: "button main large", href: tablePath(now.next_table) }, say("The next game"))];
  const seat = seatFor(now, "ask rematch");
  if (seat === undefined) return [];
  return [make("button", { class: "main large", click: () => send({ type: "ask rematch", seat }) }, say("Play again"))];
}

/**
 * The system's sheet to share a link, or, where there is none, a copy of it.
 * @param {string} url
 * @param {string} text
 */
function share(url, text) {
  const button = make("button", {}, say("Share"));
  button.addEventListener("click", async () => {
    if (navigator.share) return navigator.share({ url, text }).catch(() => null); // they changed their mind
    await navigator.clipboard.writeText(url);
    button.textContent = say("Link copied");
  });
  return button;
}

/** @param {number} number */
function signed(number) {
  return number > 0 ? `+${number}` : number < 0 ? `−${-number}` : "0";
}
