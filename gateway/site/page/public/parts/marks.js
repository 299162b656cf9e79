import { write } from "../known/api.js";
import { deleteLater } from "../known/deletions.js";
import { known, say } from "../known/store.js";
import { useEffect, useRef, useState } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { count } from "../rules/count.js";
import { statusHref } from "../rules/place.js";
import { sentenceOf } from "../rules/say-error.js";
import { Report } from "./report.js";

/** What can be done with a status: reply, repost, favourite, and delete where it is one's own. @param {{ status: any, author: any }} props */
export function Marks({ status, author }) {
  const { me } = known;
  const [marks, toggle] = useMarks(status, author);
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
 * The marks of a status, shown as wanted at once and as they are once the answer is here. The last wish counts: while one is on
 * its way, the next one waits.
 * @param {any} status @param {any} author
 */
function useMarks(status, author) {
  const [marks, setMarks] = useState(status);
  const queue = useRef(Promise.resolve());
  const wanted = useRef(status);
  useEffect(() => {
    wanted.current = status;
    setMarks(status);
  }, [status]);

  const toggle = (/** @type {"retweeted" | "favorited"} */ mark) => {
    const isOn = !wanted.current[mark];
    const step = mark === "retweeted" ? (isOn ? 1 : -1) : 0;
    wanted.current = { ...wanted.current, [mark]: isOn, retweet_count: Number(wanted.current.retweet_count) + step };
    setMarks(wanted.current);
    queue.current = queue.current.then(async () => {
      try {
        const fields = { screenName: author.screen_name, id: status.id, [mark]: isOn };
        const { results } = await write("MarkStatus", fields);
        // A later wish is already shown.
        if (wanted.current[mark] === isOn)
          setMarks((wanted.current = { ...wanted.current, ...marksOf(mark, results[0]) }));
      } catch (error) {
        wanted.current = {
          ...wanted.current,
          [mark]: !isOn,
          retweet_count: Number(wanted.current.retweet_count) - step,
        };
        setMarks(wanted.current);
        say(`That did not work. ${sentenceOf(error, navigator.onLine)}`, true);
      }
    });
  };
  return /** @type {const} */ ([marks, toggle]);
}

/** What an answer about one mark says of it; another one may still be on its way. @param {"retweeted" | "favorited"} mark @param {any} status */
function marksOf(mark, { favorited, retweeted, retweet_count }) {
  return mark === "favorited" ? { favorited } : { retweeted, retweet_count };
}
