import { Composer } from "../components/composer.js";
import { Status } from "../components/status.js";
import { Timeline } from "../components/timeline.js";
import { html } from "../lib/html.js";
import { signInHref } from "../rules/route.js";
import { ApiError, read } from "../state/api.js";
import { appState } from "../state/app-state.js";
import { whenChecked } from "../state/session.js";
import { keyOf, loadTimeline } from "../state/timelines.js";
import { listStatuses } from "../state/users.js";

/** Statuses above one that are loaded; the first of them links to what it answers. */
const maxAbove = 10;

/** One status: what it answers above it, a form to reply and its answers below. @param {import("../rules/route.js").Route} route @param {AbortSignal} signal */
export async function showStatus({ user = "", id = "", shown }, signal) {
  const [status, replies] = await Promise.all([
    findStatus(user, id, signal),
    loadTimeline("SocialReplies", { screenName: user, id }, shown, signal).catch(noneRefused),
  ]);
  const above = await loadAbove(status, signal);
  const author = status.user;
  return {
    title: `${author.name || author.screen_name}: ${shorten(status.text)}`,
    announcement: "",
    body: html`
      <h1 tabindex="-1" class="hidden">${`A status of ${author.name || author.screen_name}`}</h1>
      ${
        above.length > 0 &&
        html`<ol class="statuses above" aria-label="What it answers">
        ${above.map((each) => html`<li key=${keyOf(each)}><${Status} status=${each} author=${each.user} /></li>`)}
      </ol>`
      }
      <${Status} key=${keyOf(status)} status=${status} author=${author} isMain />
      ${
        appState.me === undefined
          ? appState.canSignIn && html`<p class="note"><a href=${signInHref()}>Sign in</a> to answer.</p>`
          : html`<${Composer} key=${`${appState.me.userId}.${keyOf(status)}`} reply=${{ status, author }} />`
      }
      ${replies !== undefined && html`<h2 class="hidden">Answers</h2><${Timeline} key=${keyOf(status)} part=${replies} label="Answers" none="No answers yet." />`}
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

/** Undefined where the status itself is refused: that is said instead. @param {unknown} error */
function noneRefused(error) {
  if (error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429) return undefined;
  throw error;
}

/** The statuses that a status answers, the first one first; up to one that is gone or not for the viewer. @param {any} status @param {AbortSignal} signal @returns {Promise<any[]>} */
async function loadAbove(status, signal) {
  const above = [];
  while (above.length < maxAbove) {
    const {
      in_reply_to_screen_name: user,
      in_reply_to_status_id: id,
      in_reply_to_user_id: userId,
    } = above[0] ?? status;
    // Without a user id the author is unknown here: who has that name here is another one.
    if (!user || !userId || id === undefined) break;
    const answered = await findStatus(user, `${id}`, signal).catch(noneRefused);
    if (answered === undefined) break;
    above.unshift(answered);
  }
  return above;
}

/** @param {string} text */
function shorten(text) {
  const points = [...text];
  return points.length > 60 ? `${points.slice(0, 59).join("")}…` : text;
}
