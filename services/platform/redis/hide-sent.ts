/**
 * Removes from an error of Redis what was sent, which may hold the password, keys or a script. One library adds the command to the error,
 * and a Redis that does not know a command repeats its arguments.
 */
export function hideSent(error: Error): Error {
  delete (error as { command?: unknown }).command;
  const shown = error.message.replace(/, with args beginning with:.*/s, "");
  if (shown === error.message) return error;
  error.stack = `${error.name}: ${shown}`;
  error.message = shown;
  return error;
}
