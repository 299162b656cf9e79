import { appState } from "./app-state.js";

/**
 * The values typed into forms that were removed when the session ended elsewhere, or before their sending failed, by user, address and
 * form; no passwords.
 * @type {Map<string, [name: string, value: string | boolean][]>}
 */
const typed = new Map();

/**
 * Fills a form with what its user typed before.
 * @param {HTMLFormElement} form @returns {() => void} remembers what is typed then, also when the form was removed
 */
export function restoreForm(form) {
  const key = [appState.me?.userId, location.pathname, form.id].join(" ");
  for (const [name, value] of typed.get(key) ?? []) type(form.elements.namedItem(name), value);
  typed.delete(key);
  return () => void typed.set(key, typedInto(form));
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
