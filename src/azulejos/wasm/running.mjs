// Runs modules in Node: answers each line of its input, a task in JSON, with a line of output.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

import { tasks } from "./web/tasks.js";

const modules = {};

for await (const line of createInterface({ input: process.stdin })) {
  const { task, game, ...given } = JSON.parse(line);
  modules[game] ??= new WebAssembly.Module(readFileSync(new URL(`./web/${game}.wasm`, import.meta.url)));
  process.stdout.write(JSON.stringify(await tasks[task](modules[game], given)) + "\n");
}
