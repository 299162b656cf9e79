import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as assert from "uvu/assert";
import { suite } from "../support/suite.ts";

/**
 * The layers of the gateway, the top one first: what a file imports lies on its own layer or further down, types included.
 * A layer is a file, or a folder without the layers in it that are listed here by themselves.
 */
const gatewayLayers = [
  "gateway/main.ts",
  "gateway/server.ts",
  "gateway/clients.ts",
  "gateway/app.ts",
  "gateway/config.ts",
  "gateway/metrics.ts",
  "gateway/health/",
  "gateway/site/",
  "gateway/site/page/",
  "gateway/site/docs/",
  "gateway/site/metadata/",
  "gateway/site/openapi/",
  "gateway/site/comments/",
  "gateway/live/",
  "gateway/operations/",
  "gateway/reads/",
  "gateway/calls/",
  "gateway/sessions/",
  "gateway/binding/",
  "gateway/http/",
  "gateway/http/sockets/",
  "gateway/http/replies/",
  "gateway/http/log/",
  "gateway/http/requests/",
  "gateway/http/load/",
  "gateway/http/errors/",
  "gateway/http/limits/",
  "gateway/rendering/",
];

/** The number of a file's layer, 0 at the top; -1 for a file on none. A folder within a layer's folder is further down. */
function layerOf(file: string): number {
  return gatewayLayers.findLastIndex((layer) => (layer.endsWith("/") ? file.startsWith(layer) : file === layer));
}

/** Whether a file of the gateway may import another one. */
function leadsDown(from: string, to: string): boolean {
  const [start, end] = [layerOf(from), layerOf(to)];
  return start !== -1 && end !== -1 && start <= end;
}

const Architecture = suite("architecture");
const root = join(import.meta.dirname, "..", "..");

interface Arrow {
  from: string;
  to: string;
  typeOnly: boolean;
  /** Imported at run time, by `import()`. */
  isDynamic: boolean;
}

/** An import of more than types when a file is loaded. */
const atStart = { typeOnly: false, isDynamic: false };

/** Every import of our own code, and of packages by name. */
const arrows = sourceFiles(["services", "gateway", "cli", "bench"]).flatMap(readArrows);

Architecture("finds the imports of the code", () => {
  const known = { from: "services/account/main.ts", to: "services/account/service.ts", ...atStart };
  assert.ok(arrows.some((arrow) => isDeepStrictEqual(arrow, known)));
  assert.ok(arrows.length > 100);
});

Architecture("lets rooms import only what design §2 allows", () => {
  assert.equal(arrows.filter((arrow) => !isAllowed(arrow)).map(show), []);
});

Architecture("recognises imports that are not allowed", () => {
  const bad: Record<string, string[]> = {
    "services/account/rpc/a.ts": ["services/social/store/b.ts"],
    "services/account/main.ts": ["test/support/a.ts"],
    "services/platform/log.ts": ["services/social/config.ts"],
    "services/social/domain/a.ts": ["services/account/domain/b.ts", "services/social/store/b.ts", "pg"],
    "services/social/store/a.ts": ["services/social/domain/b.ts"],
    "services/social/views/a.ts": ["services/social/rpc/b.ts"],
    "gateway/server.ts": ["services/social/service.ts", "pg"],
    "cli/main.ts": ["services/social/store/b.ts"],
  };
  const tried = Object.entries(bad).flatMap(([from, all]) => all.map((to) => ({ from, to, ...atStart })));
  assert.equal(tried.filter(isAllowed).map(show), []);
});

Architecture("has no circle of imports in the social service, also not of types", () => {
  const inside = arrows.filter(({ from, to }) => [from, to].every((file) => file.startsWith("services/social/")));
  assert.ok(inside.length > 200);
  assert.equal(circularFiles(inside), []);
});

Architecture("recognises circles of imports", () => {
  const pairs = ["a b", "b c", "c b", "c d"].map((pair) => pair.split(" ") as [string, string]);
  assert.equal(circularFiles(pairs.map(([from, to]) => ({ from, to }))), ["b", "c"]);
});

Architecture("starts the gateway without the packages of the services, also through what it imports", () => {
  const loaded = loadedBy("gateway/main.ts");
  assert.ok(loaded.has("services/platform/connect/client.ts") && loaded.has("fastify"));
  assert.not.ok(loaded.has("pg") || loaded.has("graphile-worker"));
  assert.ok(loadedBy("services/social/main.ts").has("pg"));
});

Architecture("lets files of the gateway import only from their own or lower layers, and has no other file", () => {
  const inside = arrows.filter(({ from, to }) => from.startsWith("gateway/") && to.startsWith("gateway/"));
  assert.ok(inside.length > 200);
  assert.equal(inside.filter(({ from, to }) => !leadsDown(from, to)).map(show), []);
  const files = sourceFiles(["gateway"]);
  const withoutLayer = files.filter((file) => layerOf(file) === -1);
  assert.equal(withoutLayer, []);
  const used = new Set(files.map(layerOf));
  const withoutFiles = gatewayLayers.filter((_, layer) => !used.has(layer));
  assert.equal(withoutFiles, []);
});

Architecture("recognises imports from a higher layer of the gateway", () => {
  const bad = {
    "gateway/reads/load.ts": "gateway/operations/operation-table.ts",
    "gateway/http/errors/catalog.ts": "gateway/http/replies/send.ts",
    "gateway/http/replies/send.ts": "gateway/http/request-checks.ts",
    "gateway/operations/run-operation.ts": "gateway/app.ts",
    "gateway/helpers.ts": "gateway/rendering/jsonp.ts",
  };
  for (const [from, to] of Object.entries(bad)) assert.not.ok(leadsDown(from, to), `${from} → ${to}`);
  assert.ok(leadsDown("gateway/app.ts", "gateway/http/request-checks.ts"));
});

