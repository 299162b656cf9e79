import { register } from "node:module";

/**
 * Makes uvu tell of two kinds of failures that it swallows, and with them why tests did not run: what a hook throws, and an
 * error whose `details` are no text, such as ConnectError's. To be called before uvu is loaded.
 */
export function mendUvu(): void {
  register(`data:text/javascript,${encodeURIComponent(hooks)}`);
}

/** What stands in uvu, and what is to stand there. */
const mends = [
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
export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.endsWith("/uvu/dist/index.mjs")) return loaded;
  let source = String(loaded.source);
  for (const [from, to] of ${JSON.stringify(mends)}) {
    if (!source.includes(from)) throw new Error("uvu has changed: " + from);
    source = source.replace(from, () => to);
  }
  return { ...loaded, source };
}`;
