// The searching player of azulejos/players/search.py over a game's module: the same thoughts, number for number.
// What thinks for long is a generator, which yields often; who runs it may stop at any yield.

import { Engine } from "./engine.js";

const NONE = -1;
const MOST_VISITED = 10; // visits that an action of the expected line has at least

// One tree, and where the game allows it one alpha-beta search, from one position at a time.
export class Search {
  // `parts`: as `gather` of engine.js has them. `key`: a BigInt, from which all that is drawn while thinking is drawn. `alone`: its ratings do not see what others need.
  constructor(parts, options, key, alone = false) {
    const { searches } = new Engine(parts, options, []).variant;
    this.engine = new Engine(parts, options, searches);
    this.facts = this.engine.about.search;
    this.tree = new Tree(this.engine, key, alone);
    this.alphaBeta = searches.includes("deepen") ? new Deepening(this.engine, this.facts) : null;
    this.deep = null; // the alpha-beta search, where it takes part
  }

  // Begin to think about a position: the bytes of a state, as the seat to act knows it.
  plant(state, deepen = true) {
    this.tree.plant(state);
    this.deep = deepen ? this.alphaBeta : null;
    this.deep?.plant(state);
  }

  // Think within a limit of seconds, simulations, or both: what was found, as `combine` has it. `firm`: stop as soon as
  // the simulations left could not change which action has the most visits.
  *choose(state, { time = Infinity, simulations = Infinity, firm = true }) {
    const { few, parts, far } = this.facts;
    this.plant(state, simulations >= few);
    if (this.tree.count === 1) simulations = 1;
    const part = (from, share) => [from + (time * share) / parts, Math.floor((simulations * share) / parts)];
    const started = now();
    let [end, most] = part(started, parts);
    if (this.deep) {
      const [soon, first] = part(started, 1);
      yield* this.deep.growUntil(soon, Math.min(first || few, few));
      if (this.deep.depth >= far) {
        yield* this.deep.growUntil(...part(started, parts - 1));
        [end, most] = part(now(), 1);
      } else most -= this.deep.nodes;
    }
    yield* this.tree.growUntil(end, most, firm ? this.facts.surely : 0);
    return combine([this.report()], this.facts);
  }

  // The action of a level: `describe(module).levels` has its facts.
  *choosingAs({ patience, simulations, width }, state, random = Math.random) {
    if (simulations === 0) {
      this.plant(state, false);
      return sampled(this.tree.glance(), width, random);
    }
    const choice = yield* this.choose(state, { time: patience, simulations, firm: width === 0 });
    if (width === 0) return choice.action;
    return sampled(choice.actions.map(({ action, visits }) => ({ action, merit: visits })), width, random);
  }

  // Think without end.
  *ponder() {
    const { parts, far } = this.facts;
    for (let turn = 0; ; turn = (turn + 1) % parts) {
      const deep = this.deep && !this.deep.done && (this.deep.depth >= far) === turn > 0;
      yield* deep ? this.deep.growUntil(now() + 0.004) : this.tree.growUntil(now() + 0.004);
    }
  }

  // What is known so far, to be combined with what other workers know.
  report() {
    return { ...this.tree.report(), deep: this.deep?.report() ?? null };
  }
}

class Tree {
  /** @type {any} */ states;
  /** @type {any} */ used;
  /** @type {any} */ totals;

  constructor(engine, key, alone) {
    this.engine = engine;
    const array = (name) => engine.array("simulate", name);
    Object.assign(this, { states: array("states"), used: array("used"), totals: array("totals") });
    array("keys").set([key, 0n, key]);
    if (alone) {
      for (const [first, last] of engine.about.rows_of_others) array("linear").fill(0, first, last);
      array("priors").fill(0);
    }
    const [nodes, edges] = [array("nodes"), array("edges")];
    this.node = { first: engine.field(nodes, "first"), count: engine.field(nodes, "count"), seat: engine.field(nodes, "seat") };
    this.edge = Object.fromEntries(["prior", "visits", "total", "child", "action"].map((name) => [name, engine.field(edges, name)]));
  }

