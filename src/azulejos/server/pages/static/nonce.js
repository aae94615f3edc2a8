// What a visitor's browser adds to the seed of a table's draws: the server has committed to the seed by then, so nobody
// chooses the draws alone. Nonces are kept in the browser, so that they can be looked for in the record.

import { may } from "./site.js";

const KEPT = "azulejos-nonces";
const MOST = 100;

/** @returns {[string, string][]} tables with nonces, the oldest first */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "[]");
  } catch {
    return [];
  }
}

/**
 * A new nonce for a table.
 * @param {string} table
 */
export function newNonce(table) {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const nonce = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  try {
    localStorage.setItem(KEPT, JSON.stringify([...kept(), [table, nonce]].slice(-MOST)));
  } catch {
    // it counts all the same
  }
  return nonce;
}

/** @type {Map<number, string>} */
const added = new Map(); // by seat: what is sent again after a lost connection is the same

/**
 * Add the nonces that a table waits for.
 * @param {import("protocol").Now} now
 * @param {string} table
 * @param {(command: import("./socket.js").Command) => Promise<any>} send
 */
export function addNonces(now, table, send) {
  for (const seat of now.seats.keys()) {
    if (!may(now, "add nonce", seat)) continue;
    if (!added.has(seat)) added.set(seat, newNonce(table));
    send({ type: "add nonce", seat, nonce: added.get(seat) });
  }
}
