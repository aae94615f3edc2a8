// A rule page: search, the section in view, printing.

export {}; // a module: its names are its own

const form = /** @type {HTMLFormElement | null} */ (document.querySelector("#find"));
const printing = /** @type {HTMLButtonElement | null} */ (document.querySelector("#print"));

if (printing) {
  printing.addEventListener("click", () => window.print());
  printing.hidden = false;
}
if (form) search(form);
follow();

/**
 * Without case and accents.
 * @param {string} text
 */
function plain(text) {
  return [...text.toLocaleLowerCase()].map((letter) => letter.normalize("NFD")[0]).join("");
}

/**
 * Show the sections that have all the words, and mark the words.
 * @param {HTMLFormElement} form
 */
function search(form) {
  const field = /** @type {HTMLInputElement} */ (form.querySelector("input"));
  const status = /** @type {HTMLElement} */ (form.querySelector("[role=status]"));
  const sections = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".rules section")]);
  const texts = sections.map((section) => plain(section.textContent ?? ""));

  function find() {
    const words = plain(field.value).split(/\s+/).filter(Boolean);
    const found = sections.filter((section, k) => {
      section.hidden = !words.every((word) => texts[k].includes(word));
      return !section.hidden;
    });
    const items = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".contents li")]);
    for (const item of items.reverse()) {
      const section = document.getElementById(item.querySelector("a")?.hash.slice(1) ?? "");
      item.hidden = Boolean(section?.hidden) && !item.querySelector("li:not([hidden])"); // parts come first
    }
    const { none, some } = form.dataset;
    const said = found.length ? some : none;
    status.textContent = words.length
      ? (said ?? "").replace("{n}", String(found.length)).replace("{total}", String(sections.length))
      : "";
    mark(found, words);
  }

  field.addEventListener("input", find);
  form.addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("hashchange", () => {
    const target = document.getElementById(location.hash.slice(1))?.closest("section");
    if (!target?.hidden) return;
    field.value = ""; // a link leads to what the search has hidden
    find();
    target.scrollIntoView();
  });
  form.hidden = false;
}

/**
 * Mark words in sections, where the browser can.
 * @param {HTMLElement[]} sections
 * @param {string[]} words
 */
function mark(sections, words) {
  if (!("highlights" in CSS)) return;
  /** @type {Range[]} */
  const ranges = [];
  for (const section of words.length ? sections : []) {
    const walker = document.createTreeWalker(section, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = /** @type {Text} */ (walker.currentNode);
      const text = plain(node.data);
      if (text.length !== node.data.length) continue; // a letter of two units: places differ
      for (const word of words) {
        for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
          const range = new Range();
          range.setStart(node, at);
          range.setEnd(node, at + word.length);
          ranges.push(range);
        }
      }
    }
  }
  CSS.highlights.set("found", new Highlight(...ranges));
}

/** In the contents, the section that is being read. */
function follow() {
  const links = new Map(
    [...document.querySelectorAll("nav.contents a")].map((link) => [link.getAttribute("href")?.slice(1), link]),
  );
  const watch = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        for (const link of links.values()) link.removeAttribute("aria-current");
        links.get(target.id)?.setAttribute("aria-current", "true");
      }
    },
    { rootMargin: "-10% 0px -80% 0px" },
  );
  for (const section of document.querySelectorAll(".rules section")) watch.observe(section);
}
