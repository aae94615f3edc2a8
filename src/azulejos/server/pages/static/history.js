// The visitor's reviewed games, kept in the browser: error rate and luck over time.

import { part } from "./site.js";
import { make, say } from "./words.js";

/** @typedef {{game: string, date: string, source: string, seat: string, error_rate: number, luck: number, accuracy: number, result: number}} Entry */

const KEY = "azulejos.reviews";
const MOST = 500;

/** @returns {Entry[]} */
function entries() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]");
  } catch {
    return [];
  }
}

/** @param {Entry} entry */
export function remember(entry) {
  const others = entries().filter(({ source, seat }) => source !== entry.source || seat !== entry.seat);
  localStorage.setItem(KEY, JSON.stringify([...others, entry].slice(-MOST)));
}

/** The plot of the games of this kind: accuracy as a line, luck as bars. */
export function showHistory() {
  const game = part("room").dataset.game;
  const own = entries().filter((entry) => entry.game === game);
  part("past").hidden = own.length < 2;
  if (own.length < 2) return;
  const SVG = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 800 160");
  svg.setAttribute("class", "graph");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", say("accuracy"));
  const x = (/** @type {number} */ k) => 30 + (740 * k) / Math.max(own.length - 1, 1);
  const y = (/** @type {number} */ accuracy) => 120 - (100 * (accuracy - 50)) / 50;
  /** @type {(name: string, given: Record<string, string | number>) => void} */
  const add = (name, given) => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(given)) element.setAttribute(key, String(value));
    svg.append(element);
  };
  add("polyline", { class: "line seat-a", points: own.map((entry, k) => `${x(k)},${y(Math.max(entry.accuracy, 50))}`).join(" ") });
  own.forEach((entry, k) => {
    const length = Math.min(Math.abs(entry.luck) * 60, 28);
    add("rect", { x: x(k) - 3, y: entry.luck > 0 ? 140 - length / 2 : 140, width: 6, height: Math.max(length / 2, 1), class: entry.luck > 0 ? "up" : "down" });
    add("circle", { cx: x(k), cy: y(Math.max(entry.accuracy, 50)), r: 4, class: "dot seat-a" });
  });
  const mean = own.reduce((sum, entry) => sum + entry.accuracy, 0) / own.length;
  part("plot").replaceChildren(svg, make("p", { class: "soft" }, say("{n} games, mean accuracy {percent} %", { n: own.length, percent: Math.round(mean) })));
}

document.getElementById("export")?.addEventListener("click", () => {
  const file = new Blob([JSON.stringify(entries(), null, 1)], { type: "application/json" });
  make("a", { href: URL.createObjectURL(file), download: "azulejos-reviews.json" }).click();
});
document.getElementById("forget")?.addEventListener("click", () => {
  localStorage.removeItem(KEY);
  part("past").hidden = true;
});
