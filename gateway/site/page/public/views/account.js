import { Dialog } from "../components/dialog.js";
import { Field, Form, NewPasswordField, useForm } from "../components/form.js";
import { SettingsTabs } from "../components/tabs.js";
import { Time } from "../components/time.js";
import { useState } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { ask } from "../state/api.js";
import { appState, go, notify, refresh } from "../state/app-state.js";
import { endSession, writeWithPassword } from "../state/session.js";

/** The account settings: sessions, password and deletion. @param {import("../rules/route.js").Route} route @param {AbortSignal} signal */
export async function showAccount({ view }, signal) {
  const { results } = await ask("Sessions", {}, signal);
  return {
    title: "Your account",
    announcement: "",
    body: html`
      <${SettingsTabs} view=${view} />
      <h1 tabindex="-1" class="title">Your account</h1>
      <${Sessions} sessions=${results} />
      <section class="text" aria-labelledby="password-title">
        <h2 id="password-title">Change the password</h2>
        <${PasswordForm} />
      </section>
      <${Deletion} />
    `,
  };
}

/** @param {{ sessions: { created_at: string, expires_at: string, current: boolean }[] }} props */
function Sessions({ sessions }) {
  return html`
    <section class="text" aria-labelledby="sessions-title">
      <h2 id="sessions-title">Where you are signed in</h2>
      <ul class="sessions">
        ${sessions.map(
          (session) => html`
            <li>
              ${session.current ? html`<strong>Here</strong>, ` : ""}since <${Time} text=${session.created_at} />, until
              <span> </span><${Time} text=${session.expires_at} /> at the latest
            </li>
          `,
        )}
      </ul>
      <p class="hint">A new password signs you out everywhere but here.</p>
    </section>
  `;
}

function PasswordForm() {
  const form = useForm("password", async ({ oldPassword, newPassword }, element, say) => {
    await writeWithPassword("ChangePassword", { oldPassword, newPassword }, "oldPassword");
    element.reset();
    say("The password is changed. You are signed out everywhere but here.");
    refresh();
  });
  return html`
    <${Form} form=${form} button="Change the password">
      <span class="hidden" aria-hidden="true">
        <input type="text" autocomplete="username" value=${appState.me?.userName} readonly tabindex="-1" />
      </span>
      <${Field} form=${form} name="oldPassword" label="Present password" type="password" autocomplete="current-password" />
      <${NewPasswordField} form=${form} name="newPassword" label="New password" />
    <//>
  `;
}

function Deletion() {
  const [isAsking, setAsking] = useState(false);
  const form = useForm("delete", async ({ password }) => {
    await writeWithPassword("DeleteAccount", { password }, "password");
    endSession();
    go("/");
    notify("Your account is deleted.");
  });
  return html`
    <section class="text" aria-labelledby="delete-title">
      <h2 id="delete-title">Delete the account</h2>
      <p>Your profile and all your statuses are deleted for good.</p>
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
