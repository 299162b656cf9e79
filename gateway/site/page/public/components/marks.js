import { useEffect, useRef, useState } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { count } from "../rules/count.js";
import { errorText } from "../rules/error-text.js";
import { write } from "../state/api.js";
import { changeState, notify, useAppState } from "../state/app-state.js";
import { writeId } from "./composer.js";
import { Icon } from "./icon.js";
import { Said } from "./said.js";

/**
 * The actions on a status: reply, repost, favourite; for a stranger the number of reposts. What came of them, and of the menu, is said below.
 * @param {{ status: any, author: any, control: string }} props
 */
export function Marks({ status, author, control }) {
  const { me } = useAppState();
  const [marks, toggle] = useMarks(status, author, control);
  const reposts = Number(marks.retweet_count) || 0;
  const counted = count(reposts, "repost", "reposts");
  const shown = reposts > 0 && html`<span class="count">${reposts.toLocaleString("en")}</span>`;
  return html`
    ${
      me === undefined
        ? reposts > 0 &&
          html`<p class="marks soft"><span title=${counted}><${Icon} name="repost" />${shown}<span class="hidden">${counted}</span></span></p>`
        : html`<ul class="marks" aria-label="What you can do with it">
          <li>
            <button type="button" class="mark-button" aria-label="Reply" title="Reply" onClick=${() => reply(status, author)}><${Icon} name="reply" /></button>
          </li>
          <li>
            ${
              (!author.protected || marks.retweeted) &&
              html`<${Mark} name="Repost" icon="repost" isOn=${marks.retweeted} more=${reposts > 0 && counted} toggle=${() => toggle("retweeted")}>${shown}<//>`
            }
          </li>
          <li><${Mark} name="Favourite" icon="favourite" isOn=${marks.favorited} toggle=${() => toggle("favorited")} /></li>
        </ul>`
    }
    <${Said} control=${control} />
  `;
}

/** @param {{ name: string, icon: string, isOn: boolean, more?: string | false, toggle: () => void, children?: any }} props */
function Mark({ name, icon, isOn, more, toggle, children }) {
  return html`
    <button
      type="button"
      class=${`mark-button ${icon}`}
      aria-pressed=${`${isOn}`}
      aria-label=${more ? `${name}, ${more}` : name}
      title=${name}
      onClick=${toggle}
    >
      <${Icon} name=${icon} />${children}
    </button>
  `;
}

/** Goes to the form for it, where that is shown, and else opens it. @param {any} status @param {any} author */
function reply(status, author) {
  const form = document.getElementById(writeId({ status, author }));
  if (form === null) changeState({ writing: { reply: { status, author } } });
  else form.focus();
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
