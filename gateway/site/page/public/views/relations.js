import { People } from "../components/people.js";
import { html } from "../lib/html.js";
import { countPeople } from "../rules/count.js";
import { personHref } from "../rules/route.js";
import { listUsers } from "../state/relations.js";
import { findUsers } from "../state/users.js";

/** A user's followers, or the users whom they follow. @param {import("../rules/route.js").Route} route @param {AbortSignal} signal */
export async function showRelations({ view, user = "", cursor }, signal) {
  const isFollowers = view === "followers";
  const operation = isFollowers ? "SocialFollowers" : "SocialFriends";
  const [[found], page] = await Promise.all([
    findUsers([user], signal),
    listUsers(operation, { screenName: user, take: 50, cursor }, signal),
  ]);
  const name = found?.screen_name ?? user;
  const counted = found?.[isFollowers ? "followers_count" : "friends_count"] ?? 0;
  const none = counted === 0 ? "No one yet." : "The number came with an archive: none of them is here.";
  const title = isFollowers ? `Followers of @${name}` : `Who @${name} follows`;
  return {
    title,
    announcement: countPeople(page.people),
    body: html`
      <h1 tabindex="-1" class="title">${title}</h1>
      <p class="note"><a href=${personHref(name)}>Back to @${name}</a></p>
      <${People} ...${page} here=${`${personHref(name)}/${view}`} none=${none} />
    `,
  };
}
