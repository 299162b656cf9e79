import { create, type DescMethodUnary, type Message } from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { chunk } from "../../services/platform/chunk.ts";
import { shownUsersHeader, viewerHeader, viewerVersionHeader } from "../../services/platform/connect/identity.ts";
import type { Histogram } from "../../services/platform/metrics/instruments.ts";
import { createGroups } from "../calls/group.ts";
import { type RawCall, rawCall } from "../calls/raw-call.ts";
import type { Deadline } from "../http/limits/deadline.ts";
import { compileTranscoder, type Transcoder } from "../rendering/compile-transcoder.ts";
import { elementsOf, type LookupShape, type Shape } from "./shape.ts";
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

/** Loads pages of one user each. */
export function createLoadPages(operation: ReadOperation, shape: Shape): Loads {
  const loadForViewer = createLoadForViewer(operation, shape);
  return { load: (input, names, deadline) => loadForViewer(input, names, "", deadline), loadForViewer };
}

/** @returns loads a reply for a viewer; "" for anonymous callers */
function createLoadForViewer(operation: ReadOperation, shape: Shape): LoadForViewer {
  return async (input, names, viewerId, deadline) => {
    const { wire, header } = await operation.call(input, viewerId === "" ? {} : { [viewerHeader]: viewerId }, deadline);
    return {
      bytes: operation.render(wire),
      versions: shape.versionsIn(wire, names),
      viewerVersion: header.get(viewerVersionHeader) ?? undefined,
      userIds: header.get(shownUsersHeader)?.split(","),
    };
  };
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
    async (names, deadline) =>
      (await Promise.all(chunk(names, maxInCall).map((some) => loadSome(some, deadline)))).flat(),
    { maxConcurrent: 2, stalledMs: 250, maxSize: maxInGroup, keysInGroup },
  );
  const loadShared: LoadShared = async (_input, names, deadline) => {
    const entries = await load(names, deadline);
    const found = entries.flatMap((entry) => (entry === undefined ? [] : [comma, entry.json]));
    return {
      bytes: Buffer.concat([start, ...found.slice(1), end]),
      versions: entries.map((entry) => entry?.version ?? absentVersion),
    };
  };
  return { load: loadShared, loadForViewer: createLoadForViewer(operation, shape) };
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
