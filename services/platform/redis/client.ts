import { ErrorReply, RedisClient as LibraryClient, RedisCluster as LibraryCluster } from "redis";
import { chunk } from "../chunk.ts";

type Standalone = ReturnType<typeof newStandalone>;

/** The commands that we use: each needs one key, or keys in one slot, so that a Redis Cluster runs them as well. */
export type RedisCommands = Pick<Standalone, "get" | "set" | "withTypeMapping">;

/** One interface for one Redis and for a Redis Cluster, for which the library has two clients. */
export interface RedisClient {
  commands: RedisCommands;
  /** Reads keys of any slots. */
  readAll(keys: readonly string[]): Promise<(string | null)[]>;
  /** Deletes groups of keys, each group in one slot and in one step. */
  deleteAll(groups: readonly string[][]): Promise<unknown>;
  /** Whether `onChange` is called for changed keys. */
  reportsChanges: boolean;
  /**
   * Runs a script on at most `maxGroups` groups of keys, each group in one slot. The script gets the keys and arguments of one or several
   * groups, one after the other, and returns a list with a result for each, or an empty one.
   */
  evalAll(script: string, groups: readonly KeyGroup[]): Promise<unknown[]>;
  /** Whether it is connected, or trying to be. */
  isOpen(): boolean;
  /** To be called once: a closed client is not used again. */
  connect(): Promise<unknown>;
  /** Resolves when every server that holds keys has answered. */
  ping(): Promise<unknown>;
  /** Closes all connections, also those that are being made; after that only the listener `onChange` is called. */
  destroy(): void;
}

/** Keys in one slot, with the arguments that belong to them. */
export interface KeyGroup {
  keys: string[];
  arguments: string[];
}

/** Listeners for the library's events. */
export interface RedisEvents {
  /** An error; without a listener it would end the process. */
  onError(error: Error): void;
  /** A connection is ready. */
  onReady(): void;
  /**
   * A key that was read on this connection has changed; null: any key may have. Redis reports a change before it answers a later
   * command on this connection (CLIENT TRACKING). undefined: no changes are to be reported.
   */
  onChange?: OnChange | undefined;
}

/** @param key null: any key may have changed */
export type OnChange = (key: string | null) => void;

/** A client for the Redis at one address, or for the Redis Cluster that nodes at several addresses belong to. */
export function createRedisClient(urls: readonly string[], name: string, events: RedisEvents): RedisClient {
  let isDestroyed = false;
  // A cluster client that is closed while it discovers its nodes connects to them all the same, and for ever: so it is closed
  // again.
  const untilDestroyed: RedisEvents = {
    onChange: events.onChange,
    onError: (error) => (isDestroyed ? client.destroy() : events.onError(error)),
    onReady: () => (isDestroyed ? client.destroy() : events.onReady()),
  };
  const client =
    urls.length > 1
      ? clusterClient(urls, name, untilDestroyed)
      : standaloneClient(urls[0] as string, name, untilDestroyed);
  return {
    ...client,
    destroy() {
      isDestroyed = true;
      client.destroy();
    },
  };
}

function newStandalone(url: string, name: string, emitInvalidate: boolean) {
  // The library writes the address into the socket's options.
  return standaloneClass()({ url, name, ...behaviour, socket: { ...behaviour.socket }, emitInvalidate });
}

// The library builds a class of hundreds of commands for each client with new options, which takes 40 ms and more: too long for a
// process that repeatedly tries to reach an unavailable Redis.
const standaloneClass = once(() => LibraryClient.factory());
const clusterClass = once(() => LibraryCluster.factory());

function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function standaloneClient(url: string, name: string, { onError, onReady, onChange }: RedisEvents): RedisClient {
  const redis = newStandalone(url, name, onChange !== undefined);
  redis.on("error", (error: Error) => {
    if (isMisread(error, redis)) redis.destroy();
    onError(error);
  });
  redis.on("ready", onReady);
  redis.on("invalidate", (key: Buffer | null) => onChange?.(key === null ? null : key.toString()));
  return {
    commands: redis,
    reportsChanges: onChange !== undefined,
    readAll: async (keys) => (await Promise.all(chunk(keys, maxKeys).map((part) => redis.mGet(part)))).flat(),
    deleteAll: (groups) => Promise.all(chunk(groups, maxGroups).map((part) => redis.del(part.flat()))),
    evalAll: (script, groups) => run(redis, script, groups),
    isOpen: () => redis.isOpen,
    connect: () => redis.connect(),
    ping: () => (redis.isReady ? redis.ping() : Promise.reject(new Error("not connected"))),
    destroy: () => redis.destroy(),
  };
}

