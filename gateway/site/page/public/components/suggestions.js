import { useEffect, useState } from "../lib/hooks.js";
import { html } from "../lib/html.js";
import { FollowButton } from "./follow-button.js";
import { PersonRow } from "./people.js";

/** Users whom a new user could follow. They stay while the view is shown, also those who are followed now. @param {{ users: any[] }} props */
export function Suggestions({ users }) {
  const [shown, setShown] = useState(users);
  useEffect(() => {
    if (shown.length === 0) setShown(users);
  }, [users]);
  if (shown.length === 0) return undefined;
  return html`
    <section class="suggestions" aria-labelledby="suggestions-title">
      <h2 id="suggestions-title">Whom to follow</h2>
      <ul class="people">
        ${shown.map(
          (user) => html`<li key=${user.id}>
            <${PersonRow} user=${user}><${FollowButton} user=${user} label=${`Follow @${user.screen_name}`} /><//>
          </li>`,
        )}
      </ul>
    </section>
  `;
}
