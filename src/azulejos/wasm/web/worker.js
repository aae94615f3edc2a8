// A worker that thinks about one position at a time. It is given {parts} first, and told {thought, …} to begin and {stop}
// to end; a new thought ends the one before.

import { describe } from "./engine.js";
import { Search } from "./search.js";

const BREATH = 10; // milliseconds between two looks at what it was told
const REPORT = 200; // milliseconds between two reports
const channel = new MessageChannel();

let present = 0; // the thought that goes on
/** @type {any} */ let parts = null; // as `gather` of engine.js has them
let [memory, made] = [null, ""]; // the search that was made last, and for what

/** @param {any} what */
function searchFor({ options, alone = false }) {
  const wanted = JSON.stringify([options, alone]);
  if (made !== wanted) {
    const [key] = crypto.getRandomValues(new BigUint64Array(1));
    memory = null; // given back before as much is taken again
    memory = new Search(parts, options, key, alone);
    made = wanted;
  }
  return memory;
}

// What the worker was told meanwhile is heard.
function breathe() {
  return new Promise((go) => {
    channel.port1.onmessage = go;
    channel.port2.postMessage(null);
  });
}

// Run a generator that thinks; its result, or undefined once another thought is wanted.
async function run(thought, thinking, tell = () => {}) {
  let [breath, report] = [performance.now() + BREATH, performance.now() + REPORT / 4];
  for (;;) {
    const { done, value } = thinking.next();
    if (done) return value;
    const now = performance.now();
    if (now < breath) continue;
    await breathe();
    if (thought !== present) return undefined;
    breath = performance.now() + BREATH;
    if (now >= report) {
      tell();
      report = now + REPORT;
    }
  }
}

async function ponder({ thought, state, deepen, ...what }) {
  const search = searchFor(what);
  search.plant(state, deepen);
  const tell = () => postMessage({ thought, report: search.report(), facts: search.facts });
  if (search.tree.count > 1) await run(thought, search.ponder(), tell);
  if (thought === present) tell();
}

async function choose({ thought, state, level, ...what }) {
  const facts = describe(parts.module).levels[level];
  const search = searchFor({ ...what, alone: facts.simulations === 0 });
  const action = await run(thought, search.choosingAs(facts, state));
  if (action !== undefined) postMessage({ thought, action });
}

onmessage = ({ data }) => {
  parts ??= data.parts;
  present = data.thought ?? 0;
  if (!data.thought) return;
  const thinking = data.level ? choose(data) : ponder(data);
  thinking.catch((error) => postMessage({ thought: data.thought, error: String(error) }));
};
