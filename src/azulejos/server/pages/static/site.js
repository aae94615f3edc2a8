// What the pages' scripts share: parts of the page, addresses, and when a screen is a phone's.

/** @typedef {import("protocol").Now} Now */

export const phone = matchMedia("(max-width: 760px)"); // as in table.css

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
 * What is asked of the server for a picture.
 * @param {string} theme
 */
export const lens = (theme) => ({ layout: phone.matches ? "tall" : "wide", theme });

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
