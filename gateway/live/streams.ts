import { setTimeout as sleep } from "node:timers/promises";
import { type Client, Code, ConnectError } from "@connectrpc/connect";
import pLimit from "p-limit";
import type { ReadNewsResponse, WatchService } from "../../proto/gen/social/v1/watch_service_pb.ts";
import { chunk } from "../../services/platform/chunk.ts";
import type { Log } from "../../services/platform/log.ts";
import { noRoomForStreams, tooManyStreams } from "../http/errors/catalog.ts";
import { type Deadline, millisecondsUntil } from "../http/limits/deadline.ts";
import type { VersionServices } from "../reads/versions.ts";
import { watchAuthors } from "./hints.ts";
import type { LiveCounts } from "./metrics.ts";
import type { Reader, Stream } from "./stream.ts";

/** The service of live streams. */
export interface LiveServices {
  watch: Pick<Client<typeof WatchService>, "watch" | "readNews">;
}

/** What live streams may take. */
export interface LiveLimits {
  /** Streams of one address; 0 for any number. */
  streamsPerAddress: number;
  maxStreams: number;
  /** Milliseconds that a call may take. */
  serviceTimeoutMs: number;
}

/** The live streams of this process. */
export interface Streams {
  /** Whether this process takes no more streams, since it stops. */
  isEnding(): boolean;
  /**
   * Counts a stream until it is released.
   * @param address undefined for one that has no limit
   * @throws PublicError 429 or 503 when there are too many
   */
  reserve(address: string | undefined): { release(): void };
  /** What a reader has not been given. Rejects with ConnectError. @param cursor "" for now */
  read(reader: Reader, cursor: string, deadline: Deadline): Promise<ReadNewsResponse>;
  /** Gives a stream its events, until it is closed. */
  add(stream: Stream): void;
  remove(stream: Stream): void;
  /** Ends all streams, and tells their clients to come back after a second. */
  end(): void;
}

