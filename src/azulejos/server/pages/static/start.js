// The start page: seats follow the number of players, the rules' compiling is waited for, records are brought.

import { say } from "./words.js";

for (const counts of document.querySelectorAll("[data-counts]")) {
  const follow = () => {
    for (const label of counts.form.querySelectorAll("[data-seat]")) {
      const out = Number(label.dataset.seat) >= Number(counts.value);
      label.hidden = out;
      label.querySelector("select").disabled = out;
    }
  };
  counts.addEventListener("change", follow);
  follow();
}

const preparing = document.getElementById("preparing");
const started = Date.now();

async function wait() {
  const ready = await (await fetch("/ready")).json();
  for (const card of document.querySelectorAll("[data-game]")) {
    for (const button of card.querySelectorAll("form button")) button.disabled = !ready[card.dataset.game];
  }
  const done = Object.values(ready);
  preparing.hidden = done.every(Boolean);
  const seconds = Math.round((Date.now() - started) / 1000);
  const count = `${done.filter(Boolean).length} / ${done.length}`;
  preparing.textContent = `${say("Compiling the rules, once on this machine…")} ${count} · ${say("{seconds} s", { seconds })}`;
  if (!preparing.hidden) setTimeout(wait, 500);
}
if (!preparing.hidden) wait();

document.getElementById("record").addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  if (!file) return;
  const message = document.getElementById("record-message");
  const answer = await fetch("/records", { method: "POST", body: await file.text() });
  const text = await answer.text();
  const found = answer.headers.get("content-type").includes("json") ? JSON.parse(text) : { message: text };
  if (answer.ok) location.assign(found.address);
  else message.textContent = say("This record cannot be read: {message}", found);
});
