// The page's texts in the visitor's language; the English ones are the keys.

const texts = JSON.parse(document.getElementById("words").textContent);

export function say(text, values = {}) {
  return (texts[text] ?? text).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

// An element with attributes and children. Strings become text, never markup.
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value != null) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child != null));
  return made;
}

// What a screen reader should say now.
export function announce(text) {
  const live = document.getElementById("live");
  live.append(make("p", {}, text));
  while (live.children.length > 6) live.firstChild.remove();
}
