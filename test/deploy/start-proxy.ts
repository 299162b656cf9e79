import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exitOf } from "../../services/local/child-process.ts";
import { root } from "../containers/compose-file.ts";
import { freePort } from "../support/listen.ts";

export type ProxyName = "nginx" | "caddy" | "haproxy";

export interface Proxy {
  /** Its own origin, over https with a certificate that no one trusts. */
  origin: string;
  port: number;
  stop(): Promise<void>;
}

/** Whether a program of this machine runs. Says so loudly where it is missing. */
export function isInstalled(program: string): boolean {
  try {
    execFileSync("sh", ["-c", `command -v ${program}`], { env, stdio: "ignore" });
    return true;
  } catch {
    console.warn(`\n!!! SKIPPED: there is no ${program} here; deploy/ is tested without it !!!\n`);
    return false;
  }
}

/** Starts a proxy with its file of deploy/, in which only addresses and the places of certificates are changed. */
export async function startProxy(name: ProxyName, gatewayPort: number): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), "roost-proxy-"));
  const [port, plainPort] = [await freePort(), await freePort()];
  const { file, changes, wrap, command } = kinds[name]({ folder, port, plainPort, gatewayPort });
  makeCertificate(folder);
  let text = readFileSync(join(root, "deploy", file), "utf8");
  for (const [given, own] of changes) {
    if (!text.includes(given)) throw new Error(`deploy/${file} has no ${given}`);
    text = text.replace(given, own);
  }
  writeFileSync(join(folder, "config"), wrap(text));
  const [program = "", ...parameters] = command;
  let said = "";
  const child = spawn(program, parameters, { env: { ...env, HOME: folder }, stdio: ["ignore", "pipe", "pipe"] });
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
  child.once("error", (error) => (said += error.message));
  const stop = async () => {
    child.kill("SIGTERM");
    // Caddy waits for replies that have not ended.
    const impatient = setTimeout(() => child.kill("SIGKILL"), 5_000);
    await exitOf(child);
    clearTimeout(impatient);
    rmSync(folder, { recursive: true, force: true });
  };
  for (let attempt = 0; attempt < 200 && child.exitCode === null; attempt++) {
    if (await accepts(port)) return { origin: `https://127.0.0.1:${port}`, port, stop };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await stop();
  throw new Error(`${name} does not start: ${said}`);
}

const env = { PATH: `${process.env.PATH}:/usr/sbin` };

interface Places {
  folder: string;
  port: number;
  plainPort: number;
  gatewayPort: number;
}

interface Kind {
  file: string;
  /** Texts of the file, each with what stands there in the test. */
  changes: [given: string, own: string][];
  wrap(text: string): string;
  command: string[];
}

const kinds: Record<ProxyName, (places: Places) => Kind> = {
  nginx: ({ folder, port, plainPort, gatewayPort }) => ({
    file: "nginx.conf",
    changes: [
      ["127.0.0.1:8080", `127.0.0.1:${gatewayPort}`],
      ["listen 443", `listen 127.0.0.1:${port}`],
      ["listen 80", `listen 127.0.0.1:${plainPort}`],
      ["/etc/ssl/roost/fullchain.pem", `${folder}/certificate`],
      ["/etc/ssl/roost/privkey.pem", `${folder}/key`],
    ],
    // The rest of Debian's nginx.conf, in this folder. As root its workers would not be allowed in it.
    wrap: (text) => `${process.getuid?.() === 0 ? "user root;" : ""} pid ${folder}/pid; events {}
http {
  access_log off;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(" ")}
  ${text}
}`,
    command: ["nginx", "-e", "stderr", "-p", folder, "-c", `${folder}/config`, "-g", "daemon off;"],
  }),
  caddy: ({ folder, port, plainPort, gatewayPort }) => ({
    file: "Caddyfile",
    changes: [
      ["127.0.0.1:8080", `127.0.0.1:${gatewayPort}`],
      ["roost.example {", `https://127.0.0.1:${port} {\n\tbind 127.0.0.1\n\ttls ${folder}/certificate ${folder}/key`],
    ],
    wrap: (text) => `{\n\tadmin off\n\thttp_port ${plainPort}\n}\n${text}`,
    command: ["caddy", "run", "--adapter", "caddyfile", "--config", `${folder}/config`],
  }),
  haproxy: ({ folder, port, plainPort, gatewayPort }) => ({
    file: "haproxy-http.cfg",
    changes: [
      ["127.0.0.1:8080", `127.0.0.1:${gatewayPort}`],
      ["bind :443", `bind 127.0.0.1:${port}`],
      ["bind :80", `bind 127.0.0.1:${plainPort}`],
      ["/etc/haproxy/roost.pem", `${folder}/both`],
    ],
    wrap: (text) => text,
    command: ["haproxy", "-db", "-f", `${folder}/config`],
  }),
};

/** A certificate for 127.0.0.1, its key, and a file with both. */
function makeCertificate(folder: string): void {
  const [certificate, key] = [join(folder, "certificate"), join(folder, "key")];
  const made = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=127.0.0.1";
  const names = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate];
  execFileSync("openssl", [...made.split(" "), ...names], { stdio: "ignore" });
  writeFileSync(join(folder, "both"), readFileSync(certificate, "utf8") + readFileSync(key, "utf8"));
}

/** Whether a port of loopback takes connections. */
export async function accepts(port: number): Promise<boolean> {
  const socket = createConnection(port, "127.0.0.1");
  const isThere = await once(socket, "connect").then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isThere;
}