/** A stream reads when one of its authors may have news, when its reader has changed, and every 15 seconds: a lost hint costs time only. */
export function createStreams(
  { streamsPerAddress, maxStreams, serviceTimeoutMs }: LiveLimits,
  services: LiveServices & VersionServices,
  counts: LiveCounts,
  log: Log,
): Streams {
  const streams = new Set<Stream>();
  const byAuthor = new Map<bigint, Set<Stream>>();
  const reserved = new Map<string, number>();
  let sum = 0;
  let isEnding = false;
  let stopWatching: (() => void) | undefined;
  const inTurn = pLimit(maxPolls);
  counts.measure(() => streams.size);

  function read({ viewerId, screenName }: Reader, cursor: string, listsAuthors: boolean, timeoutMs: number) {
    return services.watch.readNews({ viewerId, screenName, cursor, listsAuthors }, { timeoutMs });
  }

  function wake(stream: Stream, listsAuthors = false): void {
    stream.hasNews = true;
    stream.listsAuthors ||= listsAuthors;
    if (!stream.isPolling) void poll(stream);
  }

  /** Reads until there is no news, one page after the other. */
  async function poll(stream: Stream): Promise<void> {
    stream.isPolling = true;
    while (stream.hasNews && stream.isOpen) {
      const waitMs = stream.polledAt + minIntervalMs - performance.now();
      if (waitMs > 0) await sleep(waitMs);
      await stream.taken();
      await inTurn(() => pollOnce(stream));
    }
    stream.isPolling = false;
  }

  async function pollOnce(stream: Stream): Promise<void> {
    if (!stream.isOpen) return;
    const { listsAuthors } = stream;
    Object.assign(stream, { hasNews: false, listsAuthors: false, polledAt: performance.now() });
    try {
      const found = await read(stream.reader, stream.cursor, listsAuthors, serviceTimeoutMs);
      const hasLost = listsAuthors && setAuthors(stream, found.authorIds);
      addAuthors(stream, found);
      stream.add(found, hasLost);
      for (const { status } of found.news) if (status !== undefined) counts.lag.observe(ageOf(status.id) / 1_000);
      if (found.hasMore) Object.assign(stream, { hasNews: true, polledAt: 0 });
    } catch (error) {
      if (isRefusal(error)) return stream.end();
      log.debug({ err: error }, "a live stream cannot be read");
      Object.assign(stream, { hasNews: true, listsAuthors, polledAt: performance.now() + failureMs });
    }
  }

  /** Returns whether an author is no longer among them. */
  function setAuthors(stream: Stream, authorIds: readonly bigint[]): boolean {
    const now = new Set(authorIds);
    const gone = stream.authorIds.filter((id) => !now.has(id));
    for (const id of gone) forget(stream, id);
    stream.authorIds = authorIds;
    if (streams.has(stream)) for (const id of authorIds) register(stream, id);
    return gone.length > 0;
  }

  /** Authors who were followed after the list was made: what is shown of them may be lost, too. */
  function addAuthors(stream: Stream, { news }: ReadNewsResponse): void {
    for (const { status } of news) {
      const id = status?.user?.id;
      if (id === undefined || stream.authorIds.includes(id)) continue;
      stream.authorIds = [...stream.authorIds, id];
      if (streams.has(stream)) register(stream, id);
    }
  }

  function register(stream: Stream, authorId: bigint): void {
    const known = byAuthor.get(authorId);
    if (known === undefined) byAuthor.set(authorId, new Set([stream]));
    else known.add(stream);
  }

  function forget(stream: Stream, authorId: bigint): void {
    const known = byAuthor.get(authorId);
    known?.delete(stream);
    if (known?.size === 0) byAuthor.delete(authorId);
  }

  /** Watches as long as there are streams. */
  function watch(): () => void {
    const stopHints = watchAuthors(
      services.watch,
      {
        onConnected: () => streams.forEach((stream) => wake(stream)),
        onHints(authorIds) {
          counts.hints.value += authorIds.length;
          for (const id of authorIds) byAuthor.get(id)?.forEach((stream) => wake(stream));
        },
      },
      log,
    );
    let isChecking = false;
    const timer = setInterval(() => {
      const now = performance.now();
      for (const stream of streams) {
        if (stream.commentAt > now) continue;
        stream.comment(now);
        wake(stream, true);
      }
      if (isChecking) return;
      isChecking = true;
      const failed = (error: unknown) => log.debug({ err: error }, "the readers of live streams cannot be checked");
      void Promise.all([endSessions().catch(failed), findChanges().catch(failed)]).then(() => {
        isChecking = false;
      });
    }, checkMs);
    timer.unref();
    return () => {
      stopHints();
      clearInterval(timer);
    };
  }

  /** Ends the streams whose session has ended. */
  async function endSessions(): Promise<void> {
    const signedIn = [...streams].filter(({ reader }) => reader.sessionId !== "");
    for (const some of chunk(signedIn, maxKeys)) {
      const sessionIds = some.map(({ reader }) => reader.sessionId);
      const { userIds } = await services.sessions.findSessionUsers({ sessionIds }, { timeoutMs: serviceTimeoutMs });
      for (const [index, stream] of some.entries()) if (userIds[index] === 0n) stream.end();
    }
  }

  /** Wakes the streams whose reader follows others now, or whose author may no longer be read. */
  async function findChanges(): Promise<void> {
    for (const some of chunk([...streams], maxKeys)) {
      const { versions, viewerVersions } = await services.versions.listVersions(
        {
          viewerIds: some.map(({ reader }) => reader.viewerId),
          screenNames: some.map(({ reader }) => reader.screenName),
        },
        { timeoutMs: serviceTimeoutMs },
      );
      for (const [index, stream] of some.entries()) {
        const now = `${viewerVersions[index]} ${withoutCounters(versions[index] as string)}`;
        if (stream.versions !== now) wake(stream, true);
        stream.versions = now;
      }
    }
  }

  return {
    isEnding: () => isEnding,
    reserve(address) {
      const count = address === undefined ? 0 : (reserved.get(address) ?? 0);
      if (streamsPerAddress > 0 && count >= streamsPerAddress) throw tooManyStreams();
      if (sum >= maxStreams) throw noRoomForStreams();
      sum++;
      if (address !== undefined) reserved.set(address, count + 1);
      return {
        release() {
          sum--;
          if (address === undefined) return;
          const left = (reserved.get(address) ?? 0) - 1;
          if (left > 0) reserved.set(address, left);
          else reserved.delete(address);
        },
      };
    },
    read: (reader, cursor, deadline) => inTurn(() => read(reader, cursor, true, millisecondsUntil(deadline))),
    add(stream) {
      streams.add(stream);
      for (const id of stream.authorIds) register(stream, id);
      stopWatching ??= watch();
      // What came between the first read and this was told to no stream.
      wake(stream);
    },
    remove(stream) {
      streams.delete(stream);
      for (const id of stream.authorIds) forget(stream, id);
      if (streams.size > 0) return;
      stopWatching?.();
      stopWatching = undefined;
    },
    end() {
      isEnding = true;
      for (const stream of streams) stream.end(retryMs);
    },
  };
}

/** Milliseconds since an id was made (docs/design.md §4). */
function ageOf(id: bigint): number {
  return Math.max(0, Date.now() - Date.UTC(2006, 0, 1) - Number(id >> 12n));
}

/** Marks that others make of statuses change no stream. */
function withoutCounters(version: string): string {
  const [userId, content, , epoch] = version.split(".");
  return `${userId}.${content}.${epoch}`;
}

/** Whether the reader may not read this, or no longer. */
function isRefusal(error: unknown): boolean {
  return error instanceof ConnectError && refusals.has(error.code);
}

const refusals: ReadonlySet<Code> = new Set([Code.Unauthenticated, Code.PermissionDenied, Code.NotFound]);

/** The client's time until it comes back after a stop. */
export const retryMs = 1_000;

/** Reads of all streams at once: the connections to the service leave room for the watch. */
const maxPolls = 32;

/** Of one stream. */
const minIntervalMs = 100;
const failureMs = 1_000;

const checkMs = 1_000;

/** Of one call. */
const maxKeys = 2_000;
