import type { Message } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import type { LRUCache } from "lru-cache";
import type { Ask } from "../calls/group.ts";
import { toPublicError } from "../http/errors/from-service.ts";
import type { Deadline } from "../http/limits/deadline.ts";
import { encode, type PageForm } from "../http/replies/encoding.ts";
import { shortDigest } from "../http/replies/entity-tag.ts";
import { createPage, type Page } from "../http/replies/page.ts";
import type { Answerable } from "../http/targets.ts";
import type { LoadedForViewer, LoadOnce, Loads, ReadOperation } from "./load.ts";
import type { Shape } from "./shape.ts";
import type { Store } from "./store.ts";
import { absentVersion, suspendedVersion, unknownVersion, viewerSubject } from "./versions.ts";
import { type FindViewer, type Viewer, viewerPart } from "./viewer.ts";

/** Prepares a read: what it shows, whose versions it depends on. Its reply is as it stands after `answer` is called. */
export function prepare(operation: CachedOperation, input: Message): Answerable {
  const { shape } = operation;
  const names = shape.names(input);
  if (names === undefined) return { answer: (...caller) => answerUncached({ operation, input, names }, ...caller) };
  const resource = `${operation.name}:${shape.rest(input)}:${shortened(names)}`;
  const read = { operation, input, names, resource };
  return { answer: (...caller) => answerNamed(read, ...caller) };
}

interface PreparedRead {
  operation: CachedOperation;
  input: Message;
  names: readonly string[];
  /** Names the request. */
  resource: string;
}

/** Versions are asked for, never stored; a reply is stored under the versions of the snapshot that it was made from. */
async function answerNamed(read: PreparedRead, sessionId: string, form: PageForm, deadline: Deadline): Promise<Page> {
  const { store } = read.operation.parts;
  if (store === undefined) return answerUncached(read, sessionId, form, deadline);
  const { versions, userId, viewerVersion } = await ask(read, sessionId, deadline);
  const load = () =>
    userId === undefined
      ? answerShared(read, versions, form, deadline)
      : answerViewer(read, versions, { userId, version: viewerVersion }, { form, deadline });
  return refusesUnknown(read, versions) ? refuseOr(store, keyOf(read, versions), load) : load();
}

/** Loads what no user has, and stores the refusal: it stands as long as no user has the name. Rejects with PublicError for a refusal. */
async function refuseOr(store: Store, requestKey: string, load: () => Promise<Page>): Promise<Page> {
  const stored = store.findRefusal(requestKey);
  if (stored !== undefined) throw stored;
  try {
    return await load();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    // Below 500 an error shows no reference.
    const refusal = toPublicError(error, "");
    store.refuse(requestKey, refusal);
    throw refusal;
  }
}

interface Asked {
  versions: readonly string[];
  /** Of the user of the session; undefined where it is unknown or has ended. */
  userId: string | undefined;
  viewerVersion: string;
}

/**
 * Asks for all versions that a read depends on. The account service says whether the session stands while the social service gives the
 * versions: which user a session belongs to never changes, so that is remembered.
 */
async function ask({ operation, names }: PreparedRead, sessionId: string, deadline: Deadline): Promise<Asked> {
  const { askVersions, askSessions, sessionUsers } = operation.parts;
  if (sessionId === "") return { versions: await askVersions(names, deadline), userId: undefined, viewerVersion: "" };
  const remembered = sessionUsers.get(sessionId);
  const early = remembered === undefined ? undefined : askVersions([viewerSubject(remembered), ...names], deadline);
  // Awaited only if the session stands.
  early?.catch(() => {});
  const [userId = ""] = await askSessions([sessionId], deadline);
  if (userId === "") return { versions: await askVersions(names, deadline), userId: undefined, viewerVersion: "" };
  sessionUsers.set(sessionId, userId);
  const [viewerVersion = absentVersion, ...versions] = await (early ??
    askVersions([viewerSubject(userId), ...names], deadline));
  return { versions, userId, viewerVersion };
}

async function answerShared(
  { operation, input, names, resource }: PreparedRead,
  versions: readonly string[],
  form: PageForm,
  deadline: Deadline,
): Promise<Page> {
  const { loadOnce } = operation.parts;
  const store = operation.parts.store as Store;
  const keyIn = (versions: readonly string[]) => `${keyOf({ operation, resource }, versions)}|anonymous`;
  const key = keyIn(versions);
  const stored = store.find(key, form);
  if (stored !== undefined) return stored;
  const load = async () => {
    const fetched = await store.fetch(key, form, "shared");
    if (fetched !== undefined) return fetched;
    const { bytes, versions: shown } = await operation.load(input, names, deadline);
    return store.put(keyIn(shown), form, "shared", bytes);
  };
  return mayShare(versions) ? loadOnce(`${form} ${key}`, load) : load();
}

