import { Field, Form, UserNameField, useForm } from "../components/form.js";
import { html } from "../lib/html.js";
import { appState, go } from "../state/app-state.js";
import { signIn } from "../state/session.js";

/** The sign-in form. It leads on to the address in `next`. @param {import("../rules/route.js").Route} route */
export function showSignIn({ next = "/" }) {
  // Signed in already: by another tab, or the user came back.
  if (appState.me !== undefined) return { title: "", announcement: "", body: "", href: next };
  return {
    title: "Sign in",
    announcement: "",
    body: html`
      <section class="text" aria-labelledby="sign-in-title">
        <h1 tabindex="-1" class="title" id="sign-in-title">Sign in</h1>
        <${SignInForm} next=${next} />
        <p class="aside">You have no account yet? <a href="/join">Make one</a>.</p>
      </section>
    `,
  };
}

/** @param {{ next: string }} props */
function SignInForm({ next }) {
  const form = useForm("sign-in", async ({ userName, password }) => {
    await signIn({ userName, password });
    go(next);
  });
  return html`
    <${Form} form=${form} button="Sign in">
      <${UserNameField} form=${form} label="User name or e-mail" />
      <${Field} form=${form} name="password" label="Password" type="password" autocomplete="current-password" />
    <//>
  `;
}
