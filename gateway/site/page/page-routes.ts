import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { addReadOnly } from "../../http/read-only.ts";
import { type Asset, makeAsset, sendAsset } from "../../http/replies/asset.ts";
import { normalizeTarget, originOf, segmentOf } from "../../http/requests/request-target.ts";
import type { Operation } from "../../operations/operation-table.ts";
import { genericPaths } from "../../operations/paths.ts";
import type { ReadAnonymously } from "../../operations/read-anonymously.ts";
import { type Found, findPreview } from "./link-preview.ts";
import { createPageHtml, type PageSettings } from "./page-html.ts";

/** What the page needs of the gateway. */
export interface PageParts {
  settings: PageSettings;
  read: ReadAnonymously;
  /** Whether a request has a session's cookie, valid or not. */
  hasCookie(request: FastifyRequest): boolean;
}

/**
 * Adds the page for people: `/` and the addresses of its views, its scripts and styles under `/page/`, its icons, `/robots.txt`, and the
 * sample data's pictures under `/pictures/`. The files are read once, at boot.
 * @throws Error at boot for a file whose type is not known here
 */
export function addPage(app: FastifyInstance, operations: readonly OperationPaths[], parts: PageParts): void {
  const { settings, read, hasCookie } = parts;
  const files = new Map([...readFolder("public"), ...readLibraries()]);
  addFiles(app, "/pictures/", readSamplePictures());
  for (const [name, bytes] of readFolder("root")) addFile(app, `/${name}`, fileAsset(name, bytes));
  const version = versionOf(files);
  addFiles(app, "/page/", files, version);
  const write = createPageHtml([...files.keys()], version, settings);
  const send = (request: FastifyRequest, reply: FastifyReply, { status, preview }: Found) => {
    const text = write({ hasCookie: hasCookie(request), origin: originOf(request), preview });
    return sendAsset(request, reply, fileAsset("index.html", text), status);
  };
  for (const path of views) addReadOnly(app, path, (request, reply) => send(request, reply, { status: 200 }));
  addReadOnly(app, "/@*", async (request, reply) =>
    send(request, reply, await findPreview(read, segmentsOf(request), request)),
  );
  app.get("/:name", redirectToUser(firstSegments(operations)));
}

/** The addresses of views that are always there. Those of users begin with `@`, which distinguishes them from other views and operations. */
const views =
  "/ /everyone /mentions /favourites /search /join /sign-in /requests /settings /settings/account /settings/blocks /settings/mutes".split(
    " ",
  );

/** The segments of a path, decoded; one trailing slash counts for nothing (contract §1.3). */
function segmentsOf({ originalUrl }: FastifyRequest): string[] {
  const [path = ""] = normalizeTarget(originalUrl).split("?", 1);
  const count = path.replace(/\/$/, "").split("/").length - 1;
  return Array.from({ length: count }, (_, at) => segmentOf(path, at + 1));
}

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

/** Files by name: texts, and bytes of icons. */
type Files = ReadonlyMap<string, string | Buffer>;

/** Reads a folder without `index.html`. */
function readFolder(folder: string): Files {
  const base = new URL(`${folder}/`, import.meta.url);
  const names = readdirSync(base, { recursive: true, encoding: "utf8" }).filter((name) => extname(name) !== "");
  const files = names.filter((name) => name !== "index.html").toSorted();
  return new Map(files.map((name) => [name, read(new URL(name, base))]));
}

/** The pictures of the sample data, in one file of the sample: they are on the host that is asked, whether the data is there or not. */
function readSamplePictures(): Files {
  const file = new URL("../../../services/local/sample/pictures.json", import.meta.url);
  return new Map(Object.entries<string>(JSON.parse(readFileSync(file, "utf8"))));
}

function read(file: URL): string | Buffer {
  const bytes = readFileSync(file);
  return file.pathname.endsWith(".ico") ? bytes : bytes.toString();
}

/** The version of the page's files: other files have another one. Hexadecimal, since the router has paths in lower case. */
function versionOf(files: Files): string {
  const hash = createHash("sha256").update(JSON.stringify([...files]));
  return hash.digest("hex").slice(0, 16);
}

function addFile(app: FastifyInstance, path: string, asset: Asset): void {
  addReadOnly(app, path, (request, reply) => sendAsset(request, reply, asset));
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

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".ico": "image/x-icon",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
};

/** Only pictures may come from other hosts. Trusted Types without a policy: no script can turn text into markup. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' https: data:",
  "manifest-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

function fileAsset(name: string, text: string | Buffer): Asset {
  const type = types[extname(name)];
  if (type === undefined) throw new Error(`gateway/site/page/${name} has a type that the page does not serve`);
  return makeAsset(type, text, { "content-security-policy": policy });
}

/**
 * The third-party modules of the page, unchanged from their packages, by the names under which we serve them. Browsers cannot resolve
 * package names, so imports by package name are replaced by these names.
 */
function readLibraries(): [name: string, text: string][] {
  return libraries.map(([name, find]) => {
    const text = readFileSync(new URL(find()), "utf8");
    // We serve no source maps.
    return [name, text.replace(/from"preact"/g, 'from"./preact.js"').replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n")];
  });
}

const libraries = [
  ["lib/preact.js", () => import.meta.resolve("preact")],
  ["lib/hooks.js", () => import.meta.resolve("preact/hooks")],
  ["lib/htm.js", () => import.meta.resolve("htm")],
] as const;
