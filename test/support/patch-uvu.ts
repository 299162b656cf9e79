import { register } from "node:module";

/**
 * Makes uvu report two kinds of failures that it hides: errors of hooks, and errors whose `details` are not a text, such as
 * ConnectError's. To be called before uvu is loaded, unless the run is prebuilt.
 */
export function patchUvu(): void {
  register(`data:text/javascript,${encodeURIComponent(hooks)}`);
}

/** Corrects the text of uvu's dist/index.mjs. Throws when it is another version. */
export function patched(source: string): string {
  for (const [from, to] of patches) {
    if (!source.includes(from)) throw new Error(`uvu has changed: ${from}`);
    source = source.replace(from, () => to);
  }
  return source;
}

/** The texts to replace in uvu, and their replacements. */
const patches: readonly [from: string, to: string][] = [
  [
    "let { details, operator='' } = err;",
    "let { details: given, operator='' } = err, details = typeof given === 'string' ? given : '';",
  ],
  [
    "} finally {\n\t\tstate.__test__",
    "} catch (err) {\n\t\terrors += format('a hook', err, name);\n\t} finally {\n\t\tstate.__test__",
  ],
];

const hooks = `
const patches = ${JSON.stringify(patches)};
${patched.toString()}
export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.endsWith("/uvu/dist/index.mjs")) return loaded;
  return { ...loaded, source: patched(String(loaded.source)) };
}`;
