import { known } from "./store.js";

/**
 * What was typed into forms that went away when a session ended elsewhere, by user, address and form; passwords are not among it.
 * @type {Map<string, [name: string, value: string | boolean][]>}
 */
const typed = new Map();

/**
 * Gives a form what its user typed into it before, and keeps what is typed when the session ends.
 * @param {HTMLFormElement} form @returns {() => void} to be called when the form goes away
 */
export function keepTyped(form) {
  const key = [known.me?.userId, location.pathname, form.id].join(" ");
  for (const [name, value] of typed.get(key) ?? []) type(form.elements.namedItem(name), value);
  typed.delete(key);
  return () => {
    if (known.wasSignedOut) typed.set(key, typedInto(form));
  };
}

/** @param {any} field @param {string | boolean} value */
function type(field, value) {
  field[typeof value === "boolean" ? "checked" : "value"] = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** @param {HTMLFormElement} form @returns {[name: string, value: string | boolean][]} */
function typedInto(form) {
  const fields = /** @type {any[]} */ ([...form.elements]).filter(({ name, type }) => name && type !== "password");
  const boxes = fields.filter(({ checked, defaultChecked }) => checked !== defaultChecked);
  const texts = fields.filter(({ type, value, defaultValue }) => type !== "checkbox" && value !== defaultValue);
  return [...boxes.map(({ name, checked }) => [name, checked]), ...texts.map(({ name, value }) => [name, value])];
}
