import { create, type DescMethod, type DescMethodUnary, type Message } from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import type { CachedPage } from "../../proto/gen/contract/v1/annotations_pb.ts";
import { chunk } from "../../services/platform/chunk.ts";
import { shownUsersHeader, viewerHeader, viewerVersionHeader } from "../../services/platform/connect/identity.ts";
import { maxEntries } from "../../services/platform/max-entries.ts";
import type { Histogram } from "../../services/platform/metrics/instruments.ts";
import { compileSize } from "../../services/platform/rules/field-rules.ts";
import { fieldNamed, type Values } from "../../services/platform/rules/request-rules.ts";
import { decodeReply, type RawCall, rawCall } from "../calls/raw-call.ts";
import type { Deadline } from "../http/limits/deadline.ts";
import { compileTranscoder, type Transcoder } from "../rendering/compile-transcoder.ts";
import { textsOf } from "../rendering/wire-reader.ts";
import { createGroups } from "./group.ts";
import { elementsOf, type LookupShape, listOf, type Shape } from "./shape.ts";
import { absentVersion } from "./versions.ts";

/** A reply as its service made it. */
export interface Loaded {
  /** The whole JSON. */
  bytes: Buffer;
  /** The versions that it shows, of the snapshot that it was made from, in the order of the request's names. */
  versions: readonly string[];
}

/** A reply for a viewer. */
export interface LoadedForViewer extends Loaded {
  /** The viewer's version in that snapshot; undefined where the reply was read in several: it is not cached. */
  viewerVersion?: string | undefined;
  /** The users whose relations to the viewer it shows; undefined where there are too many to be listed. */
  userIds?: readonly string[] | undefined;
}

/** Loads the reply to a request for anonymous callers. Rejects with ConnectError. */
export type LoadShared = (input: Message, names: readonly string[], deadline: Deadline) => Promise<Loaded>;

/** Loads the reply to a request for one viewer. Rejects with ConnectError. */
export type LoadForViewer = (
  input: Message,
  names: readonly string[],
  viewerId: string,
  deadline: Deadline,
) => Promise<LoadedForViewer>;

/** How the replies of an operation are loaded. */
export interface Loads {
  load: LoadShared;
  loadForViewer: LoadForViewer;
}

/** Loads each reply for a viewer in a call of its own. */
function createLoadAlone(operation: ReadOperation, shape: Shape): LoadForViewer {
  return async (input, names, viewerId, deadline) => {
    const { wire, header } = await operation.call(input, { [viewerHeader]: viewerId }, deadline);
    return {
      bytes: operation.render(wire),
      versions: shape.versionsIn(wire, names),
      viewerVersion: header.get(viewerVersionHeader) ?? undefined,
      userIds: header.get(shownUsersHeader)?.split(","),
    };
  };
}

/**
 * Loads pages of one user each. Where the service lists several, pages that are asked for together are one call, for one viewer or several.
 * @throws Error for an annotation that cannot be served
 */
export function createLoadPages(
  operation: ReadOperation,
  shape: Shape,
  { listRpc: name, size, maxSize }: CachedPage,
  keysInGroup: Histogram,
): Loads {
  const { input, output } = operation.method;
  // Pages of anonymous callers share the connections of groups, whose number is bounded here, not by the callers.
  const callAlone = rawCall(operation.method, operation.transport);
  const loadAlone: LoadShared = async (request, names, deadline) => {
    const { wire } = await callAlone(request, {}, deadline);
    return { bytes: operation.render(wire), versions: shape.versionsIn(wire, names) };
  };
  const loadViewerAlone = createLoadAlone(operation, shape);
  if (name === "") return { load: loadAlone, loadForViewer: loadViewerAlone };

  const method = listRpc(operation.method, name);
  const list = listOf(method);
  const [requestList, viewerList] = method.input.fields;
  const [page, viewerVersion, shownUsers] = list.message.fields;
  if (requestList?.message !== input || page?.message !== output || !viewerList || !viewerVersion || !shownUsers)
    throw new Error(`${method} lists no such pages`);
  const callList = rawCall(method, operation.transport);
  const sizeField = fieldNamed(input, size);
  const sizeOf = compileSize(sizeField);

  const loadInGroup = createGroups<LoadedForViewer, PageKey>(
    async (keys, deadline) => {
      keysInGroup.observe(keys.length);
      const alone = ({ request, names, viewerId }: PageKey): Promise<LoadedForViewer> =>
        viewerId === "" ? loadAlone(request, names, deadline) : loadViewerAlone(request, names, viewerId, deadline);
      const [first] = keys;
      if (first !== undefined && keys.length === 1) return [alone(first)];
      const asked = {
        [requestList.localName]: keys.map(({ request }) => request),
        [viewerList.localName]: keys.map(({ viewerId }) => BigInt(viewerId)),
      };
      const { wire } = await callList(create(method.input, asked), {}, deadline);
      const listed = elementsOf(wire, list);
      // What the operation would refuse is not listed: alone it gives the error.
      return keys.map((key, index) => {
        const element = listed.length === keys.length ? listed[index] : undefined;
        const reply = element && elementsOf(element, page)[0];
        if (element === undefined || reply === undefined) return alone(key);
        const [version = "", userIds = ""] = decodeReply(() =>
          textsOf(element, viewerVersion.number, shownUsers.number),
        );
        return {
          bytes: operation.render(reply),
          versions: shape.versionsIn(reply, key.names),
          viewerVersion: version || undefined,
          userIds: userIds === "" ? undefined : userIds.split(","),
        };
      });
    },
    {
      maxConcurrent,
      stalledMs: 250,
      textOf: ({ request, names, viewerId }) => `${viewerId}:${shape.rest(request)}:${names}`,
      // Bounds the pages that a gateway has in memory before they are stored. An entry of a call is a request or its viewer.
      sizeOf: ({ request }) =>
        Math.max(
          sizeOf((request as Values)[sizeField.localName] as bigint | undefined),
          (2 * maxSize) / maxEntries(method.input),
        ),
      maxSize,
    },
  );
  const loadForViewer: LoadForViewer = async (request, names, viewerId, deadline) => {
    const [loaded] = await loadInGroup([{ request, names, viewerId }], deadline);
    return loaded as LoadedForViewer;
  };
  return { load: (request, names, deadline) => loadForViewer(request, names, "", deadline), loadForViewer };
}

