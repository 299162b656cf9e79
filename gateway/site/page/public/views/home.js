import { Composer } from "../components/composer.js";
import { Person } from "../components/person.js";
import { Status } from "../components/status.js";
import { html } from "../lib/html.js";
import { ApiError } from "../state/api.js";
import { appState, useAppState } from "../state/app-state.js";
import { namesToSuggest } from "../state/recent-names.js";
import { listUsers, loadHidden } from "../state/relations.js";
import { findUsers } from "../state/users.js";

const maxStatuses = 12;
const maxPeople = 6;

/**
 * The home page: the latest statuses; for a signed-in user also a form to write and the statuses of those whom the user follows.
 * @param {import("../rules/route.js").Route} _route @param {AbortSignal} signal
 */
export async function showHome(_route, signal) {
  const { me } = appState;
  const [all, friends, isHidden] = await Promise.all([
    findUsers(namesToSuggest(), signal),
    friendsOf(me, signal),
    hiddenFrom(me),
  ]);
  const visible = all.filter((user) => !isHidden(user));
  const followed = new Set(friends?.map(({ id }) => id));
  const others = visible.filter(({ id }) => !followed.has(id));
  const title =
    me === undefined
      ? "People, and what they say"
      : html`Hello, <span dir="auto">${me.displayName || me.userName}</span>`;
  return {
    title: "",
    announcement: "",
    body: html`
      <h1 tabindex="-1">${title}</h1>
      ${me === undefined ? html`<${Welcome} />` : html`<${Composer} key=${me.userId} />`}
      ${friends === undefined && html`<p class="note">Your account is suspended: you can read, sign out and delete it.</p>`}
      ${
        me !== undefined &&
        friends !== undefined &&
        html`<${Latest}
        title="The latest of those you follow"
        users=${friends.filter((user) => !isHidden(user))}
        none="You follow no one who has said anything yet."
      />`
      }
      <${Latest}
        title="Around town"
        users=${others}
        none=${me === undefined && visible.length === 0 ? "It is quiet here. Make an account and be the first." : ""}
      />
      <${Newest} users=${visible} />
    `,
  };
}

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

/** The latest status of each user, the newest first. @param {{ title: string, users: any[], none: string }} props */
function Latest({ title, users, none }) {
  const said = users.filter(({ status }) => status !== undefined).sort((a, b) => b.status.id - a.status.id);
  if (said.length === 0 && none === "") return undefined;
  return html`
    <section aria-label=${title}>
      <h2>${title}</h2>
      ${said.length === 0 && html`<p class="note">${none}</p>`}
      ${
        said.length > 0 &&
        html`<ol class="statuses">
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

/** @param {{ users: any[] }} props */
function Newest({ users }) {
  const newest = users.toSorted((a, b) => Number(b.id) - Number(a.id)).slice(0, maxPeople);
  if (newest.length === 0) return undefined;
  return html`
    <section aria-label="People">
      <h2>People</h2>
      <ul class="people">
        ${newest.map((user) => html`<li key=${user.id}><${Person} user=${user} level=${3} /></li>`)}
      </ul>
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

/** Tells whether the signed-in user blocks or mutes a user; false for all where the lists cannot be loaded. @param {import("../state/app-state.js").Me | undefined} me @returns {Promise<(user: any) => boolean>} */
async function hiddenFrom(me) {
  if (me === undefined) return () => false;
  const { blocked, muted } = await loadHidden().catch(() => ({ blocked: new Set(), muted: new Set() }));
  return ({ id }) => blocked.has(id) || muted.has(id);
}
