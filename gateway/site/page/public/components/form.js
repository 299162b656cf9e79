import { useEffect, useRef, useState } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { errorText, sortErrors } from "../rules/error-text.js";
import { ApiError } from "../state/api.js";
import { appState, notify } from "../state/app-state.js";
import { minPasswordLength } from "../state/limits.js";
import { restoreForm } from "../state/unsent-form.js";
import { Said, useControl } from "./said.js";

const idle = { isBusy: false, whole: "", errors: /** @type {Record<string, string>} */ ({}) };

/**
 * A form that is sent by a script. Errors are shown beside their fields, and the first one gets the focus. What was typed stays,
 * also when the session ended and the user signs in again.
 * @param {string} id
 * @param {(values: Record<string, any>, form: HTMLFormElement, say: (text: string) => void) => Promise<void>} send values by field
 *   name: texts, and booleans of checkboxes; `say` says the result beside the button
 */
export function useForm(id, send) {
  const [state, setState] = useState(idle);
  const element = useRef(/** @type {HTMLFormElement | null} */ (null));
  const control = useControl();
  const keep = useRef(() => {});
  useEffect(() => {
    if (element.current !== null) keep.current = restoreForm(element.current);
    return () => appState.wasSignedOut && keep.current();
  }, []);
  useEffect(() => element.current?.querySelector("[aria-invalid]")?.focus(), [state.errors]);
  const onSubmit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = element.current;
    if (state.isBusy || form === null) return;
    setState({ ...idle, isBusy: true });
    try {
      await send(valuesOf(form), form, (text) => notify(text, false, control));
      setState(idle);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setState({ isBusy: false, ...sortErrors(error, (name) => labelOf(form, name)) });
      if (form.isConnected) return;
      // The user went to another view, or closed the dialog.
      keep.current();
      notify(`That did not work. ${errorText(error)}`, true);
    }
  };
  return { id, element, control, onSubmit, ...state };
}

/** @typedef {ReturnType<typeof useForm>} FormState */

/** The form element, with errors that belong to no field. @param {{ form: FormState, button: string, children: any, class?: string }} props */
export function Form({ form, button, children, class: name }) {
  return html`
    <form id=${form.id} class=${name} ref=${form.element} method="dialog" novalidate onSubmit=${form.onSubmit}>
      ${children}
      <p class="error whole" role="alert">${form.whole}</p>
      <div class="row">
        <button aria-disabled=${form.isBusy ? "true" : undefined}>${form.isBusy ? "Sending…" : button}</button>
        <${Said} control=${form.control} />
      </div>
    </form>
  `;
}

/**
 * A field with its label, hint and error.
 * @param {{ form: FormState, name: string, label: string, hint?: string, isOptional?: boolean, tag?: "input" | "textarea", [attribute: string]: any }} props
 */
export function Field({ form, name, label, hint, isOptional, tag = "input", ...attributes }) {
  const id = `${form.id}-${name}`;
  const error = form.errors[name] ?? "";
  const described = [hint === undefined ? "" : `${id}-hint`, `${id}-error`].filter(Boolean).join(" ");
  return html`
    <div class="field">
      <label for=${id}>${label}${isOptional && html` <span class="optional">(optional)</span>`}</label>
      <${tag}
        id=${id}
        name=${name}
        data-label=${label}
        aria-describedby=${described}
        aria-invalid=${error === "" ? undefined : "true"}
        ...${attributes}
      />
      ${hint !== undefined && html`<p class="hint" id=${`${id}-hint`}>${hint}</p>`}
      <p class="error" id=${`${id}-error`}>${error}</p>
    </div>
  `;
}

/** The user name of a sign-in or registration. @param {{ form: FormState, label: string, hint?: string }} props */
export function UserNameField({ form, label, hint }) {
  return html`
    <${Field}
      form=${form}
      name="userName"
      label=${label}
      hint=${hint}
      type="text"
      autocomplete="username"
      autocapitalize="none"
      spellcheck="false"
    />
  `;
}

/** A password that is to be set. @param {{ form: FormState, name: string, label: string }} props */
export function NewPasswordField({ form, name, label }) {
  return html`
    <${Field} form=${form} name=${name} label=${label} hint=${`At least ${minPasswordLength} characters.`} type="password" autocomplete="new-password" />
  `;
}

/** A checkbox. @param {{ form: FormState, name: string, label: string, hint?: string, [attribute: string]: any }} props */
export function Check({ form, name, label, hint, ...attributes }) {
  const id = `${form.id}-${name}`;
  return html`
    <div class="field check">
      <input id=${id} name=${name} type="checkbox" data-label=${label} aria-describedby=${hint && `${id}-hint`} ...${attributes} />
      <label for=${id}>${label}</label>
      ${hint !== undefined && html`<p class="hint" id=${`${id}-hint`}>${hint}</p>`}
    </div>
  `;
}

/** @param {HTMLFormElement} form */
function valuesOf(form) {
  const fields = [...form.elements].filter(
    (field) => field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement,
  );
  const named = fields.filter(({ name }) => name !== "");
  return Object.fromEntries(
    named.map((field) => [field.name, field.type === "checkbox" ? /** @type {any} */ (field).checked : field.value]),
  );
}

/**
 * Makes saved values the defaults of their fields, so that a reload may replace them. What was typed since the save began stays typed.
 * @param {HTMLFormElement} form @param {Record<string, any>} saved values by field name
 */
export function markSaved(form, saved) {
  const typed = Object.entries(valuesOf(form)).filter(([name, value]) => value !== saved[name]);
  for (const [name, value] of Object.entries(saved)) {
    const field = /** @type {any} */ (form.elements.namedItem(name));
    field[typeof value === "boolean" ? "defaultChecked" : "defaultValue"] = value;
  }
  form.reset();
  for (const [name, value] of typed) {
    const field = /** @type {any} */ (form.elements.namedItem(name));
    field[typeof value === "boolean" ? "checked" : "value"] = value;
  }
}

/** @param {HTMLFormElement} form @param {string} name */
function labelOf(form, name) {
  const field = form.elements.namedItem(name);
  return field instanceof HTMLElement ? field.dataset.label : undefined;
}
