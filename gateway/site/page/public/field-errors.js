/**
 * Shows the errors of a call beside the fields that they name and moves to the first of them. What belongs to no field of
 * the form is said for the form as a whole.
 * @param {HTMLFormElement} form
 * @param {{ message: string, fields: { fieldName: string, message: string }[] }} error
 */
export function showFieldErrors(form, error) {
  clearFieldErrors(form);
  const placed = error.fields.filter(({ fieldName, message }) => placeError(form, fieldName, message));
  const rest = error.fields.filter((entry) => !placed.includes(entry)).map(({ message }) => message);
  const whole = form.querySelector(".whole");
  if (whole !== null) whole.textContent = error.fields.length === 0 ? error.message : rest.join(" ");
  /** @type {HTMLElement | null} */ (form.querySelector("[aria-invalid]"))?.focus();
}

/** Takes all errors of a form away. @param {HTMLFormElement} form */
export function clearFieldErrors(form) {
  for (const place of form.querySelectorAll(".error")) place.textContent = "";
  for (const field of form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
}

/** @param {HTMLFormElement} form @param {string} name @param {string} message */
function placeError(form, name, message) {
  const field = form.elements.namedItem(name);
  const place = document.getElementById(`${form.id}-${name}-error`);
  if (!(field instanceof HTMLInputElement) || place === null) return false;
  field.setAttribute("aria-invalid", "true");
  place.textContent = message;
  return true;
}
