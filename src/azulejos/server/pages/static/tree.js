// A tree of positions: lines that branch, each move with its draws; named, commented, pruned, and packed into a link.

/**
 * A position of the tree, and how it came about: actions and draws, in the notation and in words; none for the root.
 * @typedef {object} Node
 * @property {string} text
 * @property {string[]} actions
 * @property {string} draws
 * @property {string} words
 * @property {number | null} seat who acted
 * @property {string} name
 * @property {string} comment
 * @property {Node[]} children the main line first
 * @property {Node | null} parent
 */

const MOST = 5000; // nodes of a link
const LONGEST = 4000; // letters of a text in a link

/**
 * @param {Partial<Node>} given
 * @returns {Node}
 */
function node(given) {
  return { text: "", actions: [], draws: "", words: "", seat: null, name: "", comment: "", children: [], parent: null, ...given };
}

export class Tree {
  /**
   * @param {string} text the first position
   * @param {string[]} names of the players
   */
  constructor(text, names = []) {
    this.root = node({ text });
    this.at = this.root; // the position that is looked at
    this.names = names;
  }

  /**
   * The child of a position with these moves; a new one if there is none.
   * @param {Node} parent
   * @param {{text: string, actions: string[], draws: string, words: string, seat: number | null}} given
   */
  add(parent, given) {
    const known = parent.children.find(({ text, actions }) => text === given.text && actions.join() === given.actions.join());
    if (known) return known;
    const made = node({ ...given, parent });
    parent.children.push(made);
    return made;
  }

  /**
   * Remove a position and all that follows; its parent is looked at instead, if it was.
   * @param {Node} gone
   */
  prune(gone) {
    const { parent } = gone;
    if (!parent) return;
    if (this.path().includes(gone)) this.at = parent;
    parent.children = parent.children.filter((child) => child !== gone);
  }

  /**
   * Make the line to a position the main one.
   * @param {Node} chosen
   */
  promote(chosen) {
    for (let one = chosen; one.parent; one = one.parent) {
      one.parent.children = [one, ...one.parent.children.filter((child) => child !== one)];
    }
  }

  /** From the root to the position that is looked at. */
  path() {
    const path = [];
    for (let one = /** @type {Node | null} */ (this.at); one; one = one.parent) path.unshift(one);
    return path;
  }

  /** The same, and on to the end of its line. */
  line() {
    const line = this.path();
    for (let one = this.at; one.children.length; ) line.push((one = one.children[0]));
    return line;
  }

  /**
   * The position beside this one: another branch of the same parent.
   * @param {number} by
   */
  beside(by) {
    const all = this.at.parent?.children ?? [this.at];
    return all[(all.indexOf(this.at) + by + all.length) % all.length];
  }

  /**
   * The tree as a link's fragment.
   * @param {string} language of the words
   */
  async pack(language) {
    const flat = (/** @type {Node} */ one) => [one.text, one.actions, one.draws, one.words, one.seat, one.name, one.comment];
    /** @type {any[]} */
    const rows = [];
    const put = (/** @type {Node} */ one, /** @type {number} */ parent) => {
      const number = rows.push([parent, ...flat(one)]) - 1;
      for (const child of one.children) put(child, number);
    };
    put(this.root, -1);
    const at = this.all().indexOf(this.at);
    const bytes = new TextEncoder().encode(JSON.stringify({ language, names: this.names, at, rows }));
    if (typeof CompressionStream !== "function") return `j=${base64(bytes)}`;
    return `z=${base64(await through(bytes, new CompressionStream("deflate-raw")))}`;
  }

  /** All positions, a parent before its children. */
  all() {
    /** @type {Node[]} */
    const found = [];
    const put = (/** @type {Node} */ one) => {
      found.push(one);
      one.children.forEach(put);
    };
    put(this.root);
    return found;
  }

  /**
   * The tree of a link's fragment; null if it has none. Words in another language are left out.
   * @param {string} fragment
   * @param {string} language
   */
  static async unpack(fragment, language) {
    const [kind, packed] = [fragment.slice(0, 2), fragment.slice(2)];
    if (kind === "p=") return new Tree(decodeURIComponent(packed));
    if (kind !== "z=" && kind !== "j=") return null;
    try {
      const bytes = fromBase64(packed);
      const plain = kind === "z=" ? await through(bytes, new DecompressionStream("deflate-raw")) : bytes;
      return revive(JSON.parse(new TextDecoder().decode(plain)), language);
    } catch {
      return null; // it was cut, or is no link of ours
    }
  }
}

/**
 * @param {any} given what a link had: anybody may have made it
 * @param {string} language
 */
function revive({ language: spoken, names, at, rows }, language) {
  const text = (/** @type {unknown} */ value) => (typeof value === "string" ? value.slice(0, LONGEST) : "");
  const texts = (/** @type {unknown} */ values) => (Array.isArray(values) ? values.slice(0, 16).map(text) : []);
  /** @type {Node[]} */
  const all = [];
  for (const [parent, position, actions, draws, words, seat, name, comment] of rows.slice(0, MOST)) {
    const made = node({
      text: text(position),
      actions: texts(actions),
      draws: text(draws),
      words: spoken === language ? text(words) : texts(actions).join(" "),
      seat: Number.isInteger(seat) ? seat : null,
      name: text(name),
      comment: text(comment),
      parent: all[parent] ?? null,
    });
    if (all.length && !made.parent) return null;
    made.parent?.children.push(made);
    all.push(made);
  }
  if (!all.length) return null;
  const tree = new Tree("", texts(names));
  tree.root = all[0];
  tree.at = all[at] ?? tree.root;
  return tree;
}

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {CompressionStream | DecompressionStream} stream
 */
async function through(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** @param {Uint8Array} bytes */
function base64(bytes) {
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @param {string} text */
function fromBase64(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}