Architecture("reads the environment in config.ts only", () => {
  const files = sourceFiles(["services", "gateway", "cli"]).filter((file) => !file.endsWith("/config.ts"));
  const readers = files.filter((file) => read(file).includes("process.env"));
  // The size of libuv's pool can only be set there.
  assert.equal(readers, ["services/platform/thread-pool.ts"]);
});

Architecture("loads OpenTelemetry only where a receiver of traces is configured", () => {
  const tracing = "services/platform/tracing/opentelemetry.ts";
  const toOpenTelemetry = arrows.filter(({ to, typeOnly }) => to.startsWith("@opentelemetry/") && !typeOnly);
  assert.equal([...new Set(toOpenTelemetry.map(({ from }) => from))], [tracing]);
  const loaders = arrows.filter(({ to, typeOnly }) => to === tracing && !typeOnly);
  assert.equal(
    loaders.map(({ from, isDynamic }) => [from, isDynamic]),
    [["services/platform/tracing/tracing.ts", true]],
  );
});

// A ping that is not answered ends the process of the library's HTTP/2 client (docs/decisions/one-http-version.md).
Architecture("calls services over HTTP/1.1 only", () => {
  const files = sourceFiles(["services", "gateway", "cli"]);
  const callers = files.filter((file) => /create(Grpc|GrpcWeb|Connect)Transport\(|http2\.connect\(/.test(read(file)));
  const client = "services/platform/connect/client.ts";
  assert.equal(callers, [client]);
  assert.match(read(client), 'httpVersion: "1.1"');
});

Architecture.run();

/** The files of circles and between two of them: what is left without the files that nothing imports, or that import nothing. */
function circularFiles(arrows: readonly Pick<Arrow, "from" | "to">[]): string[] {
  const [importers, imported] = [new Set(arrows.map(({ from }) => from)), new Set(arrows.map(({ to }) => to))];
  const inner = arrows.filter(({ from, to }) => imported.has(from) && importers.has(to));
  return inner.length < arrows.length ? circularFiles(inner) : [...importers];
}

/** The files and packages that a process loads at its start, those of packages left out. */
function loadedBy(main: string): Set<string> {
  const loaded = new Set([main]);
  // A set gives what is added to it during the loop as well.
  for (const file of loaded) {
    for (const arrow of arrows) if (arrow.from === file && !arrow.typeOnly && !arrow.isDynamic) loaded.add(arrow.to);
  }
  return loaded;
}

/** Where a room's files may reach, beside the room itself and proto/gen. First match counts. */
function isAllowed({ from, to, typeOnly }: Arrow): boolean {
  if (to.startsWith("proto/gen/") || to.startsWith("node:")) return true;
  const layer = /^services\/(?:account|social)\/(domain|store|views|rpc|jobs)\//;
  const [room, target] = [roomOf(from), roomOf(to)];
  if (isPackage(to)) {
    if (room === "gateway" && to === "pg") return false;
    // The domain imports no packages but protobuf's, and a list of common passwords.
    return layer.exec(from)?.[1] !== "domain" || ["@bufbuild/protobuf", "@zxcvbn-ts/language-common"].includes(to);
  }
  if (room === target) return layersAllow(layer.exec(from)?.[1], layer.exec(to)?.[1], typeOnly);
  if (room === "services/platform") return false;
  // It checks the settings of the processes before it starts them.
  if (room === "services/local") return target === "services/platform" || target === "cli" || to.endsWith("/config.ts");
  if (room === "bench") return target !== "test";
  return target === "services/platform";
}

/** Inside a service: rpc → domain, store, views, jobs; the others only look down, or at types. */
function layersAllow(from: string | undefined, to: string | undefined, typeOnly: boolean): boolean {
  if (from === undefined || from === to || typeOnly) return true;
  if (to === undefined) return false;
  if (from === "rpc") return true;
  if (from === "jobs") return to === "store" || to === "domain";
  return false;
}

function roomOf(file: string): string {
  const parts = file.split("/");
  return parts[0] === "services" ? parts.slice(0, 2).join("/") : (parts[0] as string);
}

function isPackage(to: string): boolean {
  return !/^(services|gateway|cli|test|bench|proto)\//.test(to);
}

function sourceFiles(folders: string[]): string[] {
  return folders.flatMap((folder) => {
    const names = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
    return names.filter((name) => name.endsWith(".ts")).map((name) => `${folder}/${name}`);
  });
}

function readArrows(from: string): Arrow[] {
  const pattern = /^(?:import|export)\s+(type\s+)?(?:[^"';]*?\sfrom\s+)?"([^"]+)"|import\("([^"]+)"\)/gm;
  return [...read(from).matchAll(pattern)].map(([text, type, named, dynamic]) => {
    const target = (named ?? dynamic) as string;
    const to = target.startsWith(".") ? relative(root, join(root, dirname(from), target)) : target;
    const areTypes = /\{(\s*type [^,}]*,?)+\s*\}/.test(text);
    return { from, to, typeOnly: type !== undefined || areTypes, isDynamic: dynamic !== undefined };
  });
}

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

function show({ from, to }: Arrow): string {
  return `${from} → ${to}`;
}
