import { clearFieldErrors, showFieldErrors } from "./field-errors.js";
import { findHref, screenNames } from "./place.js";

/**
 * The form at the top of every view.
 * @param {(href: string) => void} go
 * @returns {{ fill(place: import("./place.js").Place): void }} shows in the field what a view looked for
 */
export function startFindForm(go) {
  const form = /** @type {HTMLFormElement} */ (document.getElementById("find"));
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("screenNames"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const names = screenNames(field.value);
    if (names.length > 0) return go(findHref(names));
    const message = "Write at least one user name.";
    showFieldErrors(form, { message, fields: [{ fieldName: "screenNames", message }] });
  });
  return {
    fill(place) {
      clearFieldErrors(form);
      field.value = place.find.join(", ");
    },
  };
}
