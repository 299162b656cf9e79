import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { addReadOnly } from "../../http/read-only.ts";
import { type Asset, makeAsset, sendAsset } from "../../http/replies/asset.ts";
import { genericPaths } from "../../operations/generic-paths.ts";
import type { Operation } from "../../operations/operation-table.ts";
import { readLibraries } from "./read-libraries.ts";

/**
 * Adds the page for people: `/` and the addresses of its views, its scripts and styles under `/page/`, and the sample data's
 * pictures under `/pictures/`. The files are read once, at boot.
 * @param limits settings that the page shows
 * @throws Error at boot for a file whose type is not known here
 */
export function addPage(app: FastifyInstance, operations: readonly OperationPaths[], limits: PageLimits): void {
  const files = new Map([...readFolder("public"), ...readLibraries()]);
  addFiles(app, "/pictures/", readFolder("pictures"));
  const version = versionOf(files);
  addFiles(app, "/page/", files, version);
  const page = fileAsset("index.html", writePage([...files.keys()], version, limits));
  for (const path of views) addReadOnly(app, path, (request, reply) => sendAsset(request, reply, page));
  app.get("/:name", redirectToUser(firstSegments(operations)));
}

interface PageLimits {
  /** Weighted characters. */
  statusLength: number;
  /** Code points. */
  passwordMinLength: number;
}

/** The addresses of the page's views. Those of users begin with `@`, which distinguishes them from other views and operations. */
const views = "/ /@* /join /sign-in /requests /settings /settings/account /settings/blocks /settings/mutes".split(" ");

/**
 * Redirects a browser from `/ann` to `/@ann`. For other clients such a path is unknown (contract §1).
 * @param reserved names that are not redirected: a user of such a name is at `/@social`
 */
function redirectToUser(reserved: ReadonlySet<string>) {
  return (request: FastifyRequest, reply: FastifyReply) => {
    const [, name] = /^\/([a-z0-9_][\w.-]{0,35})\/?(?:\?|$)/i.exec(request.originalUrl) ?? [];
    const isBrowser =
      (request.method === "GET" || request.method === "HEAD") && /\btext\/html\b/.test(request.headers.accept ?? "");
    const isReserved = name === undefined || reserved.has(name.toLowerCase());
    if (!isBrowser || isReserved || request.context.callback !== undefined) return reply.callNotFound();
    return reply.header("cache-control", "no-store").redirect(`/@${name}`);
  };
}

type OperationPaths = Pick<Operation, "name" | "paths">;

/** The first segments of the paths of operations, in lower case (contract §1.6). */
function firstSegments(operations: readonly OperationPaths[]): ReadonlySet<string> {
  const paths = operations.flatMap(({ name, paths }) => [
    ...paths.map(({ template }) => template),
    ...genericPaths(name).map(({ path }) => path),
  ]);
  return new Set(paths.map((path) => path.toLowerCase().split("/")[1] as string));
}

/** Texts of files, by name. */
type Files = ReadonlyMap<string, string>;

/** Reads a folder without `index.html`. */
function readFolder(folder: string): Files {
  const base = new URL(`${folder}/`, import.meta.url);
  const names = readdirSync(base, { recursive: true, encoding: "utf8" }).filter((name) => extname(name) !== "");
  const files = names.filter((name) => name !== "index.html").toSorted();
  return new Map(files.map((name) => [name, readFileSync(new URL(name, base), "utf8")]));
}

/** The version of the page's files: other files have another one. Hexadecimal, since the router has paths in lower case. */
function versionOf(files: Files): string {
  const hash = createHash("sha256").update(JSON.stringify([...files]));
  return hash.digest("hex").slice(0, 16);
}

/**
 * One route for all files of a folder: the router takes a millisecond to add one. It has paths in lower case.
 * @param version under `VERSION/` browsers need not ask again. Under another version, which a page of another release names, and
 * without one the same files are served, and browsers ask each time.
 */
function addFiles(app: FastifyInstance, path: string, files: Files, version?: string): void {
  const byPath = new Map<string, Asset>();
  for (const [name, text] of files) {
    const asset = fileAsset(name, text);
    byPath.set(name.toLowerCase(), asset);
    if (version !== undefined) byPath.set(`${version}/${name.toLowerCase()}`, { ...asset, isImmutable: true });
  }
  const find = ({ params }: FastifyRequest) => {
    const { "*": name } = params as { "*": string };
    return byPath.get(name) ?? byPath.get(name.replace(/^[0-9a-f]{16}\//, ""));
  };
  addReadOnly(
    app,
    `${path}*`,
    (request, reply) => sendAsset(request, reply, find(request) as Asset),
    (request) => find(request) !== undefined,
  );
}

/** The page, which names the files of this version and the limits, with links that preload its modules, so that a browser asks for all at once. */
function writePage(files: readonly string[], version: string, limits: PageLimits): string {
  const page = readFileSync(new URL("public/index.html", import.meta.url), "utf8");
  const modules = files.filter((name) => name.endsWith(".js") && !name.startsWith("generated/"));
  const links = modules.map((name) => `<link rel="modulepreload" href="/page/${name}">\n`);
  const numbers = `data-status-length="${limits.statusLength}" data-password-length="${limits.passwordMinLength}"`;
  return page
    .replace("</head>", `${links.join("")}</head>`)
    .replace("<body>", `<body ${numbers}>`)
    .replaceAll('"/page/', `"/page/${version}/`);
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Only pictures may come from other hosts. Trusted Types without a policy: no script can turn text into markup. */
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
