import { ask } from "../known/api.js";
import { endSession, signOut, writeWithPassword } from "../known/session.js";
import { go, known, refresh, say } from "../known/store.js";
import { useState } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { Action } from "../parts/action.js";
import { Dialog } from "../parts/dialog.js";
import { Field, Form, useForm } from "../parts/form.js";
import { Moment } from "../parts/moment.js";
import { SettingsNav } from "../parts/settings-nav.js";

/** The account: where it is signed in, its password, signing out, and its end. @param {import("../rules/place.js").Place} place @param {AbortSignal} signal */
export async function showAccount({ view }, signal) {
  const { results } = await ask("Sessions", {}, signal);
  return {
    title: "Your account",
    news: "",
    body: html`
      <${SettingsNav} view=${view} />
      <h1 tabindex="-1">Your account</h1>
      <${Sessions} sessions=${results} />
      <section aria-labelledby="password-title">
        <h2 id="password-title">Change the password</h2>
        <${PasswordForm} />
      </section>
      <${Deletion} />
    `,
  };
}

/** @param {{ sessions: { created_at: string, expires_at: string, current: boolean }[] }} props */
function Sessions({ sessions }) {
  const leave = async () => {
    await signOut();
    go("/");
    say("You are signed out.");
  };
  return html`
    <section aria-labelledby="sessions-title">
      <h2 id="sessions-title">Where you are signed in</h2>
      <ul class="sessions">
        ${sessions.map(
          (session) => html`
            <li>
              ${session.current ? html`<strong>Here</strong>, ` : ""}since <${Moment} text=${session.created_at} />, until
              <span> </span><${Moment} text=${session.expires_at} /> at the latest
            </li>
          `,
        )}
      </ul>
      <p class="hint">A new password signs you out everywhere but here.</p>
      <p class="aside"><${Action} act=${leave}>Sign out<//></p>
    </section>
  `;
}

function PasswordForm() {
  const form = useForm("password", async ({ oldPassword, newPassword }, element) => {
    await writeWithPassword("ChangePassword", { oldPassword, newPassword }, "oldPassword");
    element.reset();
    say("The password is changed. You are signed out everywhere but here.");
    refresh();
  });
  return html`
    <${Form} form=${form} button="Change the password">
      <span class="hidden" aria-hidden="true">
        <input type="text" autocomplete="username" value=${known.me?.userName} readonly tabindex="-1" />
      </span>
      <${Field} form=${form} name="oldPassword" label="Present password" type="password" autocomplete="current-password" />
      <${Field}
        form=${form}
        name="newPassword"
        label="New password"
        hint="At least 8 characters."
        type="password"
        autocomplete="new-password"
      />
    <//>
  `;
}

function Deletion() {
  const [isAsking, setAsking] = useState(false);
  const form = useForm("delete", async ({ password }) => {
    await writeWithPassword("DeleteAccount", { password }, "password");
    endSession();
    go("/");
    say("Your account is deleted.");
  });
  return html`
    <section aria-labelledby="delete-title">
      <h2 id="delete-title">Delete the account</h2>
      <p>Your profile, and all that you have said, goes away for good.</p>
      <p class="aside"><button type="button" class="danger" onClick=${() => setAsking(true)}>Delete the account…</button></p>
      ${
        isAsking &&
        html`
        <${Dialog} title="Delete your account?" close=${() => setAsking(false)}>
          <p>This cannot be undone.</p>
          <${Form} form=${form} button="Delete it for good">
            <${Field} form=${form} name="password" label="Your password" type="password" autocomplete="current-password" />
          <//>
        <//>
      `
      }
    </section>
  `;
}
