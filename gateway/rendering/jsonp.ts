/** Wraps JSON into a call of `callback` (contract §4). */
export function wrapJsonp(callback: string, json: string): string {
  return `${callback}(${escapeForScript(json)})`;
}

/**
 * JSON that is safe in a script: U+2028 and U+2029 end a line in old engines, and `</` may end the script element; all three
 * only occur in strings, where an escape means the same.
 */
export function escapeForScript(json: string): string {
  // Three replacements: one with a function for each match would take three times as long.
  return json.replaceAll("</", "<\\/").replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

/**
 * Escapes the replies of one batch for a script: equal buffers once, and one buffer in a turn of the event loop, since a hundred large
 * ones would block it for a second.
 */
export function createScriptEscaper(): (json: Buffer) => Promise<Buffer> {
  const escaped = new Map<Buffer, Promise<Buffer>>();
  let last: Promise<unknown> = Promise.resolve();
  return (json) => {
    const known = escaped.get(json);
    if (known !== undefined) return known;
    const made = last.then(() => new Promise(setImmediate)).then(() => Buffer.from(escapeForScript(json.toString())));
    escaped.set(json, made);
    last = made;
    return made;
  };
}

/**
 * Whether a name may be called: JavaScript identifiers joined by dots, each with at most one `[digits]` or
 * `["identifier"]` after it; at most 128 characters (contract §4).
 */
export function isCallbackName(name: string): boolean {
  return name.length <= 128 && pattern.test(name) && !reserved.has(/^[^.[]*/.exec(name)?.[0] as string);
}

// ECMAScript's IdentifierName, without escapes.
const identifier = "[\\p{ID_Start}$_][\\p{ID_Continue}$\\u200c\\u200d]*";
const step = `${identifier}(?:\\[(?:\\d+|"${identifier}")\\])?`;
const pattern = new RegExp(`^${step}(?:\\.${step})*$`, "u");

// An expression cannot start with these as if they were names; after a dot they are names.
const reserved = new Set(
  (
    "break case catch class const continue debugger default delete do else enum export extends false finally for " +
    "function if import in instanceof new null return super switch this throw true try typeof var void while with"
  ).split(" "),
);
