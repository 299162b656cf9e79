import { useEffect, useState } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { errorText } from "../rules/error-text.js";
import { personHref, searchHref, signInHref } from "../rules/route.js";
import { ApiError } from "../state/api.js";
import { changeState, go, notify, useAppState } from "../state/app-state.js";
import { useNewMentions } from "../state/mentions.js";
import { signOut } from "../state/session.js";
import { findUsers } from "../state/users.js";
import { Avatar } from "./avatar.js";
import { Icon } from "./icon.js";
import { Menu } from "./menu.js";

/** The bar at the top of every view: the mark, the search, and what the user goes to. @param {{ route: import("../rules/route.js").Route }} props */
export function Header({ route }) {
  const { me, canSignIn } = useAppState();
  return html`
    <header>
      <div class="bar">
        <a class="brand" href="/" aria-label="Roost"><img src=${mark} alt="" width="28" height="28" /><span>Roost</span></a>
        <${SearchForm} q=${route.view === "search" ? route.q : ""} />
        ${me === undefined ? html`<${StrangerLinks} route=${route} canSignIn=${canSignIn} />` : html`<${OwnLinks} me=${me} view=${route.view} />`}
      </div>
    </header>
  `;
}

const mark = new URL("../favicon.svg", import.meta.url).pathname;

/** @param {{ q: string }} props */
function SearchForm({ q }) {
  const [text, setText] = useState(q);
  useEffect(() => setText(q), [q]);
  const search = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    go(searchHref(text.trim()));
  };
  return html`
    <search>
      <form id="find" class="find" novalidate onSubmit=${search}>
        <${Icon} name="search" />
        <input
          type="search"
          name="q"
          aria-label="Search"
          placeholder="Search"
          autocomplete="off"
          autocapitalize="none"
          enterkeyhint="search"
          maxlength="128"
          dir="auto"
          value=${text}
          onInput=${(/** @type {any} */ event) => setText(event.currentTarget.value)}
        />
      </form>
    </search>
  `;
}

/** @param {{ route: import("../rules/route.js").Route, canSignIn: boolean }} props */
function StrangerLinks({ route, canSignIn }) {
  const here = (/** @type {string} */ view) => (route.view === view ? "page" : undefined);
  return html`
    <nav aria-label="You">
      ${canSignIn && html`<a class="button quiet small" href=${here("sign-in") ? "/sign-in" : signInHref()} aria-current=${here("sign-in")}>Sign in</a>`}
      <a class="button small" href="/join" aria-current=${here("join")}>Register</a>
    </nav>
  `;
}

/** @param {{ me: import("../state/app-state.js").Me, view: string }} props */
function OwnLinks({ me, view }) {
  const mentions = useNewMentions(me.userId);
  const profile = useOwnProfile(me);
  const news = mentions > 99 ? "99+" : `${mentions}`;
  return html`
    <nav aria-label="You">
      <button type="button" class="write small" aria-label="Write" title="Write" onClick=${() => changeState({ writing: {} })}>
        <${Icon} name="write" /><span>Write</span>
      </button>
      <a class="icon-button" href="/" aria-label="Home" title="Home" aria-current=${view === "home" ? "page" : undefined}><${Icon} name="home" /></a>
      <a
        class="icon-button"
        href="/mentions"
        aria-label=${mentions === 0 ? "Mentions" : `Mentions, ${news} new`}
        title="Mentions"
        aria-current=${view === "mentions" ? "page" : undefined}
        ><${Icon} name="mentions" />${mentions > 0 && html`<span class="badge">${news}</span>`}</a
      >
      <${Menu} label="Your menu" class="icon-button face" items=${ownItems(me)}><${Avatar} user=${profile} /><//>
    </nav>
  `;
}

/** @param {import("../state/app-state.js").Me} me @returns {import("./menu.js").MenuItem[]} */
function ownItems(me) {
  return [
    { text: "Profile", icon: "person", href: personHref(me.userName) },
    { text: "Favourites", icon: "favourite", href: "/favourites" },
    { text: "Follow requests", icon: "requests", href: "/requests" },
    { text: "Settings", icon: "settings", href: "/settings" },
    { text: "Sign out", icon: "leave", act: leave },
  ];
}

/** The profile of the signed-in user; names alone until it is loaded. @param {import("../state/app-state.js").Me} me */
function useOwnProfile(me) {
  const [profile, setProfile] = useState(/** @type {any} */ (undefined));
  useEffect(() => {
    const ended = new AbortController();
    findUsers([me.userName], ended.signal).then(
      ([user]) => setProfile(user),
      () => {},
    );
    return () => ended.abort();
  }, [me]);
  return profile?.id === me.userId ? profile : { screen_name: me.userName, name: me.displayName };
}

async function leave() {
  try {
    await signOut();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return notify(`You are still signed in. ${errorText(error)}`, true);
  }
  go("/");
  notify("You are signed out.");
}
