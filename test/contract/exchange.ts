import net from "node:net";
import tls from "node:tls";

/** Milliseconds after which a reply that does not end is a failure. */
const timeoutMs = 15_000;

/**
 * Sends bytes over a connection of their own, and resolves to all that came back when the server has ended it: what
 * follows a reply is seen as well. Rejects when nothing came, or the end does not come.
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
  // An address is not a server's name (RFC 6066 §3).
  if (protocol === "https:") {
    return tls.connect({ host, port: Number(port || 443), servername: net.isIP(host) === 0 ? host : "" });
  }
  return net.connect({ host, port: Number(port || 80) });
}
