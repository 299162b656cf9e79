import { html } from "../lib/html.js";
import { write } from "../state/api.js";
import { notify } from "../state/app-state.js";
import { Dialog } from "./dialog.js";
import { Field, Form, useForm } from "./form.js";

/** A dialog that reports a user, or one of their statuses, to the operator. @param {{ user: any, status?: any, close: () => void }} props */
export function Report({ user, status, close }) {
  const form = useForm("report", async ({ reason }) => {
    await write("ReportUser", { screenName: user.screen_name, statusId: status?.id, reason });
    close();
    notify("Thank you. The operator of this place will look at it.");
  });
  return html`
    <${Dialog} title=${status === undefined ? `Report @${user.screen_name}` : `Report this status of @${user.screen_name}`} close=${close}>
      <${Form} form=${form} button="Send the report">
        <${Field} form=${form} name="reason" label="What is wrong?" hint="Up to 1,000 characters. Only the operator reads it." tag="textarea" rows="4" dir="auto" />
      <//>
    <//>
  `;
}
