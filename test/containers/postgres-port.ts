import { rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { startPostgres } from "../../services/local/postgres/start-postgres.ts";
import { makeDataFolder } from "../support/data-folder.ts";

/** Starts a Postgres of its own on a TCP port of every address, as containers have it. It asks for no password. */
export async function startPostgresOn(port: number): Promise<{ stop(): Promise<void> }> {
  const home = makeDataFolder("roost-compose-");
  const postgres = await startPostgres({ home, durable: false });
  const folder = new URL(postgres.url("postgres", "postgres")).searchParams.get("host") as string;
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    const inner = connect(join(folder, ".s.PGSQL.5432"));
    for (const [socket, other] of [
      [client, inner],
      [inner, client],
    ] as const) {
      sockets.add(socket);
      socket.pipe(other);
      socket.on("error", () => other.destroy()).on("close", () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(port, resolve));
  return {
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await postgres.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