async function answerViewer(
  read: PreparedRead,
  versions: readonly string[],
  asked: { userId: string; version: string },
  { form, deadline }: { form: PageForm; deadline: Deadline },
): Promise<Page> {
  const { operation } = read;
  const { findViewer, loadViewerOnce } = operation.parts;
  const store = operation.parts.store as Store;
  const requestKey = keyOf(read, versions);
  const load = () => operation.loadForViewer(read.input, read.names, asked.userId, deadline);
  if (asked.version === absentVersion) return uncachedPage((await load()).bytes, form, true);
  const viewer = await findViewer(asked.userId, asked.version, deadline);
  const find = async (key: string | undefined) =>
    key === undefined ? undefined : (store.find(key, form) ?? store.fetch(key, form, "private"));
  const key = viewerKey(operation, requestKey, viewer);
  const stored = await find(key);
  if (stored !== undefined) return stored;
  let isOwn = false;
  const make = async () => {
    isOwn = true;
    return putForViewer(read, await load(), viewer, form);
  };
  const loading = mayShare(versions) ? loadViewerOnce(`${form} ${key ?? requestKey}`, make) : make();
  if (isOwn) return (await loading).page;
  // Another request's load, maybe for another viewer: its page is right for this one if it has the same key, and its refusal says nothing.
  const made = await loading.catch(() => undefined);
  const ownKey = viewerKey(operation, requestKey, viewer);
  if (made?.key !== undefined && made.key === ownKey) return made.page;
  return (await find(ownKey)) ?? (await make()).page;
}

async function putForViewer(
  read: PreparedRead,
  { bytes, versions, viewerVersion, userIds }: LoadedForViewer,
  viewer: Viewer,
  form: PageForm,
): Promise<ViewerPage> {
  const { store, shownUsers } = read.operation.parts;
  if (viewerVersion === undefined || store === undefined) {
    return { page: await uncachedPage(bytes, form, true), key: undefined };
  }
  const requestKey = keyOf(read, versions);
  shownUsers.set(requestKey, { userIds });
  // The snapshot may be later than the relations; then the page is for this viewer in that version alone.
  const part = viewerVersion === viewer.version ? viewerPart(userIds, viewer) : viewerVersion;
  const key = `${requestKey}|${part}`;
  return { page: await store.put(key, form, "private", bytes), key };
}

/** Asks the service each time: nothing is stored, or the names do not say all that the request asks for. */
async function answerUncached(
  { operation, input, names }: Omit<PreparedRead, "resource" | "names"> & { names: readonly string[] | undefined },
  sessionId: string,
  form: PageForm,
  deadline: Deadline,
): Promise<Page> {
  const userId = await findUser(operation, sessionId, deadline);
  const { bytes } = await (userId === "" && names !== undefined
    ? operation.load(input, names, deadline)
    : operation.loadForViewer(input, names ?? [], userId, deadline));
  return uncachedPage(bytes, form, userId !== "");
}

/** The user of a session; "" without one that stands. */
async function findUser({ parts }: CachedOperation, sessionId: string, deadline: Deadline): Promise<string> {
  const [userId = ""] = sessionId === "" ? [] : await parts.askSessions([sessionId], deadline);
  return userId;
}

async function uncachedPage(plain: Buffer, form: PageForm, isPrivate: boolean): Promise<Page> {
  const { bytes, form: made } = await encode(plain, form);
  return createPage(bytes, made, plain, isPrivate);
}

/** Names a request and the versions in which it is answered. */
function keyOf({ operation, resource }: Pick<PreparedRead, "operation" | "resource">, versions: readonly string[]) {
  // A lookup leaves out unknown and suspended users alike; a page refuses them differently.
  const shown = operation.isLookup
    ? versions.map((version) => (mayComeBack(version) ? absentVersion : version))
    : versions;
  return `${resource} ${shortened(shown)}`;
}

/** Words as a part of a key. */
function shortened(words: readonly string[]): string {
  return words.length > 3 ? shortDigest(words.join(" ")) : words.join(" ");
}

/** undefined while it is not known which users the page shows. */
function viewerKey({ parts }: CachedOperation, requestKey: string, viewer: Viewer): string | undefined {
  const shown = parts.shownUsers.get(requestKey);
  return shown && `${requestKey}|${viewerPart(shown.userIds, viewer)}`;
}

/**
 * Whether callers who were told these versions may share a load that another one began: it began after those versions were told for the
 * first time, and versions only grow. An absent one may come back after others.
 */
function mayShare(versions: readonly string[]): boolean {
  return !versions.some(mayComeBack);
}

function mayComeBack(version: string): boolean {
  return version === absentVersion || version === unknownVersion || version === suspendedVersion;
}

function refusesUnknown({ operation }: PreparedRead, [version]: readonly string[]): boolean {
  return !operation.isLookup && version === unknownVersion;
}

function isNotFound(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.NotFound;
}

/** What all cached operations share. */
export interface ReadParts {
  askVersions: Ask<string>;
  askSessions: Ask<string>;
  /** The users of sessions, which never change: whether a session stands is asked each time. */
  sessionUsers: LRUCache<string, string>;
  findViewer: FindViewer;
  /** undefined: nothing is stored. */
  store: Store | undefined;
  /** Which users a reply shows to viewers, by request and versions; without `userIds` they are too many to be listed. */
  shownUsers: LRUCache<string, { userIds: readonly string[] | undefined }>;
  loadOnce: LoadOnce<Page>;
  loadViewerOnce: LoadOnce<ViewerPage>;
}

/** A cached operation, compiled. */
export interface CachedOperation extends ReadOperation, Loads {
  parts: ReadParts;
  shape: Shape;
  /** Whether it leaves out unknown users, instead of refusing the request. */
  isLookup: boolean;
}

/** A page that was made for a viewer. */
interface ViewerPage {
  page: Page;
  /** undefined: it is not stored. */
  key: string | undefined;
}
