import { ApiError } from "./api.js";
import { element, heading } from "./element.js";

/**
 * What is shown when a view cannot be made.
 * @param {unknown} error
 * @param {string} absent the title when what was asked for does not exist
 */
export function failureView(error, absent) {
  if (!(error instanceof ApiError)) throw error;
  const title = error.status === 404 ? absent : "That did not work";
  const said = error.status === 404 ? "Names match without regard to case, and have no blanks." : error.message;
  const nodes = [heading(title), element("p", { class: "note", role: "alert", dir: "auto" }, said)];
  return { title, news: title, nodes };
}