function clusterClient(urls: readonly string[], name: string, { onError, onReady }: RedisEvents): RedisClient {
  const { username, password, protocol } = new URL(urls[0] as string);
  const options = {
    rootNodes: urls.map((url) => ({ url })),
    // The library reads it here as well, though the type leaves it out.
    commandOptions: behaviour.commandOptions,
    // The nodes name each other, so user, password and TLS come from the first address.
    defaults: {
      name,
      ...(username !== "" && { username: decodeURIComponent(username) }),
      ...(password !== "" && { password: decodeURIComponent(password) }),
      ...behaviour,
      socket: protocol === "rediss:" ? { ...behaviour.socket, tls: true } : behaviour.socket,
    },
    // The class of the nodes' clients depends on none of these options, but is kept only while they are the same JSON.
    toJSON: () => "equal",
  };
  const redis = clusterClass()(options);
  redis.on("error", onError);
  redis.on("node-error", (error: Error, { host, port }: { host: string; port: number }) => {
    const node = redis.masters.find((master) => master.host === host && master.port === port);
    if (node?.client && isMisread(error, node.client)) destroy();
    onError(error);
  });
  redis.on("node-ready", onReady);
  const connections = new Set<{ destroy(): void }>();
  return {
    commands: redis as unknown as RedisCommands,
    readAll: (keys) => Promise.all(keys.map((key) => redis.get(key))),
    deleteAll: (groups) => Promise.all(groups.map((keys) => redis.del(keys))),
    // Each node would report its own keys, in order with its own answers only.
    reportsChanges: false,
    evalAll: async (script, groups) => (await Promise.all(groups.map((group) => run(redis, script, [group])))).flat(),
    isOpen: () => redis.isOpen,
    connect: () => redis.connect(),
    ping: () =>
      redis.masters.length === 0
        ? Promise.reject(new Error("not connected"))
        : Promise.all(redis.masters.map(async (master) => (await redis.nodeClient(master)).ping())),
    destroy,
  };

  function destroy(): void {
    // A connection that is just being made would ping for ever, and the library has forgotten it by then.
    for (const { client } of redis.masters) if (client !== undefined) connections.add(client);
    redis.destroy();
    for (const connection of connections) connection.destroy();
  }
}

/**
 * Whether an error is a reply that the library could not parse. The library leaves the connection open, and would assign later replies to
 * the wrong commands.
 */
function isMisread(error: Error, { isReady }: { isReady: boolean }): boolean {
  return isReady && !(error instanceof ErrorReply);
}

async function run(redis: Pick<Standalone, "eval">, script: string, groups: readonly KeyGroup[]): Promise<unknown[]> {
  const options = { keys: groups.flatMap(({ keys }) => keys), arguments: groups.flatMap((group) => group.arguments) };
  return (await redis.eval(script, options)) as unknown[];
}

/** Redis serves no other client while a command or a script runs, so none may take long. */
export const maxGroups = 100;
const maxKeys = 1_000;

/** Milliseconds that connecting may take. */
export const connectTimeoutMs = 1_000;

const behaviour = {
  // A command for an unavailable Redis fails at once instead of waiting.
  disableOfflineQueue: true,
  // connection.ts limits the time of commands; a timer of the library for each command costs as much as the command.
  commandOptions: { timeout: 0 },
  // The library would move to another server without an event, and tokens that were read here would be confirmed there.
  maintNotifications: "disabled",
  // A connection without replies is closed: every command written to it would be lost.
  pingInterval: 500,
  socket: {
    connectTimeout: connectTimeoutMs,
    socketTimeout: 2_000,
    reconnectStrategy: (retries: number) => Math.min(50 * 2 ** retries, 1_000),
  },
} as const;
