import { useState } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { statusHref } from "../rules/route.js";
import { notify, useAppState } from "../state/app-state.js";
import { deleteLater } from "../state/deletions.js";
import { Icon } from "./icon.js";
import { Menu } from "./menu.js";
import { hidingItems, useHidden } from "./relation.js";
import { Report } from "./report.js";

/** What can be done with a status beside answering and marking it. @param {{ status: any, author: any, control: string }} props control: where the result is said */
export function StatusMenu({ status, author, control }) {
  const { me } = useAppState();
  const [isReporting, setReporting] = useState(false);
  const [hidden, loadHidden] = useHidden(author);
  const isMine = author.id === me?.userId;
  const items = [{ text: "Copy link", icon: "link", act: () => copyLink(status, author, control) }];
  if (isMine) items.push({ text: "Delete", icon: "delete", isDanger: true, act: () => deleteLater(status) });
  else if (me !== undefined)
    items.push(...hidingItems(author, hidden, control), {
      text: "Report…",
      icon: "report",
      act: () => setReporting(true),
    });
  return html`
    <${Menu} label="More" items=${items} onOpen=${isMine || me === undefined ? undefined : loadHidden}><${Icon} name="more" /><//>
    ${isReporting && html`<${Report} user=${author} status=${status} close=${() => setReporting(false)} />`}
  `;
}

/** @param {any} status @param {any} author @param {string} control */
async function copyLink({ id }, { screen_name: name }, control) {
  const link = `${location.origin}${statusHref(name, id)}`;
  try {
    // Only over https and on localhost.
    await navigator.clipboard.writeText(link);
    notify("The link is copied.", false, control);
  } catch {
    notify(`The link is ${link}`, false, control);
  }
}
