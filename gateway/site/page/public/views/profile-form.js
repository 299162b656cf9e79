import { Check, Field, Form, markSaved, useForm } from "../components/form.js";
import { Profile } from "../components/profile.js";
import { SettingsTabs } from "../components/tabs.js";
import { useEffect, useState } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { ask, write } from "../state/api.js";
import { appState, changeState, refresh } from "../state/app-state.js";

/** The form of the signed-in user's profile, with a preview. @param {import("../rules/route.js").Route} route @param {AbortSignal} signal */
export async function showProfileForm({ view }, signal) {
  const { results, version } = await ask("UpdateProfile", {}, signal);
  return {
    title: "Your profile",
    announcement: "",
    body: html`
      <${SettingsTabs} view=${view} />
      <h1 tabindex="-1" class="hidden">Your profile</h1>
      <${ProfileForm} key=${results[0].id} user=${results[0]} version=${version} />
    `,
  };
}

const colours = {
  profile_link_color: "Links and initial",
  profile_sidebar_border_color: "Border",
  profile_background_color: "Background",
  profile_sidebar_fill_color: "Filling",
  profile_text_color: "Text",
};
const flags = ["profile_use_background_image", "profile_background_tile"];

/** @param {{ user: any, version: string | undefined }} props */
function ProfileForm({ user, version }) {
  const [draft, setDraft] = useState(user);
  const form = useForm("profile", async (values, element, say) => {
    await saveProfile({ ...changesOf(user, values), ifVersion: version });
    if (appState.me !== undefined) changeState({ me: { ...appState.me, displayName: `${values.name}` } });
    markSaved(element, values);
    say("Your profile is saved.");
    refresh();
  });
  // After a reload, untouched fields show the new profile; the others keep what was typed.
  useEffect(() => preview(), [user]);
  const preview = () => setDraft({ ...user, ...asShown(form.element.current) });
  const text = (/** @type {string} */ name, /** @type {string} */ label, /** @type {object} */ more = {}) =>
    html`<${Field} form=${form} name=${name} label=${label} type="text" defaultValue=${user[name] ?? ""} ...${more} />`;
  const box = (/** @type {string} */ name, /** @type {string} */ label, /** @type {string} */ hint) =>
    html`<${Check} form=${form} name=${name} label=${label} hint=${hint} defaultChecked=${isOn(user[name])} />`;
  return html`
    <${Profile} user=${draft} isPreview />
    <div onInput=${preview}>
      <${Form} form=${form} button="Save">
        ${text("name", "Display name", { autocomplete: "name", dir: "auto" })}
        ${text("description", "About you", { isOptional: true, tag: "textarea", rows: 3, dir: "auto", hint: "Up to 500 characters." })}
        ${text("location", "Where you are", { isOptional: true, dir: "auto" })}
        ${text("url", "Your home page", { isOptional: true, type: "url", placeholder: "https://" })}
        ${text("lang", "Language you write in", { isOptional: true, hint: "As a short code: en, de, pt-br." })}
        ${text("profile_image_url", "Address of your picture", { isOptional: true, type: "url", placeholder: "https://" })}
        ${text("profile_background_image_url", "Address of the picture behind your page", { isOptional: true, type: "url", placeholder: "https://" })}
        ${box("profile_use_background_image", "Show the picture behind the page")} ${box("profile_background_tile", "Repeat it")}
        <fieldset>
          <legend>Colours</legend>
          ${Object.entries(colours).map(([name, label]) =>
            text(name, label, { type: "color", defaultValue: `#${user[name] || "808080"}` }),
          )}
        </fieldset>
        ${box("protected", "Protect my statuses", "Only those whom you approve can read them.")}
        ${box("geo_enabled", "My statuses may carry a place")}
      <//>
    </div>
  `;
}

/** @param {object} fields */
async function saveProfile(fields) {
  try {
    await write("UpdateProfile", fields);
  } catch (error) {
    // The reloaded profile has the version that the next save needs.
    if (error.status === 409) refresh();
    throw error;
  }
}

/** The values of the form, as fields of a user. @param {HTMLFormElement | null} form @returns {Record<string, string | boolean>} */
function asShown(form) {
  const fields = [...(form?.elements ?? [])].filter(
    (field) => field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement,
  );
  return Object.fromEntries(fields.map((field) => [field.name, shownValue(field)]));
}

/** @param {any} field */
function shownValue({ name, type, checked, value }) {
  if (type === "checkbox") return flags.includes(name) ? `${checked}` : checked;
  return type === "color" ? value.slice(1).toUpperCase() : value;
}

/** The fields that were changed here; another device may have changed others. @param {any} user @param {Record<string, any>} values */
function changesOf(user, values) {
  const shown = Object.entries(values).map(([name, value]) => [
    name,
    name in colours ? value.slice(1).toUpperCase() : value,
  ]);
  return Object.fromEntries(
    shown.filter(([name, value]) =>
      typeof value === "boolean" ? value !== isOn(user[name]) : value !== colourOf(name, user),
    ),
  );
}

/** @param {string} name @param {any} user */
function colourOf(name, user) {
  const value = user[name] ?? "";
  return name in colours ? (value || "808080").toUpperCase() : value;
}

/** @param {unknown} value */
function isOn(value) {
  return value === true || value === "true";
}
