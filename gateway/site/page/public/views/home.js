import { findUsers } from "../known/people.js";
import { listPeople } from "../known/relations.js";
import { namesToShow } from "../known/seen.js";
import { known } from "../known/store.js";
import { html } from "../lib/html.js";
import { Composer } from "../parts/composer.js";
import { Person } from "../parts/person.js";
import { Status } from "../parts/status.js";

/** How many of each are shown. */
const mostStatuses = 12;
const mostPeople = 6;

/** The start: what goes on here; for a person who is signed in, a place to write and what those say whom they follow. @param {import("../rules/place.js").Place} _place @param {AbortSignal} signal */
export async function showHome(_place, signal) {
  const { me } = known;
  const [town, friends] = await Promise.all([
    findUsers(namesToShow(), signal),
    me === undefined ? [] : friendsOf(me, signal),
  ]);
  const followed = new Set(friends.map(({ id }) => id));
  return {
    title: "",
    news: "",
    body: html`
      <h1 tabindex="-1">${me === undefined ? "People, and what they say" : html`Hello, <span dir="auto">${me.displayName || me.userName}</span>`}</h1>
      ${me === undefined ? html`<${Welcome} />` : html`<${Composer} />`}
      ${me !== undefined && html`<${Latest} title="The latest of those you follow" users=${friends} none="You follow no one who has said anything yet." />`}
      <${Latest}
        title="Around town"
        users=${town.filter(({ id }) => !followed.has(id))}
        none=${me === undefined && town.length === 0 ? "It is quiet here. Make an account and be the first." : ""}
      />
      <${Newest} users=${town} />
    `,
  };
}

function Welcome() {
  return html`
    <p class="lead">Look a person up by name, read what they say, or join in.</p>
    <p class="calls">
      <a class="button" href="/join">Make an account</a> ${known.canSignIn && html`<a class="button quiet" href="/sign-in">Sign in</a>`}
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
      <ol class="statuses">
        ${said.slice(0, mostStatuses).map((user) => html`<li key=${user.status.id}><${Status} status=${user.status} author=${user} isNamed /></li>`)}
      </ol>
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

/** Those whom one follows, and oneself: what one wrote is news, too. @param {import("../known/store.js").Me} me @param {AbortSignal} signal */
async function friendsOf(me, signal) {
  const [friends, own] = await Promise.all([
    listPeople("SocialFriends", { screenName: me.userName, take: 100 }, signal),
    findUsers([me.userName], signal),
  ]);
  return [...own, ...friends.people];
}
