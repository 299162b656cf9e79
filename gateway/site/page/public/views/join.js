import { Check, Field, Form, NewPasswordField, UserNameField, useForm } from "../components/form.js";
import { html } from "../lib/html.js";
import { errorText } from "../rules/error-text.js";
import { personHref } from "../rules/route.js";
import { ApiError, isOutcomeUnknown } from "../state/api.js";
import { go, notify, useAppState } from "../state/app-state.js";
import { register } from "../state/session.js";

/** The registration form. */
export function showJoin() {
  return {
    title: "Make an account",
    announcement: "",
    body: html`
      <section class="text" aria-labelledby="register-title">
        <h1 tabindex="-1" class="title" id="register-title">Make an account</h1>
        <${RegisterForm} />
        <${SignInLink} />
      </section>
    `,
  };
}

function SignInLink() {
  const { canSignIn } = useAppState();
  return canSignIn && html`<p class="aside">You have one already? <a href="/sign-in">Sign in</a>.</p>`;
}

function RegisterForm() {
  const form = useForm("register", async ({ autoLogin, invitation, ...texts }) => {
    const given = Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== ""));
    const { userName, trouble } = await register({ ...given, autoLogin }, invitation.trim()).catch(explain);
    go(personHref(userName));
    if (trouble === undefined) notify(`Welcome, ${userName}. The account is made.`);
    else notify(`The account is made. ${trouble}`, true);
  });
  return html`
    <${Form} form=${form} button="Register">
      <${UserNameField}
        form=${form}
        label="User name"
        hint="Letters, digits, dots, dashes and underscores; up to 36. Your page gets this name."
      />
      <${Field} form=${form} name="displayName" label="Display name" isOptional type="text" autocomplete="name" dir="auto" />
      <${Field} form=${form} name="email" label="E-mail" isOptional type="email" autocomplete="email" />
      <${NewPasswordField} form=${form} name="password" label="Password" />
      <${Field}
        form=${form}
        name="invitation"
        label="Invitation"
        isOptional
        hint="Only where this place asks for one."
        type="text"
        autocomplete="off"
        spellcheck="false"
        defaultValue=${new URLSearchParams(location.hash.slice(1)).get("invitation") ?? ""}
      />
      <${Check} form=${form} name="autoLogin" label="Sign me in on this device" defaultChecked />
    <//>
  `;
}

/**
 * Says when the account may be made. Without both, the operation misses a name and an address; the form asks for the name.
 * @param {unknown} error @returns {never}
 */
function explain(error) {
  if (navigator.onLine && isOutcomeUnknown(error)) {
    const message = `${errorText(error)} It is not certain whether the account was made: try to sign in with it first.`;
    throw new ApiError(0, { message });
  }
  if (error instanceof ApiError)
    error.fields = error.fields.filter((field) => field.fieldName !== "email" || field.errorCode !== "NotEmpty");
  throw error;
}
