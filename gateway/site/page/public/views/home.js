import { Composer } from "../components/composer.js";
import { Suggestions } from "../components/people.js";
import { Tabs } from "../components/tabs.js";
import { Timeline } from "../components/timeline.js";
import { html } from "../lib/html.js";
import { appState, useAppState } from "../state/app-state.js";
import { loadTimeline } from "../state/timelines.js";
import { findUsers, listSuggested } from "../state/users.js";

/** The first page: for a signed-in user those whom the user follows, for a stranger everybody. @param {import("../rules/route.js").Route} route @param {AbortSignal} signal */
export async function showHome(route, signal) {
  const { me } = appState;
  if (me === undefined) return showPublic(route, signal);
  const [part, [profile]] = await Promise.all([
    loadTimeline("SocialHome", {}, route.shown, signal),
    findUsers([me.userName], signal),
  ]);
  if (part === undefined) return showPublic(route, signal);
  const isNew = part.statuses.every(({ user }) => user.id === me.userId);
  const suggested = isNew ? await listSuggested(me, signal) : [];
  return {
    title: "",
    announcement: "",
    body: html`
      <h1 tabindex="-1" class="hidden">Home</h1>
      <${Tabs} label="Timelines" pages=${timelines} here="/" />
      ${profile === undefined && html`<p class="note">Your account is suspended: you can read, sign out and delete it.</p>`}
      <${Composer} key=${me.userId} />
      <${Suggestions} key=${`suggestions ${me.userId}`} users=${suggested} />
      <${Timeline} key=${`home ${me.userId}`} part=${part} label="Home" none=${noneAtHome} isFollowed />
    `,
  };
}

const timelines = { "/": "Following", "/everyone": "Everyone" };
const noneAtHome = "Nothing yet. What you write will be here, and what the people write whom you follow.";

/** What everybody says. @param {import("../rules/route.js").Route} route @param {AbortSignal} signal */
export async function showPublic({ shown }, signal) {
  const { me } = appState;
  const part = await loadTimeline("SocialPublic", {}, shown, signal);
  return {
    title: me === undefined ? "" : "Everyone",
    announcement: "",
    body: html`
      ${
        me === undefined
          ? html`<${Welcome} />`
          : html`
            <h1 tabindex="-1" class="hidden">Everyone</h1>
            <${Tabs} label="Timelines" pages=${timelines} here="/everyone" />
            <${Composer} key=${me.userId} />
          `
      }
      ${
        part !== undefined &&
        html`<${Timeline} key=${`public ${me?.userId}`} part=${part} label="The newest" none=${me === undefined ? noneYet : noneYetForMe} isFollowed />`
      }
    `,
  };
}

const noneYet = html`Nobody has said anything here yet. <a href="/join">Make an account</a> and write the first status.`;
const noneYetForMe = "Nobody has said anything here yet. Write the first status above: everybody will see it here.";

function Welcome() {
  const { canSignIn } = useAppState();
  return html`
    <div class="welcome">
      <h1 tabindex="-1">People, and what they say</h1>
      <p class="soft">Read along, search for what you care about, or join in.</p>
      <p class="calls">
        <a class="button" href="/join">Make an account</a>
        ${canSignIn && html`<a class="button quiet" href="/sign-in">Sign in</a>`}
      </p>
    </div>
  `;
}
