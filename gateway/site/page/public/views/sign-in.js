import { signIn } from "../known/session.js";
import { go, known } from "../known/store.js";
import { html } from "../lib/html.js";
import { Field, Form, useForm } from "../parts/form.js";

/** The way in, and on to where the reader wanted to go. @param {import("../rules/place.js").Place} place */
export function showSignIn({ next = "/" }) {
  // Signed in by another tab, or by the back button.
  if (known.me !== undefined) return { title: "", news: "", body: "", href: next };
  return {
    title: "Sign in",
    news: "",
    body: html`
      <section aria-labelledby="sign-in-title">
        <h1 tabindex="-1" id="sign-in-title">Sign in</h1>
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
      <${Field}
        form=${form}
        name="userName"
        label="User name or e-mail"
        type="text"
        autocomplete="username"
        autocapitalize="none"
        spellcheck="false"
      />
      <${Field} form=${form} name="password" label="Password" type="password" autocomplete="current-password" />
    <//>
  `;
}
