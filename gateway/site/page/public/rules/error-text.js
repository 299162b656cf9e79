/**
 * A sentence for the user about a failed call.
 * @param {{ status: number, message: string, waitSeconds?: number, fields: { message: string }[] }} error
 */
export function errorText({ status, message, waitSeconds, fields }) {
  if (status === 409)
    return "It was changed elsewhere meanwhile. What you typed is still here: look at it again, then send it once more.";
  if (status === 429) return `That was a lot in a short time. ${waitText(waitSeconds)}`;
  if (status === 502 || status === 503) return "The server is very busy. Try again in a moment.";
  if (status === 504) return "That takes too long. Try again in a moment.";
  if (status >= 500) return "Something went wrong on the server. Try again in a moment.";
  return fields.map((field) => field.message).join(" ") || message;
}

/** @param {number | undefined} seconds */
function waitText(seconds) {
  if (seconds === undefined || seconds < 60) return "Try again in a minute.";
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `Try again in ${minutes} minutes.` : `Try again in ${Math.ceil(minutes / 60)} hours.`;
}

/**
 * Splits an error into errors of form fields and one text for the rest. Messages name a field by its label in the form.
 * @param {{ status: number, message: string, waitSeconds?: number, fields: { fieldName: string, message: string }[] }} error
 * @param {(name: string) => string | undefined} labelOf undefined for a name that is not in the form
 * @returns {{ whole: string, errors: Record<string, string> }}
 */
export function sortErrors(error, labelOf) {
  /** @type {Record<string, string>} */
  const errors = {};
  const rest = [];
  for (const field of error.fields) {
    const label = labelOf(field.fieldName);
    if (label === undefined) rest.push(field);
    else errors[field.fieldName] ??= field.message.replace(/^'[^']*'/, label);
  }
  const isPlaced = error.fields.length > 0 && rest.length === 0;
  return { whole: isPlaced ? "" : errorText({ ...error, message: error.message, fields: rest }), errors };
}