  plant(state) {
    this.states.set(state);
    this.used.fill(0n);
    this.totals.fill(0);
    this.simulations = 0;
    this.grow(1);
    this.count = this.node.count(0);
  }

  grow(simulations) {
    this.engine.call("simulate", { simulations });
    this.simulations += simulations;
  }

  // Grow to a point in time or a number of simulations. `surely`: or until those that are left could not change which
  // action has the most visits, even if the pace rose by this factor.
  *growUntil(end = Infinity, most = Infinity, surely = 0) {
    let chunk = end < Infinity ? 16 : 2000;
    while (this.simulations < most) {
      const started = now();
      if (started >= end) return;
      const wanted = Math.min(chunk, most - this.simulations);
      this.grow(wanted);
      let left = most - this.simulations;
      if (end < Infinity) {
        const time = now();
        const pace = Math.max((time - started) / wanted, 1e-9);
        left = Math.min(left, Math.max(end - time, 0) / pace);
        chunk = nextChunk(chunk, end - time, pace);
      }
      if (surely && left < this.lead() / surely) return;
      yield;
    }
  }

  // The actions at sight: their merit is the prior.
  glance() {
    return Array.from({ length: this.count }, (_, k) => ({ action: this.edge.action(k), merit: this.edge.prior(k) }));
  }

  // By how many visits the action that has most of them is ahead of the next.
  lead() {
    if (this.count === 1) return this.simulations;
    let [best, second] = [0, 0];
    for (let k = 0; k < this.count; k += 1) {
      const visits = this.edge.visits(k);
      if (visits > best) [best, second] = [visits, best];
      else if (visits > second) second = visits;
    }
    return best - second;
  }

  report() {
    const edges = Array.from({ length: this.count }, (_, k) => k);
    return {
      seat: this.node.seat(0),
      simulations: this.simulations,
      actions: edges.map(this.edge.action),
      visits: edges.map(this.edge.visits),
      totals: edges.map(this.edge.total),
      chances: [...this.totals],
      lines: edges.map((edge) => this.line(edge)),
    };
  }

  // How play is expected to go on from an edge: the actions with the most visits.
  line(edge) {
    const line = [];
    for (;;) {
      line.push(this.edge.action(edge));
      const node = this.edge.child(edge);
      if (node === NONE) return line;
      const first = this.node.first(node);
      edge = first;
      for (let k = first; k < first + this.node.count(node); k += 1) {
        if (this.edge.visits(k) > this.edge.visits(edge)) edge = k;
      }
      if (this.edge.visits(edge) < MOST_VISITED) return line;
    }
  }
}

class Deepening {
  /** @type {any} */ engine;
  /** @type {any} */ facts;
  /** @type {any} */ states;
  /** @type {any} */ transpositions;
  /** @type {any} */ progress;
  /** @type {any} */ reached;

  constructor(engine, facts) {
    const array = (name) => engine.array("deepen", name);
    const names = ["states", "transpositions", "progress", "reached"];
    Object.assign(this, { engine, facts }, Object.fromEntries(names.map((name) => [name, array(name)])));
    this.found = engine.array("follow", "line");
  }

  get nodes() {
    return Number(this.progress[1]);
  }

  get depth() {
    return this.reached[0];
  }

  get done() {
    return this.depth >= this.facts.whole;
  }

  plant(state) {
    this.states.set(state);
    this.transpositions.fill(0);
    this.progress.set([BigInt(NONE), 0n, BigInt(NONE)]);
    this.reached.set([this.facts.first_depth, 0]);
    this.grow(1);
  }

  grow(nodes) {
    this.engine.call("deepen", { nodes });
  }

