import { useEffect, useState } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { findHref, personHref, screenNames, signInHref } from "../rules/route.js";
import { go, notify, useAppState } from "../state/app-state.js";
import { recentNames } from "../state/recent-names.js";
import { signOut } from "../state/session.js";
import { Action } from "./action.js";

/** The top of every view: the link home, the search and the links of the user. @param {{ route: import("../rules/route.js").Route }} props */
export function Header({ route }) {
  return html`
    <header>
      <a class="brand" href="/">Roost</a>
      <${FindForm} route=${route} />
      <${AccountLinks} route=${route} />
    </header>
  `;
}

/** @param {{ route: import("../rules/route.js").Route }} props */
function AccountLinks({ route }) {
  const { me, canSignIn } = useAppState();
  const link = (/** @type {string} */ href, /** @type {string} */ text, /** @type {boolean} */ isHere) =>
    html`<li><a href=${href} aria-current=${isHere ? "page" : undefined}>${text}</a></li>`;
  const isMine = route.user?.toLowerCase() === me?.userName.toLowerCase() && route.view === "person";
  return html`
    <nav aria-label="You">
      <ul class="ways">
        ${
          me !== undefined
            ? html`
              ${link(personHref(me.userName), "My page", isMine)} ${link("/requests", "Requests", route.view === "requests")}
              ${link("/settings", "Settings", route.view.startsWith("settings"))}
              <li><${Action} isQuiet act=${leave}>Sign out<//></li>
            `
            : html`
              ${canSignIn && link(route.view === "sign-in" ? "/sign-in" : signInHref(), "Sign in", route.view === "sign-in")}
              ${link("/join", "Make an account", route.view === "join")}
            `
        }
      </ul>
    </nav>
  `;
}

async function leave() {
  await signOut();
  go("/");
  notify("You are signed out.");
}

/** @param {{ route: import("../rules/route.js").Route }} props */
function FindForm({ route }) {
  const [text, setText] = useState("");
  const [error, setError] = useState("");
  const looked = route.find.join(", ");
  useEffect(() => {
    setText(looked);
    setError("");
  }, [looked, route]);
  const find = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const [first, ...more] = screenNames(text);
    if (first !== undefined) return go(more.length === 0 ? personHref(first) : findHref([first, ...more]));
    setError("Write at least one user name.");
    document.getElementById("find-names")?.focus();
  };
  return html`
    <search>
      <form id="find" novalidate onSubmit=${find}>
        <label for="find-names">Find people by user name</label>
        <div class="row">
          <input
            id="find-names"
            type="text"
            list="find-known"
            autocomplete="off"
            autocapitalize="none"
            spellcheck="false"
            dir="auto"
            aria-describedby="find-hint find-error"
            aria-invalid=${error === "" ? undefined : "true"}
            value=${text}
            onInput=${(/** @type {any} */ event) => setText(event.currentTarget.value)}
          />
          <button>Find</button>
        </div>
        <datalist id="find-known">${recentNames().map((name) => html`<option value=${name} />`)}</datalist>
        <p class="hint" id="find-hint">One name, or several with commas between them.</p>
        <p class="error" id="find-error">${error}</p>
      </form>
    </search>
  `;
}
