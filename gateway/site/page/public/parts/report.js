import { write } from "../known/api.js";
import { say } from "../known/store.js";
import { html } from "../lib/html.js";
import { Dialog } from "./dialog.js";
import { Field, Form, useForm } from "./form.js";

/** Tells the operator about a user, or one status of theirs. @param {{ user: any, status?: any, close: () => void }} props */
export function Report({ user, status, close }) {
  const form = useForm("report", async ({ reason }) => {
    await write("ReportUser", { screenName: user.screen_name, statusId: status?.id, reason });
    close();
    say("Thank you. The operator of this place will look at it.");
  });
  return html`
    <${Dialog} title=${status === undefined ? `Report @${user.screen_name}` : `Report this status of @${user.screen_name}`} close=${close}>
      <${Form} form=${form} button="Send the report">
        <${Field} form=${form} name="reason" label="What is wrong?" hint="Up to 1,000 characters. Only the operator reads it." tag="textarea" rows="4" dir="auto" />
      <//>
    <//>
  `;
}
