import { html } from "../lib/html.js";
import { changeState, useAppState } from "../state/app-state.js";
import { Composer } from "./composer.js";
import { Dialog } from "./dialog.js";
import { StatusText } from "./status-text.js";

/** The dialog for a new status or a reply, where one is open. */
export function WriteDialog() {
  const { me, writing } = useAppState();
  if (me === undefined || writing === undefined) return undefined;
  const { reply } = writing;
  const close = () => changeState({ writing: undefined });
  return html`
    <${Dialog} title=${reply === undefined ? "New status" : "Reply"} cancel="Close" close=${close}>
      ${
        reply !== undefined &&
        html`<blockquote>
        <p class="name" dir="auto">${reply.author.name || reply.author.screen_name}</p>
        <${StatusText} status=${reply.status} lang=${reply.author.lang} />
      </blockquote>`
      }
      <${Composer} key=${me.userId} reply=${reply} isInDialog />
    <//>
  `;
}
