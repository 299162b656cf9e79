/** Wrong arguments; the message says what is wrong with them. */
export class UsageError extends Error {}
