import { Composer } from "../components/composer.js";
import { PublicTimeline } from "../components/public-timeline.js";
import { Status } from "../components/status.js";
import { html } from "../lib/html.js";
import { count } from "../rules/count.js";
import { ApiError } from "../state/api.js";
import { appState, useAppState } from "../state/app-state.js";
import { loadPublic, publicPageSize } from "../state/public-timeline.js";
import { hiddenFromMe, listUsers } from "../state/relations.js";
import { findUsers } from "../state/users.js";

const maxStatuses = 12;

/**
 * The home page: the newest statuses of everybody; for a signed-in user also a form to write and the latest of those whom the user follows.
 * @param {import("../rules/route.js").Route} route @param {AbortSignal} signal
 */
export async function showHome({ shown }, signal) {
  const { me } = appState;
  const [newest, friends, hidden] = await Promise.all([
    loadPublic(Math.max(shown, publicPageSize), signal),
    friendsOf(me, signal),
    hiddenFromMe(),
  ]);
  const isHidden = (/** @type {any} */ { id }) => hidden.blocked.has(id) || hidden.muted.has(id);
  const title =
    me === undefined
      ? "People, and what they say"
      : html`Hello, <span dir="auto">${me.displayName || me.userName}</span>`;
  return {
    title: "",
    announcement: shown > 0 && newest !== undefined ? count(newest.statuses.length, "status", "statuses") : "",
    body: html`
      <h1 tabindex="-1">${title}</h1>
      ${me === undefined ? html`<${Welcome} />` : html`<${Composer} key=${me.userId} />`}
      ${friends === undefined && html`<p class="note">Your account is suspended: you can read, sign out and delete it.</p>`}
      ${
        friends !== undefined &&
        friends.length > 0 &&
        html`<${Latest} users=${friends.filter((user) => !isHidden(user))} />`
      }
      ${newest !== undefined && html`<${PublicTimeline} ...${newest} none=${me === undefined ? noneYet : noneYetForMe} />`}
    `,
  };
}

const noneYet = html`Nobody has said anything here yet. <a href="/join">Make an account</a> and write the first status.`;
const noneYetForMe = "Nobody has said anything here yet. Write the first status above: everybody will see it here.";

function Welcome() {
  const { canSignIn } = useAppState();
  return html`
    <p class="lead">Look a person up by name, read what they say, or join in.</p>
    <p class="calls">
      <a class="button" href="/join">Make an account</a>
      ${canSignIn && html`<a class="button quiet" href="/sign-in">Sign in</a>`}
    </p>
  `;
}

/** The latest status of each user whom the signed-in user follows, and of the user; the newest first. @param {{ users: any[] }} props */
function Latest({ users }) {
  const said = users.filter(({ status }) => status !== undefined).sort((a, b) => b.status.id - a.status.id);
  return html`
    <section aria-label="You and those you follow">
      <h2>You and those you follow</h2>
      ${
        said.length === 0
          ? html`<p class="note">Nothing yet. Whom you follow is here, with what they said last.</p>`
          : html`<ol class="statuses">
          ${said
            .slice(0, maxStatuses)
            .map(
              (user) => html`<li key=${user.status.id}><${Status} status=${user.status} author=${user} isNamed /></li>`,
            )}
        </ol>`
      }
    </section>
  `;
}

/**
 * The users whom the signed-in user follows, and the user. Undefined when the user is suspended.
 * @param {import("../state/app-state.js").Me | undefined} me @param {AbortSignal} signal @returns {Promise<any[] | undefined>}
 */
async function friendsOf(me, signal) {
  if (me === undefined) return [];
  try {
    const [friends, own] = await Promise.all([
      listUsers("SocialFriends", { screenName: me.userName, take: 100 }, signal),
      findUsers([me.userName], signal),
    ]);
    return [...own, ...friends.people];
  } catch (error) {
    if (error instanceof ApiError && error.code === "Suspended") return undefined;
    throw error;
  }
}
