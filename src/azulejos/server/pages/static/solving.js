// What a visitor has solved: the section "puzzles" of progress.js.

import { get, set } from "./progress.js";

/**
 * done: by game, the names of the puzzles that were tried, 1 if found at the first try. rating, deviation: once a puzzle
 * was tried. days: those (UTC) on which the puzzle of the day was found, the last 400.
 * @typedef {{done: Record<string, Record<string, number>>, rating: number, deviation: number, days: string[]}} Solved
 */

const DAY = 86_400_000;
const KEPT = 400;

/** @returns {Solved} */
export const solved = () => ({ done: {}, rating: 1500, deviation: 350, days: [], ...get("puzzles", {}) });

/** @param {Solved} now */
export const keep = (now) => set("puzzles", { ...now, days: now.days.slice(-KEPT) });

/** Has this visitor tried any? @param {Solved} now */
export const tried = (now) => Object.values(now.done).some((names) => Object.keys(names).length);

/**
 * How many days in a row the puzzle of the day was found, up to a day; a day that is not over yet breaks nothing.
 * @param {Solved} now
 * @param {string} day
 */
export function streak(now, day) {
  const days = new Set(now.days);
  const at = (/** @type {number} */ back) => new Date(Date.parse(day) - back * DAY).toISOString().slice(0, 10);
  let back = days.has(day) ? 0 : 1;
  let count = 0;
  while (days.has(at(back))) {
    count += 1;
    back += 1;
  }
  return count;
}
