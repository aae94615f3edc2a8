// Pictures in pieces: the server sends what changed, and the whole text is put together again.

/** @typedef {import("protocol").Now} Now */

const CUT = ' id="';

/** The pieces of the picture that came last, by the id with which they begin; "" is the first. */
export class Pieces {
  /** @type {Map<string, string>} */
  texts = new Map();

  /**
   * Give a message its whole picture.
   * @param {Now} now
   */
  complete(now) {
    if (now.board) {
      const [first, ...others] = now.board.split(CUT);
      this.texts = new Map([["", first]]);
      for (const text of others) this.texts.set(text.slice(0, text.indexOf('"')), text);
    } else if (now.patch) {
      const { pieces, gone = [], after = {} } = now.patch;
      for (const id of gone) this.texts.delete(id);
      const added = Object.entries(after);
      if (added.length) {
        const ids = [...this.texts.keys()];
        for (const [id, previous] of added) ids.splice(ids.indexOf(previous) + 1, 0, id);
        this.texts = new Map(ids.map((id) => [id, this.texts.get(id) ?? ""]));
      }
      for (const [id, text] of Object.entries(pieces)) this.texts.set(id, text);
      now.board = [...this.texts.values()].join(CUT);
    }
  }
}
