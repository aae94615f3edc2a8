// Picking along the choices that the server sent: place after place, with a preview of each, until an action is whole.

import { announce, make, say } from "./words.js";

const FINGER = 36; // how far from where it touched a finger may have meant, in pixels

export class Picking {
  // `play(choice)`: an action has been made. `settings.confirm`: ask before that. `asked(words)`: what is asked now.
  constructor(board, { play, asked, settings, preview, buttons }) {
    Object.assign(this, { board, play, asked, settings, preview, buttons });
    this.choices = [];
    this.closed = [];
    this.score = 0;
    this.picked = []; // places so far
    this.whole = null; // a choice that waits to be confirmed
    this.peeking = false; // the whole choice is only looked at
    this.taken = false; // it was taken up as a whole
    this.near = []; // what a finger may have meant instead of the last pick, and that pick
    this.byKeyboard = false;
    const container = board.container;
    container.addEventListener("pointerover", (event) => this.point(event.target));
    container.addEventListener("pointerleave", () => this.point(null));
    container.addEventListener("focusin", (event) => this.point(event.target));
    container.addEventListener("pointerdown", (event) => this.press(event));
    container.addEventListener("click", (event) => this.touch(event));
    container.addEventListener("pointermove", (event) => this.drag(event));
    container.addEventListener("pointerup", (event) => this.release(event));
    container.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.back());
  }

  // What may be chosen now; nothing if it is not my turn.
  offer(choices, closed = [], score = 0) {
    Object.assign(this, { choices, closed, score });
    this.reset();
    if (this.byKeyboard && choices.length) this.focusFirst();
  }

  // Nothing is picked.
  reset() {
    Object.assign(this, { picked: [], whole: null, peeking: false, taken: false, near: [] });
    this.draw();
  }

  // Look at a choice as if it were made; null: no more.
  peek(choice) {
    if (!choice) return this.peeking && this.reset();
    Object.assign(this, { picked: choice.picks.map(({ place }) => place), whole: choice, peeking: true });
    this.draw();
  }

  // Take a choice up: half-made, it waits to be confirmed.
  takeUp(choice) {
    this.peek(choice);
    Object.assign(this, { peeking: false, taken: true });
    this.draw();
    announce(choice.words);
    this.buttons.querySelector("button").focus();
  }

  // --- the tree ---

  get depth() {
    return this.picked.length;
  }

  // The picks that stand. The last of a whole choice may still be exchanged for another.
  get settled() {
    return this.whole ? this.picked.slice(0, -1) : this.picked;
  }

  under(places) {
    return this.choices.filter(({ picks }) => places.every((place, k) => picks[k]?.place === place));
  }

  // The next picks, each with the choices that it leads to.
  next() {
    const found = new Map();
    for (const choice of this.under(this.settled)) {
      const pick = choice.picks[this.settled.length];
      if (!pick) continue;
      if (!found.has(pick.place)) found.set(pick.place, { pick, choices: [] });
      found.get(pick.place).choices.push(choice);
    }
    return found;
  }

  pick(place) {
    const found = this.next().get(place);
    if (!found) return false;
    if (this.whole && place === this.picked.at(-1)) {
      this.finish(this.whole); // touched once more
      return true;
    }
    this.picked = [...this.settled, place];
    Object.assign(this, { whole: null, taken: false, near: [] });
    const whole = found.choices.find(({ picks }) => picks.length === this.depth);
    if (whole && found.choices.length === 1) {
      if (!this.settings.confirm || place === this.first?.pick.place) {
        this.finish(whole);
        return true;
      }
      this.whole = whole;
    }
    this.draw();
    announce(whole ? whole.words : `${found.pick.words}: ${found.pick.asks}`);
    if (this.byKeyboard) this.focusFirst();
    return true;
  }

  finish(choice) {
    this.offer([]);
    this.play(choice);
  }

  // Undo the last pick; nobody else ever saw it.
  back() {
    if (!this.depth) return;
    if (this.peeking || this.taken) return this.reset();
    const last = this.picked.pop();
    Object.assign(this, { whole: null, near: [] });
    this.draw();
    if (this.byKeyboard) (this.element(last) ?? this.elements()[0])?.focus();
  }

  // --- showing ---

  element(place) {
    return this.board.place(place);
  }

  elements() {
    return [...this.board.container.querySelectorAll(".can")];
  }

  draw() {
    for (const old of this.board.container.querySelectorAll(".can, .held, .shut, .falls")) {
      old.classList.remove("can", "held", "shut", "falls");
      old.removeAttribute("tabindex");
      if (old.dataset.role) old.setAttribute("role", old.dataset.role);
      if (old.dataset.label) old.setAttribute("aria-label", old.dataset.label);
    }
    this.board.clearSky();
    const own = [...this.next().keys()].some((place) => place.startsWith("seat-"));
    this.board.container.classList.toggle("calm", !own); // outlines show where something may go, not all that may be taken
    this.list = make("div", { class: "list" });
    this.buttons.replaceChildren(this.list);
    this.held();
    let first = true;
    for (const [place, { pick, choices }] of this.peeking ? [] : this.next()) {
      const element = this.element(place);
      if (!element) {
        if (!this.whole) this.list.append(this.button(place, pick, choices));
        continue;
      }
      this.enable(element, this.describe(pick, choices), first);
      first = false;
    }
    for (const { after, place } of this.closed) {
      if (after === this.settled.at(-1)) this.element(place)?.classList.add("shut");
    }
    this.preselect();
    this.offerNear();
    if (this.whole && !this.peeking) this.confirmation();
    if (this.depth && !this.peeking) {
      this.buttons.append(make("button", { class: "cancel", click: () => this.back() }, say("Cancel")));
    }
    this.preview.parentElement.classList.toggle("picking", this.depth > 0 && !this.peeking);
    this.tell(null);
  }

  // What has been picked so far is outlined.
  held() {
    for (const place of this.picked) {
      const element = this.element(place);
      element?.classList.add("held");
      element?.setAttribute("role", "group"); // there may be places to pick inside it
    }
  }

  // What would fall away with the picks made so far, and with one that is pointed at, is marked.
  fall(pick) {
    for (const old of this.board.container.querySelectorAll(".falls")) old.classList.remove("falls");
    const made = this.under(this.picked)[0]?.picks.slice(0, this.depth) ?? [];
    for (const { falls } of pick ? [...made, pick] : made) {
      for (const other of falls) this.element(other)?.classList.add("falls");
    }
  }

  enable(element, words, first) {
    element.classList.add("can");
    element.dataset.role ??= element.getAttribute("role") ?? "img";
    element.dataset.label ??= element.getAttribute("aria-label") ?? "";
    element.setAttribute("role", "button");
    element.setAttribute("aria-label", words);
    element.setAttribute("tabindex", first ? "0" : "-1");
  }

  describe(pick, choices) {
    if (choices.length > 1 || choices[0].picks.length > this.settled.length + 1) return pick.words;
    return `${pick.words}. ${choices[0].preview.words}`;
  }

  button(place, pick, choices) {
    const look = () => this.tell({ pick, choices });
    return make(
      "button",
      { "data-place": place, click: () => this.pick(place), pointerover: look, focus: look },
      pick.words,
    );
  }

  // Where only choices in words are left, the first is the one that most people want: what it would do is shown.
  preselect() {
    const button = this.list.firstChild;
    this.first = button && !this.elements().length ? this.next().get(button.dataset.place) : null;
    if (this.first) button.classList.add("main");
  }

  // Large buttons for what lies so close together that a finger may miss it.
  offerNear() {
    const before = this.picked.slice(0, -1);
    const words = new Map(this.under(before).map(({ picks }) => [picks[before.length]?.place, picks[before.length]?.words]));
    for (const place of this.near) {
      const pressed = place === this.picked.at(-1);
      if (pressed && this.first) continue; // beside choices in words: only what else there is
      const change = () => {
        const { near } = this;
        Object.assign(this, { picked: before, whole: null });
        this.pick(place);
        this.near = near;
        this.draw();
      };
      const button = make("button", { "data-near": place, "aria-pressed": String(pressed) }, words.get(place) ?? "");
      if (!pressed) button.addEventListener("click", change);
      this.list.append(button);
    }
  }

  confirmation() {
    const confirm = () => this.finish(this.whole);
    this.buttons.append(make("button", { class: "main confirm", "data-place": "confirm", click: confirm }, say("Confirm")));
  }

  // --- looking ahead ---

  point(target) {
    if (this.peeking) this.reset();
    const shut = target?.closest?.(".shut");
    if (shut) {
      const found = this.closed.find(({ after, place }) => after === this.settled.at(-1) && place === shut.id);
      this.board.clearSky();
      this.preview.textContent = found?.why ?? "";
      return;
    }
    const element = target?.closest?.(".can");
    this.tell(element ? this.next().get(element.id) : null);
  }

  // Say and show what a pick would do; without one, what has been picked does.
  tell(pointed) {
    const found = pointed ?? this.first;
    this.board.clearSky();
    this.fall(found?.pick);
    this.preview.className = "preview";
    this.preview.textContent = "";
    if (!this.choices.length) return;
    const made = this.under(this.picked)[0].picks.slice(0, this.depth);
    const asks = this.whole ? "" : made.at(-1)?.asks;
    this.asked(made.map(({ words }) => words).join(" · ") + (asks ? ` – ${asks}` : "") || null);
    if (found?.choices.length === 1) this.show(found.choices[0]);
    else if (found) this.preview.textContent = found.pick.words;
    else if (this.whole) this.show(this.whole);
  }

  show({ preview, words }) {
    for (const { place, shape, kind } of preview.ghosts) {
      const element = this.element(place);
      if (element) this.board.tile(shape, this.board.spot(element), `ghost ${kind}`);
    }
    for (const { place, text } of preview.marks) {
      const element = this.element(place);
      if (element) this.board.mark(text, this.board.spot(element));
    }
    const change = preview.projected === this.score ? [] : [make("b", {}, `${this.score} → ${preview.projected}`), " · "];
    this.preview.replaceChildren(...change, preview.words || words);
    this.preview.classList.toggle("loss", preview.projected < this.score);
    this.preview.classList.toggle("long", this.preview.textContent.length > 75);
  }

  // --- pointer: click, or drag from place to place ---

  press(event) {
    this.touching = event.pointerType === "touch"; // perhaps the page is moved: it picks when it has not
    if (event.button !== 0 || this.touching) return;
    this.pressed = { x: event.clientX, y: event.clientY, place: null };
    if (event.target.closest(".can")) event.preventDefault();
    this.pressed.place = this.choose(event.target);
  }

  touch(event) {
    if (!this.touching) return;
    this.touching = false;
    const near = this.around(event.clientX, event.clientY);
    const held = event.target.closest(".held");
    let place = this.choose(event.target);
    if (!place && !held && near.length) place = this.choose(this.element(near[0])); // missed by a little
    if (!near.includes(place) || place !== this.picked.at(-1) || near.length < 2) return;
    this.near = near;
    this.draw();
  }

  // The places that lie within a finger's breadth of a point, the nearest first.
  around(x, y) {
    const far = (element) => {
      const { x: left, y: top, width, height } = element.getBoundingClientRect();
      return Math.hypot(left + width / 2 - x, top + height / 2 - y);
    };
    const all = this.elements().map((element) => [far(element), element.id]);
    return all.filter(([distance]) => distance < FINGER).sort(([a], [b]) => a - b).map(([, id]) => id);
  }

  // Pick what was pressed, or undo; what was picked.
  choose(target) {
    if (this.peeking) this.reset();
    this.byKeyboard = false;
    const element = target.closest(".can");
    if (element) this.pick(element.id);
    else if (target.closest(".held")) this.back();
    else if (this.depth) return this.repick(target);
    return element?.id ?? null;
  }

  // A place that could have been picked some steps before is picked instead.
  repick(target) {
    for (let depth = this.depth - 1; depth >= 0; depth--) {
      const before = this.picked.slice(0, depth);
      const options = new Set(this.under(before).map(({ picks }) => picks[depth]?.place));
      for (let element = target; element && element !== this.board.container; element = element.parentElement) {
        if (!options.has(element.id)) continue;
        Object.assign(this, { picked: before, whole: null });
        this.pick(element.id);
        return element.id;
      }
    }
    return null;
  }

  drag(event) {
    if (!this.pressed?.place || !this.depth || event.pointerType === "touch" || !(event.buttons & 1)) return;
    const far = Math.hypot(event.clientX - this.pressed.x, event.clientY - this.pressed.y) > 8;
    if (far) this.board.container.classList.add("dragging");
  }

  release(event) {
    const dragged = this.board.container.classList.contains("dragging");
    this.board.container.classList.remove("dragging");
    const from = this.pressed?.place;
    this.pressed = null;
    if (!dragged || !from) return;
    const element = document.elementFromPoint(event.clientX, event.clientY)?.closest(".can");
    if (element && element.id !== from) this.pick(element.id);
  }

  // --- keyboard: arrows from place to place, Enter picks, Escape goes back ---

  key(event) {
    const element = event.target.closest?.(".can");
    if (!element) return;
    this.byKeyboard = true;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.pick(element.id);
    } else if (event.key.startsWith("Arrow")) {
      event.preventDefault();
      this.step(element, event.key.slice(5));
    } else if (event.key === "Home") this.focusFirst();
  }

  // To the nearest place in a direction; around the edge to the farthest on the other side.
  step(from, direction) {
    const across = direction === "Left" || direction === "Right";
    const sign = direction === "Right" || direction === "Down" ? 1 : -1;
    const middle = (element) => {
      const box = element.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const [x, y] = middle(from);
    let best = null;
    let least = Infinity;
    for (const element of this.elements()) {
      if (element === from) continue;
      const [a, b] = middle(element);
      const along = sign * (across ? a - x : b - y);
      const aside = Math.abs(across ? b - y : a - x);
      const cost = along > 1 ? along + 3 * aside : 1e5 + along + 3 * aside;
      if (cost < least) [least, best] = [cost, element];
    }
    if (best) this.focus(best);
  }

  focus(element) {
    for (const other of this.elements()) other.setAttribute("tabindex", other === element ? "0" : "-1");
    element.focus();
  }

  focusFirst() {
    const first = (this.whole ? null : this.elements()[0]) ?? this.buttons.querySelector("button");
    if (first?.matches(".can")) this.focus(first);
    else first?.focus();
  }
}
