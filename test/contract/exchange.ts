import net from "node:net";
import tls from "node:tls";

/** Milliseconds within which the server must end the connection. */
const timeoutMs = 15_000;

/**
 * Sends bytes over a new connection, and resolves to everything received when the server has ended it, so that bytes after the reply
 * are seen too. Rejects when nothing was received, or when the server does not end the connection.
 */
export function exchange(base: URL, bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(base);
    const fail = (why: string) => {
      clearTimeout(timer);
      socket.destroy();
      reject(new Error(`${why}; received ${JSON.stringify(Buffer.concat(chunks).toString("latin1").slice(0, 500))}`));
    };
    const timer = setTimeout(() => fail("the connection was not ended"), timeoutMs);
    socket.write(bytes);
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", (error) => fail(error.message || String(error)));
    socket.on("end", () => {
      clearTimeout(timer);
      socket.destroy();
      if (chunks.length === 0) return fail("the connection was ended without a reply");
      resolve(Buffer.concat(chunks));
    });
  });
}

function connect({ protocol, hostname, port }: URL): net.Socket {
  const host = hostname.replace(/^\[|\]$/g, "");
  // An IP address is no server name (RFC 6066 §3).
  if (protocol === "https:") {
    return tls.connect({ host, port: Number(port || 443), servername: net.isIP(host) === 0 ? host : "" });
  }
  return net.connect({ host, port: Number(port || 80) });
}