/** A page that is asked for; `viewerId` is "" for anonymous callers. */
interface PageKey {
  request: Message;
  names: readonly string[];
  viewerId: string;
}

function listRpc(operation: DescMethodUnary, name: string): DescMethodUnary {
  const isNamed = (one: DescMethod): one is DescMethodUnary => one.name === name && one.methodKind === "unary";
  const method = operation.parent.methods.find(isNamed);
  if (method === undefined) throw new Error(`${operation.parent} has no unary RPC ${name}`);
  return method;
}

/**
 * Loads lookups of several users: those that anonymous callers ask for together are one call, in which each user is once. A viewer's is a
 * call of its own.
 */
export function createLoadLookups(operation: ReadOperation, shape: LookupShape, keysInGroup: Histogram): Loads {
  const { method, transport } = operation;
  const { subjects, list } = shape;
  const call = rawCall(method, transport);
  const transcode = compileTranscoder(list.message);
  const [start, end] = aroundList(operation);

  async function loadSome(names: readonly string[], deadline: Deadline) {
    const { wire } = await call(create(method.input, { [subjects.localName]: [...names] }), {}, deadline);
    const found = new Map(
      elementsOf(wire, list).map((element) => {
        const { nameKey, version } = shape.entry(element);
        return [nameKey, { json: transcode(element), version }] as const;
      }),
    );
    return names.map((name) => found.get(name));
  }

  const load = createGroups<Entry | undefined>(
    async (names, deadline) => {
      keysInGroup.observe(names.length);
      return (await Promise.all(chunk(names, maxInCall).map((some) => loadSome(some, deadline)))).flat();
    },
    { maxConcurrent: 2, stalledMs: 250, maxSize: maxInGroup },
  );
  const loadShared: LoadShared = async (_input, names, deadline) => {
    const entries = await load(names, deadline);
    const found = entries.flatMap((entry) => (entry === undefined ? [] : [comma, entry.json]));
    return {
      bytes: Buffer.concat([start, ...found.slice(1), end]),
      versions: entries.map((entry) => entry?.version ?? absentVersion),
    };
  };
  return { load: loadShared, loadForViewer: createLoadAlone(operation, shape) };
}

/** A user's part of a lookup's reply. */
interface Entry {
  json: Buffer;
  version: string;
}

/** The text of a reply before and after its list. */
function aroundList({ method, emptyReply }: ReadOperation): [start: Buffer, end: Buffer] {
  const [start, end] = `${emptyReply}`.split(/(?<=\[)(?=\])/).map((text) => Buffer.from(text));
  if (start === undefined || end === undefined) throw new Error(`${method} does not always write its list`);
  return [start, end];
}

const comma = Buffer.from(",");

/** Names in one call. */
const maxInCall = 250;

/** Names in one group: those of 500 lookups together would block the event loop for 0.6 s. */
const maxInGroup = 8_000;

/** Calls for pages under way at once: several, so that no page waits long; few, so that pages share calls. */
const maxConcurrent = 4;

/** Loads what a key names, mostly once for all callers that wait for it. Rejects as `load` does, but never because of another caller's deadline. */
export type LoadOnce<T> = (key: string, load: () => Promise<T>) => Promise<T>;

/** Coalesces loads of the same key (single flight). */
export function createLoadOnce<T>(): LoadOnce<T> {
  const loading = new Map<string, Promise<T>>();
  const loadOnce: LoadOnce<T> = (key, load) => {
    const current = loading.get(key);
    if (current !== undefined) {
      return current.catch((error: unknown) => {
        if (!(error instanceof ConnectError) || error.code !== Code.DeadlineExceeded) throw error;
        return loadOnce(key, load);
      });
    }
    const forget = () => void (loading.get(key) === promise && loading.delete(key));
    const stalled = setTimeout(forget, stalledMs);
    const promise = load().finally(() => {
      clearTimeout(stalled);
      forget();
    });
    loading.set(key, promise);
    return promise;
  };
  return loadOnce;
}

/** Milliseconds after which later callers start a load of their own: the service of the first one may hang. */
const stalledMs = 250;

/** An operation, as far as reads need it. */
export interface ReadOperation {
  name: string;
  method: DescMethodUnary;
  /** The transport to its service for calls that several callers share. */
  transport: Transport;
  isRead: boolean;
  /** The JSON of a reply without anything in it. */
  emptyReply: Buffer;
  call: RawCall;
  /** The JSON of a reply. @throws ConnectError when it cannot be read */
  render: Transcoder;
}
