import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import type { FastifyInstance } from "fastify";
import { addReadOnly } from "../../http/read-only.ts";
import { type Asset, makeAsset, sendAsset } from "../../http/replies/asset.ts";

/**
 * Adds the page for people: `/`, its script and style under `/page/`, and the sample data's pictures under `/pictures/`. The
 * files are read once, at boot.
 * @throws Error at boot for a file whose type is not known here
 */
export function addPage(app: FastifyInstance): void {
  addFiles(app, "public", (name) => (name === "index.html" ? "/" : `/page/${name}`));
  addFiles(app, "pictures", (name) => `/pictures/${name}`);
}

function addFiles(app: FastifyInstance, folder: string, pathOf: (name: string) => string): void {
  const base = new URL(`${folder}/`, import.meta.url);
  for (const name of readdirSync(base, { recursive: true, encoding: "utf8" })) {
    if (extname(name) === "") continue;
    const asset = fileAsset(name, readFileSync(new URL(name, base), "utf8"));
    addReadOnly(app, pathOf(name), (request, reply) => sendAsset(request, reply, asset));
  }
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Only pictures may come from elsewhere. Trusted Types without a policy: no text becomes markup, whatever a script tries. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' https: data:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

function fileAsset(name: string, text: string): Asset {
  const type = types[extname(name)];
  if (type === undefined) throw new Error(`gateway/site/page/${name} has a type that the page does not serve`);
  return makeAsset(type, text, { "content-security-policy": policy });
}
