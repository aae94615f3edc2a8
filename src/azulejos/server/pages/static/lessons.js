// Which lessons a visitor has done, and where they stopped: the section "lessons" of their progress.

import { get, set } from "./progress.js";

/** @typedef {{lesson: string, step: number, position: string}} Stop */
/** @typedef {{done: string[], at?: Stop}} Done */

/**
 * What is done of a game's lessons.
 * @param {string} game
 * @returns {Done}
 */
export function lessonsOf(game) {
  /** @type {Record<string, Done>} */
  const all = get("lessons", {});
  return { ...all[game], done: all[game]?.done ?? [] };
}

/**
 * A lesson was left at a step.
 * @param {string} game
 * @param {Stop} at
 */
export function stopAt(game, at) {
  keep(game, { ...lessonsOf(game), at });
}

/**
 * A lesson is done.
 * @param {string} game
 * @param {string} lesson
 */
export function finish(game, lesson) {
  const { done } = lessonsOf(game);
  keep(game, { done: [...done.filter((name) => name !== lesson), lesson] });
}

/**
 * The game that was learnt last comes last.
 * @param {string} game
 * @param {Done} now
 */
function keep(game, now) {
  /** @type {Record<string, Done>} */
  const { [game]: _before, ...others } = get("lessons", {});
  set("lessons", { ...others, [game]: now });
}

/** The games with lessons that were begun, the last one first. */
export const begun = () => Object.keys(get("lessons", {})).reverse();

/**
 * The lesson to go on with: the one that was left, or the first that is not done; null: all are.
 * @param {string} game
 * @param {string[]} names
 */
export function nextOf(game, names) {
  const { done, at } = lessonsOf(game);
  return names.find((name) => name === at?.lesson) ?? names.find((name) => !done.includes(name)) ?? null;
}
