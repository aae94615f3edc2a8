// What tests and the bench ask of an engine, in Node and in browsers: of its parts, as `gather` has them. States are
// base64, keys decimal.

import { Engine, describe } from "./engine.js";
import { Search } from "./search.js";

const searches = {};
const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

export const tasks = {
  // The number of action sequences of a depth.
  perft(parts, { options, state, depth }) {
    const engine = new Engine(parts, options, ["count_sequences"]);
    engine.array("count_sequences", "stack").set(bytes(state));
    return engine.call("count_sequences", { depth });
  },

  // Random moves: a hash of all positions after each `moves` of them, and the games finished.
  async wander(parts, { options, state, key, moves, times }) {
    const engine = new Engine(parts, options, ["wander"]);
    const states = engine.array("wander", "states");
    states.set(bytes(state));
    engine.array("wander", "keys")[0] = BigInt(key);
    const met = new Uint8Array(times * states.length);
    let finished = 0;
    for (let time = 0; time < times; time += 1) {
      finished += engine.call("wander", { i: 0, moves });
      met.set(states, time * states.length);
    }
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", met));
    return { hash: Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join(""), finished };
  },

  // A thought within a limit of simulations. `reports`: what is known is asked for all the while.
  choose(parts, { options, state, key, simulations, reports = false }) {
    const search = new Search(parts, options, BigInt(key));
    const thinking = search.choose(bytes(state), { simulations });
    for (;;) {
      const { done, value } = thinking.next();
      if (done) return value;
      if (reports) search.report();
    }
  },

  // The action of a level, as a worker finds it, in as much time as it takes. `random`: from 0 to 1, by which it is
  // sampled. The search goes on from the last position: its key counts once.
  level(parts, { options, state, level, key, random }) {
    const { game, levels } = describe(parts.module);
    const facts = levels[level];
    const name = JSON.stringify([game, options, level]);
    const search = (searches[name] ??= new Search(parts, options, BigInt(key), facts.simulations === 0));
    const thinking = search.choosingAs({ ...facts, patience: Infinity }, bytes(state), () => random);
    for (;;) {
      const { done, value } = thinking.next();
      if (done) return value;
    }
  },

  // Random moves and simulations a second, over a stretch of time each.
  speed(parts, { options, state, key, moves, simulations, seconds }) {
    const engine = new Engine(parts, options, ["wander"]);
    const states = engine.array("wander", "states");
    states.set(bytes(state));
    engine.array("wander", "keys")[0] = BigInt(key);
    const name = JSON.stringify([describe(parts.module).game, options]);
    const search = (searches[name] ??= new Search(parts, options, BigInt(key)));
    search.plant(bytes(state), false);
    const wander = () => engine.call("wander", { i: 0, moves }) || states.set(bytes(state));
    return {
      moves: rate(wander, moves, seconds),
      simulations: rate(() => search.tree.grow(simulations), simulations, seconds),
    };
  },
};

// How often a second something is done, by a step that does it `count` times.
function rate(step, count, seconds) {
  step();
  const started = performance.now();
  let [done, passed] = [0, 0];
  while (passed < seconds) {
    step();
    done += count;
    passed = (performance.now() - started) / 1000;
  }
  return done / passed;
}
