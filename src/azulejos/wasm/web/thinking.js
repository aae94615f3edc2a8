// The visitor's own engine: the searching player in workers, so that the page is never kept waiting.

import { gather } from "./engine.js";
import { combine } from "./search.js";

export { bestOf } from "./search.js";

const MOST_WORKERS = 4;
const IDLE = 30_000; // milliseconds after which unused workers are ended, and their memory given back

// Can this browser think for itself?
export function canThink() {
  return typeof WebAssembly === "object" && typeof Worker === "function" && typeof BigUint64Array === "function";
}

// The bytes of a state, as the server sends them.
export function fromBase64(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

// A file that lies beside this one.
async function fetchFile(name) {
  const answer = await fetch(new URL(`./${name}`, import.meta.url));
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer;
}

export class Thinking {
  /** @type {Promise<{ module: WebAssembly.Module, network: Uint8Array }> | null} */ parts = null;
  /** @type {string} */ game;
  /** @type {Record<string, string>} */ options;
  /** @type {number} */ wanted; // workers

  // `game`: its name. `options`: of the variant, as texts by name.
  constructor(game, options, workers = Math.min(MOST_WORKERS, navigator.hardwareConcurrency || 1)) {
    Object.assign(this, { game, options, wanted: workers });
    this.workers = [];
    this.thought = 0;
    this.idle = null;
  }

  // The module, compiled once, and the variant's network.
  prepare() {
    this.parts ??= WebAssembly.compileStreaming(fetchFile(`${this.game}.wasm`)).then((module) =>
      gather(module, this.options, async (name) => (await fetchFile(name)).arrayBuffer()),
    );
    return this.parts;
  }

  // Think about a position until `stop` or the next thought. `tell(choice)`: called a few times a second with what was
  // found so far, as `combine` of search.js has it. `fail()`: called if this browser cannot think after all.
  ponder(state, tell, fail = () => {}) {
    const reports = new Map();
    this.begin(this.wanted, { state }, fail, ({ report, facts }, k) => {
      reports.set(k, report);
      tell(combine([...reports.entries()].sort(([a], [b]) => a - b).map(([, one]) => one), facts));
    });
  }

  // The action that a level chooses, as its index.
  choose(state, level) {
    return new Promise((found, fail) => {
      this.begin(1, { state, level }, fail, ({ action }) => {
        this.stop();
        found(action);
      });
    });
  }

  stop() {
    this.thought += 1;
    for (const worker of this.workers) worker.postMessage({ stop: true });
    clearTimeout(this.idle);
    this.idle = setTimeout(() => this.close(), IDLE);
  }

  close() {
    this.thought += 1;
    clearTimeout(this.idle);
    for (const worker of this.workers) worker.terminate();
    this.workers = [];
  }

  async begin(count, what, fail, hear) {
    clearTimeout(this.idle);
    const thought = (this.thought += 1);
    const failed = (error) => {
      this.close();
      fail(error);
    };
    try {
      const parts = await this.prepare();
      if (thought !== this.thought) return;
      while (this.workers.length < count) {
        const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
        worker.postMessage({ parts });
        this.workers.push(worker);
      }
      this.workers.slice(0, count).forEach((worker, k) => {
        worker.onerror = (event) => {
          event.preventDefault();
          if (thought === this.thought) failed(new Error(event.message || "a worker could not begin"));
        };
        worker.onmessage = ({ data }) => {
          if (data.thought !== this.thought) return;
          if (data.error) failed(new Error(data.error));
          else hear(data, k);
        };
        worker.postMessage({ thought, options: this.options, deepen: k === 0, ...what });
      });
    } catch (error) {
      failed(error);
    }
  }
}
