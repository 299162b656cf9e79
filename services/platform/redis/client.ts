import { ErrorReply, RedisClient as LibraryClient, RedisCluster as LibraryCluster } from "redis";

type Standalone = ReturnType<typeof newStandalone>;

/** The commands that we use: each needs one key, or keys in one slot, so that a Redis Cluster runs them as well. */
export type RedisCommands = Pick<Standalone, "get" | "set" | "withTypeMapping">;

/** One interface for one Redis and for a Redis Cluster, for which the library has two clients. */
export interface RedisClient {
  commands: RedisCommands;
  /** Whether it is connected, or trying to be. */
  isOpen(): boolean;
  /** To be called once: a closed client is not used again. */
  connect(): Promise<unknown>;
  /** Resolves when every server that holds keys has answered. */
  ping(): Promise<unknown>;
  /** Closes all connections, also those that are being made; after that no listener is called. */
  destroy(): void;
}

/** Listeners for the library's events. */
export interface RedisEvents {
  /** An error; without a listener it would end the process. */
  onError(error: Error): void;
  /** A connection is ready. */
  onReady(): void;
}

/** A client for the Redis at one address, or for the Redis Cluster that nodes at several addresses belong to. */
export function createRedisClient(urls: readonly string[], name: string, events: RedisEvents): RedisClient {
  let isDestroyed = false;
  // A cluster client that is closed while it discovers its nodes connects to them all the same, and for ever: so it is closed
  // again.
  const untilDestroyed: RedisEvents = {
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

function newStandalone(url: string, name: string) {
  // The library writes the address into the socket's options.
  return standaloneClass()({ url, name, ...behaviour, socket: { ...behaviour.socket } });
}

// The library builds a class of hundreds of commands for each client with new options, which takes 40 ms and more: too long for a
// process that repeatedly tries to reach an unavailable Redis.
const standaloneClass = once(() => LibraryClient.factory());
const clusterClass = once(() => LibraryCluster.factory());

function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function standaloneClient(url: string, name: string, { onError, onReady }: RedisEvents): RedisClient {
  const redis = newStandalone(url, name);
  redis.on("error", (error: Error) => {
    if (isMisread(error, redis)) redis.destroy();
    onError(error);
  });
  redis.on("ready", onReady);
  return {
    commands: redis,
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

/** Milliseconds that connecting may take. */
export const connectTimeoutMs = 1_000;

const behaviour = {
  // A command for an unavailable Redis fails at once instead of waiting.
  disableOfflineQueue: true,
  // connection.ts limits the time of commands; a timer of the library for each command costs as much as the command.
  commandOptions: { timeout: 0 },
  // The library would move to another server without an event.
  maintNotifications: "disabled",
  // An idle connection without replies is closed. With commands that are not answered, connection.ts replaces it sooner.
  pingInterval: 30_000,
  socket: {
    connectTimeout: connectTimeoutMs,
    socketTimeout: 65_000,
    reconnectStrategy: (retries: number) => Math.min(50 * 2 ** retries, 1_000),
  },
} as const;
