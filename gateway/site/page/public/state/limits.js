// The gateway writes them into the page: they are settings.
const { statusLength, passwordLength } = document.body.dataset;

/** Weighted characters that a status may have. */
export const maxWeight = Number(statusLength);
/** Characters that a new password must have. */
export const minPasswordLength = Number(passwordLength);
