import { useEffect, useRef, useState } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { count } from "../rules/count.js";
import { errorText } from "../rules/error-text.js";
import { statusHref } from "../rules/route.js";
import { write } from "../state/api.js";
import { appState, notify } from "../state/app-state.js";
import { deleteLater } from "../state/deletions.js";
import { Report } from "./report.js";
import { Said, useControl } from "./said.js";

/** The actions on a status: reply, repost, favourite; delete on the user's own, report on others. @param {{ status: any, author: any }} props */
export function Marks({ status, author }) {
  const { me } = appState;
  const control = useControl();
  const [marks, toggle] = useMarks(status, author, control);
  const reposts = Number(marks.retweet_count) || 0;
  const shown = reposts === 0 ? "" : html` <span class="count">${count(reposts, "repost", "reposts")}</span>`;
  if (me === undefined) return shown && html`<p class="marks">${shown}</p>`;
  const isMine = author.id === me.userId;
  return html`
    <ul class="marks" aria-label="What you can do with it">
      <li><a href=${`${statusHref(author.screen_name, status.id)}?reply`}>Reply</a></li>
      ${
        (!author.protected || marks.retweeted) &&
        html`<li>
        <button type="button" class="mark-button" aria-pressed=${`${marks.retweeted}`} onClick=${() => toggle("retweeted")}>
          Repost</button
        >${shown}
      </li>`
      }
      <li>
        <button type="button" class="mark-button" aria-pressed=${`${marks.favorited}`} onClick=${() => toggle("favorited")}>
          Favourite
        </button>
      </li>
      ${!isMine && html`<${ReportButton} status=${status} author=${author} />`}
      ${
        isMine &&
        html`<li><button type="button" class="mark-button" onClick=${() => deleteLater(status)}>Delete</button></li>`
      }
    </ul>
    <${Said} control=${control} />
  `;
}

/** @param {{ status: any, author: any }} props */
function ReportButton({ status, author }) {
  const [isOpen, setOpen] = useState(false);
  return html`
    <li>
      <button type="button" class="mark-button" onClick=${() => setOpen(true)}>Report</button>
      ${isOpen && html`<${Report} user=${author} status=${status} close=${() => setOpen(false)} />`}
    </li>
  `;
}

/**
 * The marks of a status. A change shows at once, before the reply; changes are sent one after the other, and the last one counts.
 * @param {any} status @param {any} author @param {string} control where a failure is said
 */
function useMarks(status, author, control) {
  const [marks, setMarks] = useState(status);
  const queue = useRef(Promise.resolve());
  const wanted = useRef(status);
  const unsent = useRef(0);
  useEffect(() => {
    // A status that was read before the change was stored would undo it on the screen.
    if (unsent.current > 0 && wanted.current.id === status.id) return;
    wanted.current = status;
    setMarks(status);
  }, [status]);

  const toggle = (/** @type {"retweeted" | "favorited"} */ mark) => {
    const isOn = !wanted.current[mark];
    const step = mark === "retweeted" ? (isOn ? 1 : -1) : 0;
    wanted.current = { ...wanted.current, [mark]: isOn, retweet_count: Number(wanted.current.retweet_count) + step };
    setMarks(wanted.current);
    unsent.current += 1;
    queue.current = queue.current.then(async () => {
      try {
        const fields = { screenName: author.screen_name, id: status.id, [mark]: isOn };
        const { results } = await write("MarkStatus", fields);
        // A later change is already shown.
        if (wanted.current[mark] === isOn)
          setMarks((wanted.current = { ...wanted.current, ...marksOf(mark, results[0]) }));
      } catch (error) {
        wanted.current = {
          ...wanted.current,
          [mark]: !isOn,
          retweet_count: Number(wanted.current.retweet_count) - step,
        };
        setMarks(wanted.current);
        notify(`That did not work. ${errorText(error)}`, true, control);
      } finally {
        unsent.current -= 1;
      }
    });
  };
  return /** @type {const} */ ([marks, toggle]);
}

/** The fields of one mark in a reply: the other mark may have changed meanwhile. @param {"retweeted" | "favorited"} mark @param {any} status */
function marksOf(mark, { favorited, retweeted, retweet_count }) {
  return mark === "favorited" ? { favorited } : { retweeted, retweet_count };
}
