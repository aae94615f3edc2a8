// What a visitor likes, kept in this browser.

const CALM = matchMedia("(prefers-reduced-motion: reduce)").matches;

const TOUCH = matchMedia("(pointer: coarse)").matches; // a finger does not hover: what it does is shown before it is done

/** @type {{speed: string, confirm: boolean, forced: boolean, sound: boolean, coach: boolean, pace: string} & Record<string, any>} */
export const settings = { speed: CALM ? "0" : "1", confirm: TOUCH, forced: false, sound: true, coach: false, pace: "1" };

const KEY = "azulejos-settings";

try {
  Object.assign(settings, JSON.parse(localStorage.getItem(KEY) ?? "{}"));
} catch {
  // nothing is kept here, or nothing that can be read
}

export function bindSettings() {
  for (const name of Object.keys(settings)) {
    /** @type {any} */
    const control = document.getElementById(name);
    if (!control) continue;
    const property = control.type === "checkbox" ? "checked" : "value";
    control[property] = settings[name];
    control.addEventListener("change", () => {
      settings[name] = control[property];
      try {
        localStorage.setItem(KEY, JSON.stringify(settings));
      } catch {
        // kept for this page only
      }
    });
  }
}
