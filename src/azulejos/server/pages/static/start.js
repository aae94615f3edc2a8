// The start page: seats follow the number of players, the rules' compiling is waited for, records are brought.

import { part } from "./site.js";
import { make, say } from "./words.js";

for (const counts of /** @type {NodeListOf<HTMLSelectElement>} */ (document.querySelectorAll("[data-counts]"))) {
  const follow = () => {
    for (const label of /** @type {NodeListOf<HTMLElement>} */ (counts.form?.querySelectorAll("[data-seat]"))) {
      const out = Number(label.dataset.seat) >= Number(counts.value);
      label.hidden = out;
      const select = label.querySelector("select");
      if (select) select.disabled = out;
    }
    const claim = /** @type {HTMLElement} */ (counts.form?.querySelector(".claim"));
    claim.hidden = counts.value !== "2"; // a game of more goes on without somebody
  };
  counts.addEventListener("change", follow);
  follow();
}

// The server commits to the seed of the draws before the visitor's browser adds to it.
for (const form of document.querySelectorAll("form[action='/tables']")) {
  form.append(make("input", { type: "hidden", name: "nonce", value: "later" }));
}

const preparing = part("preparing");
const started = Date.now();

async function wait() {
  const ready = await (await fetch("/ready")).json();
  for (const card of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-game]"))) {
    for (const button of card.querySelectorAll("button")) button.disabled = !ready[card.dataset.game ?? ""];
  }
  const done = Object.values(ready);
  preparing.hidden = done.every(Boolean);
  const seconds = Math.round((Date.now() - started) / 1000);
  const count = `${done.filter(Boolean).length} / ${done.length}`;
  preparing.textContent = `${say("Compiling the rules, once on this machine…")} ${count} · ${say("{seconds} s", { seconds })}`;
  if (!preparing.hidden) setTimeout(wait, 500);
}
if (!preparing.hidden) wait();

part("record").addEventListener("change", async (/** @type {any} */ { target }) => {
  const [file] = target.files;
  if (!file) return;
  const message = part("record-message");
  const answer = await fetch("/records", { method: "POST", body: await file.text() });
  const text = await answer.text();
  const found = answer.headers.get("content-type")?.includes("json") ? JSON.parse(text) : { message: text };
  if (answer.ok) location.assign(found.address);
  else message.textContent = say("This record cannot be read: {message}", found);
});
part("record").disabled = false;
