import { setTimeout as sleep } from "node:timers/promises";
import { type Client, Code, ConnectError } from "@connectrpc/connect";
import pLimit from "p-limit";
import type { Status } from "../../proto/gen/social/v1/statuses_pb.ts";
import type { Reading, ReadNewsResponse, WatchService } from "../../proto/gen/social/v1/watch_service_pb.ts";
import { chunk } from "../../services/platform/chunk.ts";
import type { Log } from "../../services/platform/log.ts";
import { timeOfId } from "../../services/platform/rules/ids.ts";
import { noRoomForStreams, tooManyStreams } from "../http/errors/catalog.ts";
import { type Deadline, millisecondsUntil } from "../http/limits/deadline.ts";
import type { VersionServices } from "../reads/versions.ts";
import { authorIdsOf, hasAuthor, withAuthors } from "./author-ids.ts";
import { watchAuthors } from "./hints.ts";
import type { LiveCounts } from "./metrics.ts";
import { jsonOf, type Reader, rereadMs, type Stream } from "./stream.ts";

/** The service of live streams. */
export interface LiveServices {
  watch: Pick<Client<typeof WatchService>, "watch" | "readNews" | "readNewsOfMany">;
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
  /** Gives a stream its events, from the first read on, until it is closed. */
  add(stream: Stream, first: ReadNewsResponse): void;
  remove(stream: Stream): void;
  /** Ends all streams, and tells their clients to come back after a second. */
  end(): void;
}

/**
 * Streams are read together when one of their authors may have news, and once a minute: a lost hint costs time only. A stream is read by
 * itself when its reader has changed, and where that was not enough.
 */
