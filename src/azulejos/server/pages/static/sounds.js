// Sounds of the table, made here: tiles that are laid, one's turn, the end of a game. Soft, and switched off in the settings.

import { settings } from "./settings.js";

/** @type {AudioContext | null} */
let audio = null;

/**
 * A tone that falls or rises and fades.
 * @param {{from: number, to: number, lasts: number, loud: number, after?: number, kind?: OscillatorType}} tone
 */
function play({ from, to, lasts, loud, after = 0, kind = "sine" }) {
  if (!settings.sound || !navigator.userActivation?.hasBeenActive) return; // browsers are silent before a first click
  audio ??= new AudioContext();
  const start = audio.currentTime + after;
  const source = audio.createOscillator();
  const volume = audio.createGain();
  source.type = kind;
  source.frequency.setValueAtTime(from, start);
  source.frequency.exponentialRampToValueAtTime(to, start + lasts / 2);
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(loud, start + 0.008);
  volume.gain.exponentialRampToValueAtTime(0.0005, start + lasts);
  source.connect(volume).connect(audio.destination);
  source.start(start);
  source.stop(start + lasts);
}

export const sounds = {
  /** A tile on wood. `after`: when it lands, in seconds. */
  tile(after = 0) {
    play({ from: 340, to: 150, lasts: 0.09, loud: 0.07, after, kind: "triangle" });
  },
  /** It is the visitor's turn. */
  turn() {
    play({ from: 660, to: 440, lasts: 0.28, loud: 0.06 });
  },
  /** The game is over. */
  end() {
    for (const [k, pitch] of [392, 494, 587, 784].entries()) play({ from: pitch, to: pitch, lasts: 0.5, loud: 0.05, after: 0.13 * k });
  },
};
