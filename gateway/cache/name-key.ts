/** Whether a text could be somebody's screen name, so that its token is worth a place; the service says what others are. */
export function isKeptName(text: string): boolean {
  return /^[A-Za-z0-9._-]{1,36}$/.test(text);
}