export function createStreams(
  { streamsPerAddress, maxStreams, serviceTimeoutMs }: LiveLimits,
  services: LiveServices & VersionServices,
  counts: LiveCounts,
  log: Log,
): Streams {
  const streams = new Set<Stream>();
  const reserved = new Map<string, number>();
  const hints = new Set<bigint>();
  let isReadingHints = false;
  let sum = 0;
  let isEnding = false;
  let stopWatching: (() => void) | undefined;
  const [polls, groups] = [pLimit(maxPolls), pLimit(maxGroups)];
  const timeoutMs = serviceTimeoutMs;
  counts.measure(() => streams.size);

  /** Reads what the authors of hints have published, until there are no more hints. */
  async function readHints(): Promise<void> {
    if (isReadingHints) return;
    isReadingHints = true;
    while (hints.size > 0) {
      const told = [...hints].map(Number);
      hints.clear();
      const watched = new Set<number>();
      const woken = [...streams].filter(({ authorIds }) => {
        const own = told.filter((id) => hasAuthor(authorIds, id));
        for (const id of own) watched.add(id);
        return own.length > 0;
      });
      await readTogether(woken, watched.size > maxHints ? [] : [...watched].map(BigInt));
    }
    isReadingHints = false;
  }

  /** @param authorIds empty for all authors */
  async function readTogether(some: readonly Stream[], authorIds: readonly bigint[]): Promise<void> {
    await Promise.all(chunk(some, maxTogether).map((part) => groups(() => readGroup(part, authorIds))));
  }

  async function readGroup(some: readonly Stream[], authorIds: readonly bigint[]): Promise<void> {
    const ofAll = authorIds.length === 0;
    const open = some.filter((stream) => stream.isOpen && !stream.isReading && stream.isTaken);
    for (const stream of open) {
      stream.isReading = true;
      if (ofAll) stream.readAt = performance.now();
    }
    // The others are busy.
    for (const stream of some) if (!open.includes(stream)) wake(stream);
    try {
      const places = open.map(({ reader: { viewerId, screenName }, authorIds: [authorId = 0], cursor }) => {
        return { viewerId, authorId: screenName === "" ? 0n : BigInt(authorId), cursor };
      });
      const { readings, statuses } = await services.watch.readNewsOfMany(
        { places, authorIds: [...authorIds] },
        { timeoutMs },
      );
      const json = jsonOf(statuses);
      for (const [index, stream] of open.entries()) {
        const reading = readings[index] as Reading;
        add(stream, reading, { statuses, json, isReset: false, ofAll });
        if (reading.hasMore) stream.hasNews = true;
        if (stream.cursor.length > longCursor) stream.readAt = Number.NEGATIVE_INFINITY;
      }
    } catch (error) {
      log.debug({ err: error }, "live streams cannot be read");
      for (const stream of open) stream.readAt = Number.NEGATIVE_INFINITY;
    } finally {
      for (const stream of open) {
        stream.isReading = false;
        if (stream.hasNews) wake(stream);
      }
    }
  }

  /** Has a stream read by itself. */
  function wake(stream: Stream): void {
    stream.hasNews = true;
    if (!stream.isReading) void poll(stream);
  }

  /** Reads until there is no news, one page after the other. */
  async function poll(stream: Stream): Promise<void> {
    stream.isReading = true;
    while (stream.hasNews && stream.isOpen) {
      const waitMs = stream.polledAt + minIntervalMs - performance.now();
      if (waitMs > 0) await sleep(waitMs);
      await stream.taken();
      await polls(() => pollOnce(stream));
    }
    stream.isReading = false;
  }

  async function pollOnce(stream: Stream): Promise<void> {
    if (!stream.isOpen) return;
    const now = performance.now();
    Object.assign(stream, { hasNews: false, polledAt: now });
    try {
      const { reading, statuses, isLost, authorIds } = await read(stream.reader, stream.cursor, timeoutMs);
      const authors = authorIdsOf(authorIds);
      const isReset = isLost || stream.authorIds.some((id) => !hasAuthor(authors, id));
      stream.authorIds = authors;
      add(stream, reading as Reading, { statuses, json: jsonOf(statuses), isReset, ofAll: true });
      stream.readAt = now;
      if (reading?.hasMore) Object.assign(stream, { hasNews: true, polledAt: 0 });
    } catch (error) {
      if (isRefusal(error)) return stream.end();
      log.debug({ err: error }, "a live stream cannot be read");
      Object.assign(stream, { hasNews: true, polledAt: performance.now() + failureMs });
    }
  }

  function read({ viewerId, screenName }: Reader, cursor: string, timeoutMs: number) {
    return services.watch.readNews({ viewerId, screenName, cursor }, { timeoutMs });
  }

  function add(stream: Stream, reading: Reading, { statuses, json, ...read }: Found): void {
    if (!stream.isOpen) return;
    const found = reading.news.flatMap(({ index }) => statuses[index] ?? []);
    // Of authors who were followed after the list was made: what is shown of them may be lost, too.
    stream.authorIds = withAuthors(
      stream.authorIds,
      found.flatMap(({ user }) => user?.id ?? []),
    );
    stream.add(reading, json, read);
    for (const { id } of found) counts.lag.observe(ageOf(id) / 1_000);
  }

  /** Watches as long as there are streams. */
  function watch(): () => void {
    const stopHints = watchAuthors(
      services.watch,
      {
        onConnected: () => void readTogether([...streams], []),
        onHints(authorIds) {
          counts.hints.value += authorIds.length;
          for (const id of authorIds) hints.add(id);
          void readHints();
        },
      },
      log,
    );
    let isChecking = false;
    const timer = setInterval(() => {
      const now = performance.now();
      const due: Stream[] = [];
      for (const stream of streams) {
        if (stream.commentAt <= now) stream.comment(now);
        if (stream.readAt + rereadMs > now || stream.isReading) continue;
        stream.readAt = now;
        due.push(stream);
      }
      void readTogether(due, []);
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
    const presented = [...streams].map(({ reader }) => reader.sessionId).filter((id) => id !== "");
    const users = await askOnce(presented, async (sessionIds) => {
      return (await services.sessions.findSessionUsers({ sessionIds }, { timeoutMs })).userIds;
    });
    for (const stream of streams) if (users.get(stream.reader.sessionId) === 0n) stream.end();
  }

  /** Wakes the streams whose reader follows others now, or whose author may no longer be read. */
  async function findChanges(): Promise<void> {
    const readers = [...streams].map(({ reader }) => reader);
    const [viewers, authors] = await Promise.all([
      askOnce(
        readers.map(({ viewerId }) => viewerId),
        async (viewerIds) => (await services.versions.listVersions({ viewerIds }, { timeoutMs })).viewerVersions,
      ),
      askOnce(
        readers.map(({ screenName }) => screenName),
        async (screenNames) => {
          return (await services.versions.listVersions({ screenNames }, { timeoutMs })).versions.map(withoutCounters);
        },
      ),
    ]);
    for (const stream of streams) {
      const { viewerId, screenName } = stream.reader;
      const [viewer, author] = [viewers.get(viewerId), authors.get(screenName)];
      // It came after the question.
      if (viewer === undefined || author === undefined) continue;
      // Also the first time: something may have changed since it began.
      if (stream.viewerVersion !== viewer || stream.authorVersion !== author) wake(stream);
      stream.viewerVersion = viewer;
      stream.authorVersion = author;
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
    read: (reader, cursor, deadline) => polls(() => read(reader, cursor, millisecondsUntil(deadline))),
    add(stream, { reading, statuses, hasLeft }) {
      add(stream, reading as Reading, { statuses, json: jsonOf(statuses), isReset: hasLeft, ofAll: true });
      if (reading?.hasMore) wake(stream);
      streams.add(stream);
      stopWatching ??= watch();
    },
    remove(stream) {
      streams.delete(stream);
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

/** What was read, with the statuses of the readings. */
interface Found {
  statuses: readonly Status[];
  json: readonly string[];
  isReset: boolean;
  ofAll: boolean;
}

/** Asks for each key once, by calls of bounded size. */
async function askOnce<Key, Answer>(
  keys: Iterable<Key>,
  ask: (some: Key[]) => Promise<Answer[]>,
): Promise<Map<Key, Answer>> {
  const answers = new Map<Key, Answer>();
  for (const some of chunk([...new Set(keys)], maxKeys)) {
    for (const [index, answer] of (await ask(some)).entries()) answers.set(some[index] as Key, answer);
  }
  return answers;
}

/** Milliseconds since an id was made. */
function ageOf(id: bigint): number {
  return Math.max(0, Date.now() - timeOfId(id));
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

/** Reads of single streams at once: the connections to the service leave room for the watch. */
const maxPolls = 32;

/** Reads of many streams at once. */
const maxGroups = 4;

/** Streams of one read. */
const maxTogether = 500;

/** Letters of a cursor that has notes about many authors. A read of all authors makes it short. */
const longCursor = 400;

/** Authors of one read; with more, all are read. */
const maxHints = 1_000;

/** Of one stream. */
const minIntervalMs = 100;
const failureMs = 1_000;

const checkMs = 1_000;

/** Of one call. */
const maxKeys = 2_000;
