import { ApiError } from "../known/api.js";
import { findUsers } from "../known/people.js";
import { listPeople, loadHidden } from "../known/relations.js";
import { namesToShow } from "../known/seen.js";
import { known, useKnown } from "../known/store.js";
import { html } from "../lib/html.js";
import { Composer } from "../parts/composer.js";
import { Person } from "../parts/person.js";
import { Status } from "../parts/status.js";

/** How many of each are shown. */
const mostStatuses = 12;
const mostPeople = 6;

/**
 * The start: what goes on here; for a person who is signed in, a place to write and what those say whom they follow.
 * @param {import("../rules/place.js").Place} _place @param {AbortSignal} signal
 */
export async function showHome(_place, signal) {
  const { me } = known;
  const [all, friends, isHidden] = await Promise.all([
    findUsers(namesToShow(), signal),
    friendsOf(me, signal),
    hiddenFrom(me),
  ]);
  const town = all.filter((user) => !isHidden(user));
  const followed = new Set(friends?.map(({ id }) => id));
  const others = town.filter(({ id }) => !followed.has(id));
  const title =
    me === undefined
      ? "People, and what they say"
      : html`Hello, <span dir="auto">${me.displayName || me.userName}</span>`;
  return {
    title: "",
    news: "",
    body: html`
      <h1 tabindex="-1">${title}</h1>
      ${me === undefined ? html`<${Welcome} />` : html`<${Composer} />`}
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
        none=${me === undefined && town.length === 0 ? "It is quiet here. Make an account and be the first." : ""}
      />
      <${Newest} users=${town} />
    `,
  };
}

function Welcome() {
  const { canSignIn } = useKnown();
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
          .slice(0, mostStatuses)
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
  const newest = users.toSorted((a, b) => Number(b.id) - Number(a.id)).slice(0, mostPeople);
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
 * Those whom one follows, and oneself: what one wrote is news, too. Undefined when one is suspended.
 * @param {import("../known/store.js").Me | undefined} me @param {AbortSignal} signal @returns {Promise<any[] | undefined>}
 */
async function friendsOf(me, signal) {
  if (me === undefined) return [];
  try {
    const [friends, own] = await Promise.all([
      listPeople("SocialFriends", { screenName: me.userName, take: 100 }, signal),
      findUsers([me.userName], signal),
    ]);
    return [...own, ...friends.people];
  } catch (error) {
    if (error instanceof ApiError && error.code === "Suspended") return undefined;
    throw error;
  }
}

/** Whether a user is blocked or muted by the reader. No one is while that cannot be found out. @param {import("../known/store.js").Me | undefined} me @returns {Promise<(user: any) => boolean>} */
async function hiddenFrom(me) {
  if (me === undefined) return () => false;
  const { blocked, muted } = await loadHidden().catch(() => ({ blocked: new Set(), muted: new Set() }));
  return ({ id }) => blocked.has(id) || muted.has(id);
}
