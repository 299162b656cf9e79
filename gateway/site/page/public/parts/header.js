import { namesToShow } from "../known/seen.js";
import { go, useKnown } from "../known/store.js";
import { useEffect, useState } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { findHref, personHref, screenNames, signInHref } from "../rules/place.js";

/** The top of every view: the way home, the search, and the way to one's own things. @param {{ place: import("../rules/place.js").Place }} props */
export function Header({ place }) {
  return html`
    <header>
      <a class="brand" href="/">Roost</a>
      <${FindForm} place=${place} />
      <${Ways} place=${place} />
    </header>
  `;
}

/** @param {{ place: import("../rules/place.js").Place }} props */
function Ways({ place }) {
  const { me, canSignIn } = useKnown();
  const way = (/** @type {string} */ href, /** @type {string} */ text, /** @type {boolean} */ isHere) =>
    html`<li><a href=${href} aria-current=${isHere ? "page" : undefined}>${text}</a></li>`;
  const isMine = place.user?.toLowerCase() === me?.userName.toLowerCase() && place.view === "person";
  return html`
    <nav aria-label="You">
      <ul class="ways">
        ${
          me !== undefined
            ? html`
              ${way(personHref(me.userName), "My page", isMine)} ${way("/requests", "Requests", place.view === "requests")}
              ${way("/settings", "Settings", place.view.startsWith("settings"))}
            `
            : html`
              ${canSignIn && way(place.view === "sign-in" ? "/sign-in" : signInHref(), "Sign in", place.view === "sign-in")}
              ${way("/join", "Make an account", place.view === "join")}
            `
        }
      </ul>
    </nav>
  `;
}

/** @param {{ place: import("../rules/place.js").Place }} props */
function FindForm({ place }) {
  const [text, setText] = useState("");
  const [error, setError] = useState("");
  const looked = place.find.join(", ");
  useEffect(() => {
    setText(looked);
    setError("");
  }, [looked, place]);
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
        <datalist id="find-known">${namesToShow().map((name) => html`<option value=${name} />`)}</datalist>
        <p class="hint" id="find-hint">One name, or several with commas between them.</p>
        <p class="error" id="find-error">${error}</p>
      </form>
    </search>
  `;
}
