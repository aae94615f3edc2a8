// The page's texts in the visitor's language; the English ones are the keys.

/** @type {Record<string, string>} */
const texts = JSON.parse(document.getElementById("words")?.textContent ?? "{}");

/**
 * @param {string} text
 * @param {Record<string, unknown>} values
 */
export function say(text, values = {}) {
  return (texts[text] ?? text).replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

/**
 * An element with attributes and children. Strings become text, never markup. Functions listen to events.
 * @param {string} tag
 * @param {Record<string, any>} attributes
 * @param {(Node | string | null | undefined)[]} children
 * @returns {HTMLElement}
 */
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value != null) made.setAttribute(name, value);
  }
  for (const child of children) if (child != null) made.append(child);
  return made;
}

/** @type {WeakMap<Element, Node>} */
const put = new WeakMap();

/**
 * Put children into a place, unless the same were put there last: what is being clicked, filled in or read stays.
 * @param {Element} place
 * @param {(Node | string)[]} children
 */
export function renew(place, ...children) {
  const fresh = document.createElement("div");
  fresh.append(...children);
  if (put.get(place)?.isEqualNode(fresh) && place.hasChildNodes() === fresh.hasChildNodes()) return;
  put.set(place, fresh.cloneNode(true));
  place.replaceChildren(...fresh.childNodes);
}

/**
 * What a screen reader should say now.
 * @param {string} text
 */
export function announce(text) {
  const live = document.getElementById("live");
  if (!live) return;
  live.append(make("p", {}, text));
  while (live.children.length > 6) live.firstChild?.remove();
}