  *growUntil(end = Infinity, most = Infinity) {
    let chunk = end < Infinity ? 16 : 2000;
    while (!this.done && this.nodes < most) {
      const started = now();
      if (started >= end) return;
      const wanted = Math.min(chunk, most - this.nodes);
      this.grow(wanted);
      if (end < Infinity) chunk = nextChunk(chunk, end - now(), Math.max((now() - started) / wanted, 1e-9));
      yield;
    }
  }

  report() {
    const { size } = this.engine.about.types[this.states.type];
    const second = this.states.slice(size, 2 * size); // `follow` plays its line there, where the search may be at work
    const count = this.engine.call("follow", { action: Number(this.progress[2]) });
    this.states.set(second, size);
    return { nodes: this.nodes, depth: this.depth, value: this.reached[1], line: [...this.found.subarray(0, count)].map(Number) };
  }
}

// What several trees found about the same position, added up, as `Search(threads=)` does: the action chosen, and for
// each action its place among the legal ones, its index, visits, chance to win and line; the chances of all seats; the simulations.
export function combine(reports, { far }) {
  const [{ seat, actions }] = reports;
  const sum = (name, k) => reports.reduce((total, report) => total + report[name][k], 0);
  const found = actions.map((action, k) => {
    const [visits, total] = [sum("visits", k), sum("totals", k)];
    const line = longest(reports.map(({ lines }) => lines[k]));
    return { place: k, action, visits, total, chance: total / Math.max(visits, 1), line };
  });
  const simulated = reports.reduce((total, report) => total + report.simulations, 0);
  const chances = reports[0].chances.map((_, k) => sum("chances", k) / simulated);
  const best = found.reduce((one, other) =>
    other.visits > one.visits || (other.visits === one.visits && other.total >= one.total) ? other : one,
  );
  const choice = { seat, action: best.action, actions: found, chances, simulations: found.reduce((sum, { visits }) => sum + visits, 0) };
  for (const { deep } of reports) if (deep) correct(choice, deep, far);
  choice.actions = choice.actions.filter(({ visits }) => visits > 0);
  return choice;
}

// Alpha-beta chooses, where it got deep enough: no other action is worth more than the one it found.
function correct(choice, { nodes, depth, value, line }, far) {
  choice.simulations += nodes;
  choice.depth = depth;
  if (depth < far) return;
  choice.action = line[0];
  choice.chances = choice.chances.map((_, seat) => (seat === choice.seat ? value : 1 - value));
  for (const one of choice.actions) {
    if (one.action !== line[0]) one.chance = Math.min(one.chance, value);
    else Object.assign(one, { chance: value, visits: one.visits + nodes, line });
  }
}

// The best actions of a choice, the best first: the one chosen and those with the most visits, by chance.
export function bestOf(choice, count) {
  const chosen = ({ action }) => (action === choice.action ? 1 : 0);
  return [...choice.actions]
    .sort((a, b) => chosen(b) - chosen(a) || b.visits - a.visits || b.chance - a.chance)
    .slice(0, count)
    .sort((a, b) => b.chance - a.chance);
}

// The action of a level, sampled by merit: visits or priors within the level's width of the best, as a logarithm.
function sampled(actions, width, random) {
  const best = Math.max(...actions.map(({ merit }) => merit));
  const weights = actions.map(({ merit }) => Math.max(1 - Math.log(best / Math.max(merit, 1e-30)) / width, 0));
  let left = random() * weights.reduce((a, b) => a + b, 0);
  const k = weights.findIndex((weight) => (left -= weight) < 0);
  return actions.at(k).action;
}

function longest(lines) {
  return lines.reduce((one, other) => (other.length > one.length ? other : one));
}

// As much as fits between two looks at the clock; no leap, since a browser's clock may not have moved at all.
function nextChunk(chunk, left, pace) {
  return Math.max(1, Math.min(4 * chunk, Math.trunc(Math.min(0.002, Math.max(left, 0) / 2) / pace)));
}

function now() {
  return performance.now() / 1000;
}
