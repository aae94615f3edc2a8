// What the pages' scripts share: parts of the page, addresses, and the arrangement of pictures.

/** @typedef {import("protocol").Now} Now */

// As in table.css: a phone's page scrolls, upright and on its side, and an upright tablet's; every other is one screen.
const tall = matchMedia("(max-aspect-ratio: 31/50), (max-width: 600px) and (max-aspect-ratio: 13/10)");
const upright = matchMedia("(max-aspect-ratio: 1/1)");
const low = matchMedia("(max-height: 560px) and (min-aspect-ratio: 13/10)");

/** Does the page scroll, with the board above all else? */
export const scrolls = () => tall.matches || low.matches || upright.matches;

/**
 * An element of the page by its id.
 * @param {string} id
 * @returns {any}
 */
export const part = (id) => document.getElementById(id);

/**
 * The address of a table's page.
 * @param {string} table
 */
export const tablePath = (table) => `/tables/${encodeURIComponent(table)}`;

/**
 * A player's name where there is little room: of "Computer · greedy 2" what tells it from the others.
 * @param {string} name
 * @param {number} players
 */
export const shortName = (name, players) => (players > 2 ? name.split(" · ").at(-1) ?? name : name);

/**
 * The arrangement of a picture that fills the room there is for it.
 * @param {Element} room
 */
function layout(room) {
  if (tall.matches) return "tall";
  if (low.matches) return "low";
  const { width, height } = (room.clientWidth ? room : room.parentElement ?? room).getBoundingClientRect();
  const ratio = width / Math.max(height, 1);
  return ratio < 1.1 ? "upright" : ratio < 1.78 ? "wide" : "broad";
}

/**
 * What is asked of the server for a picture.
 * @param {string} theme
 * @param {Element} room
 */
export const lens = (theme, room = part("board")) => ({ layout: layout(room), theme });

/**
 * Call when the room for a picture asks for another arrangement.
 * @param {() => void} changed
 * @param {Element} room
 */
export function onLayout(changed, room = part("board")) {
  let now = layout(room);
  const look = () => {
    const fresh = layout(room);
    if (fresh === now) return;
    now = fresh;
    changed();
  };
  new ResizeObserver(look).observe(room);
  for (const query of [tall, low]) query.addEventListener("change", look);
}

/**
 * The seat for which a command may be sent now: undefined if it may not.
 * @param {Now} now
 * @param {string} type
 */
export const seatFor = (now, type) => now.can?.find((may) => may.type === type)?.seat;

/**
 * May a command be sent for a seat?
 * @param {Now} now
 * @param {string} type
 * @param {number} seat
 */
export const may = (now, type, seat) => Boolean(now.can?.some((one) => one.type === type && one.seat === seat));
