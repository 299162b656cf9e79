import { Composer } from "../components/composer.js";
import { Person } from "../components/person.js";
import { Status } from "../components/status.js";
import { useEffect, useRef } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { signInHref } from "../rules/route.js";
import { read } from "../state/api.js";
import { appState } from "../state/app-state.js";
import { whenChecked } from "../state/session.js";
import { listStatuses } from "../state/users.js";

/** One status, a form to reply, and its author. @param {import("../rules/route.js").Route} route @param {AbortSignal} signal */
export async function showStatus({ user = "", id = "" }, signal) {
  const status = await findStatus(user, id, signal);
  const author = status.user;
  const title = `${author.name || author.screen_name}: ${shorten(status.text)}`;
  return {
    title,
    announcement: "",
    body: html`
      <h1 tabindex="-1" class="hidden">${`A status of ${author.name || author.screen_name}`}</h1>
      <${Status} status=${status} author=${author} isNamed />
      ${
        appState.me === undefined
          ? appState.canSignIn && html`<p class="aside"><a href=${signInHref()}>Sign in</a> to answer.</p>`
          : html`<${ReplyForm} status=${status} author=${author} />`
      }
      <${Person} user=${author} />
    `,
  };
}

/** Reads a status. A gateway that serves the interface alone has timelines, but no single status. @param {string} user @param {string} id @param {AbortSignal} signal */
async function findStatus(user, id, signal) {
  try {
    return (await read(`/social/${encodeURIComponent(user)}/timelines/${id}`, signal)).results[0];
  } catch (error) {
    if (error.status !== 404) throw error;
    await whenChecked();
    if (appState.canSignIn) throw error;
    const [status] = await listStatuses(user, { maxId: id, take: 1 }, signal);
    if (`${status?.id}` !== id) throw error;
    return status;
  }
}

/** @param {{ status: any, author: any }} props */
function ReplyForm({ status, author }) {
  const element = useRef(/** @type {HTMLElement | null} */ (null));
  // The link "Reply" has ?reply: it focuses the field.
  useEffect(() => {
    if (new URLSearchParams(location.search).has("reply")) element.current?.querySelector("textarea")?.focus();
  }, [status.id, location.search]);
  return html`<div ref=${element}><${Composer} key=${`${appState.me?.userId}.${status.id}`} reply=${{ status, author }} /></div>`;
}

/** @param {string} text */
function shorten(text) {
  const points = [...text];
  return points.length > 60 ? `${points.slice(0, 59).join("")}…` : text;
}
