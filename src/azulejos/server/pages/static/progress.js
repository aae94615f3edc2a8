// What a visitor has reached, kept in this browser section by section; exported and imported as one file.

import { make } from "./words.js";

/**
 * The file: `{"azulejos": "progress", "version": 1, "sections": {…}}`. A section is any JSON value.
 * lessons: names of lessons done by game, and where the visitor stopped. puzzles: results, rating, streak. reviews: the
 * reviewed games. coach: tips seen.
 */
const VERSION = 1;
const SECTIONS = ["lessons", "puzzles", "reviews", "coach"];
const key = (/** @type {string} */ section) => `azulejos.${section}`;

/**
 * What a section holds; `empty` if nothing is kept, or nothing that can be read.
 * @template T
 * @param {string} section
 * @param {T} empty
 * @returns {T}
 */
export function get(section, empty) {
  try {
    return JSON.parse(localStorage.getItem(key(section)) ?? "null") ?? empty;
  } catch {
    return empty;
  }
}

/**
 * Keep a section; a browser that keeps nothing forgets it with the page.
 * @param {string} section
 * @param {unknown} value
 */
export function set(section, value) {
  try {
    localStorage.setItem(key(section), JSON.stringify(value));
  } catch {
    // nothing is kept here
  }
}

/** All sections as the text of a file. */
export function exported() {
  const sections = Object.fromEntries(SECTIONS.map((name) => [name, get(name, null)]).filter(([, value]) => value !== null));
  return JSON.stringify({ azulejos: "progress", version: VERSION, sections }, null, 1);
}

/**
 * Keep the sections of a file instead of those kept here. False: this is no such file, and nothing changes.
 * @param {string} text
 */
export function imported(text) {
  let file;
  try {
    file = JSON.parse(text);
  } catch {
    return false;
  }
  if (file?.azulejos !== "progress" || file.version !== VERSION || typeof file.sections !== "object") return false;
  for (const name of SECTIONS) if (file.sections?.[name] != null) set(name, file.sections[name]);
  return true;
}

/** Offer the file to the visitor. */
export function save() {
  const file = new Blob([exported()], { type: "application/json" });
  make("a", { href: URL.createObjectURL(file), download: "azulejos-progress.json" }).click();
}
