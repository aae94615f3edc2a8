// Runs modules in Node: answers each line of its input, a task in JSON, with a line of output.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

import { gather } from "./web/engine.js";
import { tasks } from "./web/tasks.js";

const modules = {};
const read = (name) => readFileSync(new URL(`./web/${name}`, import.meta.url));

for await (const line of createInterface({ input: process.stdin })) {
  const { task, game, ...given } = JSON.parse(line);
  modules[game] ??= new WebAssembly.Module(read(`${game}.wasm`));
  const parts = await gather(modules[game], given.options, read);
  process.stdout.write(JSON.stringify(await tasks[task](parts, given)) + "\n");
}
