import { join } from "node:path";
import { build, type Plugin } from "esbuild";

const root = join(import.meta.dirname, "../..");

/** The file that the page reads. */
export const weightedTextFile = join(root, "gateway/site/page/public/generated/weighted-text.js");

/** The rule of `services/social/domain/weighted-text.ts` with its imports, as one module without types. */
export async function bundleWeightedText(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: 'export { weightedLength } from "./weighted-text.ts";',
      resolveDir: join(root, "services/social/domain"),
    },
    bundle: true,
    format: "esm",
    target: "es2024",
    charset: "utf8",
    legalComments: "none",
    banner: { js: "// Made by `npm run weighted-text` of services/social/domain/weighted-text.ts." },
    plugins: [browserUrls],
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

/** The only function of Node that the rule uses, by the API of browsers. */
const browserUrls: Plugin = {
  name: "browser-urls",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:url$/ }, () => ({ path: "url", namespace: "browser" }));
    onLoad({ filter: /.*/, namespace: "browser" }, () => ({ contents: domainToASCII }));
  },
};

const domainToASCII = `export const domainToASCII = (host) => {
  const address = \`http://\${host}/\`;
  return URL.canParse(address) ? new URL(address).hostname : "";
};`;
