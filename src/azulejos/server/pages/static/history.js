// The visitor's reviewed games, kept in the browser: error rate and luck over time, by game and level.

import { get, set } from "./progress.js";
import { part } from "./site.js";
import { make, say } from "./words.js";

/** @typedef {{game: string, date: string, source: string, seat: string, error_rate: number, luck: number, accuracy: number, result: number, level?: string, level_words?: string}} Entry */

const MOST = 500;
const LEAST = 0.03; // the error rate at the top of the plot, if no game has a higher one
const TOP = 20;
const BOTTOM = 120;
const LUCK = 150;

/** @type {Entry[]} */
const NONE = [];
const entries = () => get("reviews", NONE);

/** @param {Entry} entry */
export function remember(entry) {
  const others = entries().filter(({ source, seat }) => source !== entry.source || seat !== entry.seat);
  set("reviews", [...others, entry].slice(-MOST));
}

/** The games of this kind against a level, or all: the error rate as a line, luck as bars. */
export function showHistory() {
  const all = entries().filter(({ game }) => game === part("room").dataset.game);
  const chosen = /** @type {HTMLSelectElement} */ (part("level"));
  const levels = new Map(all.map(({ level = "", level_words = "" }) => [level, level_words || say("without computer players")]));
  const before = chosen.value;
  chosen.replaceChildren(make("option", { value: "all" }, say("all opponents")), ...[...levels].map(([value, words]) => make("option", { value }, words)));
  chosen.value = before === "all" || levels.has(before) ? before : "all";
  chosen.hidden = levels.size < 2;
  part("past").hidden = all.length < 2;
  const shown = all.filter(({ level = "" }) => chosen.value === "all" || level === chosen.value);
  const mean = shown.reduce((sum, { error_rate }) => sum + error_rate, 0) / Math.max(shown.length, 1);
  const luck = shown.reduce((sum, entry) => sum + entry.luck, 0) / Math.max(shown.length, 1);
  const said = say("{n} games, mean error rate {percent} %, mean luck {luck} %", { n: shown.length, percent: (100 * mean).toFixed(1), luck: (100 * luck).toFixed(1).replace("-", "−") });
  part("plot").replaceChildren(plot(shown), make("p", { class: "soft" }, said));
}

/** @param {Entry[]} shown */
function plot(shown) {
  const SVG = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(SVG, "svg");
  const most = Math.max(LEAST, ...shown.map(({ error_rate }) => error_rate));
  const x = (/** @type {number} */ k) => 86 + (690 * k) / Math.max(shown.length - 1, 1);
  const y = (/** @type {number} */ rate) => BOTTOM - ((BOTTOM - TOP) * rate) / most;
  /** @type {(name: string, given: Record<string, string | number>, words?: string) => void} */
  const add = (name, given, words) => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(given)) element.setAttribute(key, String(value));
    if (words && name === "text") element.textContent = words;
    else if (words) element.append(Object.assign(document.createElementNS(SVG, "title"), { textContent: words }));
    svg.append(element);
  };
  for (const [name, value] of Object.entries({ viewBox: "0 0 800 190", class: "graph", role: "img", "aria-label": say("error rate") })) svg.setAttribute(name, value);
  add("rect", { x: 86, y: TOP, width: 690, height: BOTTOM - TOP, class: "field" });
  for (const rate of [0, most]) add("text", { x: 80, y: y(rate) + 7, "text-anchor": "end" }, `${(100 * rate).toFixed(rate ? 1 : 0)} %`);
  add("line", { x1: 86, x2: 776, y1: LUCK, y2: LUCK, class: "grid" });
  add("text", { x: 80, y: LUCK + 7, "text-anchor": "end" }, say("luck"));
  add("polyline", { class: "line seat-a", points: shown.map((entry, k) => `${x(k)},${y(entry.error_rate)}`).join(" ") });
  shown.forEach((entry, k) => {
    const length = Math.max(Math.min(Math.abs(entry.luck) * 60, 28), 1);
    add("rect", { x: x(k) - 4, y: entry.luck > 0 ? LUCK - length : LUCK, width: 8, height: length, class: entry.luck > 0 ? "up" : "down" });
    add("circle", { cx: x(k), cy: y(entry.error_rate), r: 6, class: "dot seat-a" }, `${entry.date}: ${(100 * entry.error_rate).toFixed(1)} %`);
  });
  return svg;
}

part("level").addEventListener("change", showHistory);
part("export").addEventListener("click", () => {
  const file = new Blob([JSON.stringify(entries(), null, 1)], { type: "application/json" });
  make("a", { href: URL.createObjectURL(file), download: "azulejos-reviews.json" }).click();
});
part("forget").addEventListener("click", () => {
  set("reviews", []);
  part("past").hidden = true;
});
