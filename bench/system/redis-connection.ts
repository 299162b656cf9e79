import { connect } from "node:net";

/** Just enough of a Redis client to look on and to flush; what is measured uses its own. */
export interface RedisConnection {
  /** Sends one command of plain words; resolves with the text of its reply. Rejects with what Redis says against it. */
  send(...words: string[]): Promise<string>;
  /** How many commands Redis has run in all, but for the INFO of these looks. */
  commandsRun(): Promise<number>;
  close(): void;
}

/** Connects to a redis:// address and authenticates with what is in it. Rejects when nothing answers. */
export async function connectRedis(address: string): Promise<RedisConnection> {
  const url = new URL(address);
  const socket = connect({ host: url.hostname, port: Number(url.port || 6379) });
  const waiting: { resolve(text: string): void; reject(error: Error): void }[] = [];
  let received = Buffer.alloc(0);
  socket.on("data", (chunk) => {
    received = Buffer.concat([received, chunk]);
    for (let reply = readReply(received); reply !== undefined; reply = readReply(received)) {
      received = received.subarray(reply.bytes);
      if (reply.text.startsWith("-")) waiting.shift()?.reject(new Error(reply.text.slice(1)));
      else waiting.shift()?.resolve(reply.text.slice(1));
    }
  });
  const fail = (error: Error) => waiting.splice(0).forEach(({ reject }) => reject(error));
  socket.on("error", fail).on("close", () => fail(new Error("Redis hung up")));
  const connection: RedisConnection = {
    send: (...words) =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        const bulk = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
        socket.write(`*${words.length}\r\n${bulk.join("")}`);
      }),
    async commandsRun() {
      const stats = await connection.send("INFO", "commandstats");
      return [...stats.matchAll(/^cmdstat_(?!info:)\S+:calls=(\d+)/gm)].reduce(
        (sum, [, calls]) => sum + Number(calls),
        0,
      );
    },
    close: () => socket.destroy(),
  };
  const { username, password } = url;
  if (password) await connection.send("AUTH", ...[username, password].filter(Boolean).map(decodeURIComponent));
  await connection.send("PING");
  return connection;
}

/** The first complete reply in these bytes, its type in front: a line, or a bulk string. */
function readReply(bytes: Buffer): { text: string; bytes: number } | undefined {
  const end = bytes.indexOf("\r\n");
  if (end === -1) return undefined;
  const line = bytes.toString("utf8", 0, end);
  if (!line.startsWith("$")) return { text: line, bytes: end + 2 };
  const length = Number(line.slice(1));
  const total = end + 2 + length + 2;
  return bytes.length < total ? undefined : { text: `$${bytes.toString("utf8", end + 2, total - 2)}`, bytes: total };
}
