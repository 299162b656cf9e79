import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { readConfig as readCli } from "../../cli/config.ts";
import { readConfig as readGateway } from "../../gateway/config.ts";
import { readConfig as readAccount } from "../../services/account/config.ts";
import { readDatabaseConfig, readSampleConfig, readSecretsConfig } from "../../services/local/containers/config.ts";
import { type EnvironmentReader, listSettings } from "../../services/platform/environment.ts";
import { readConfig as readSocial } from "../../services/social/config.ts";
import { suite } from "../support/suite.ts";
import { copiedIntoImage, readComposeFile, root } from "./compose-file.ts";

const Compose = suite("docker-compose.yml");
const file = readComposeFile();
const all = Object.entries(file.services);
const longRunning = all.filter(([, service]) => service.restart !== "no");

/** Our own services, with the functions that read their environment. */
const readers: Record<string, (read: EnvironmentReader) => unknown> = {
  secrets: readSecretsConfig,
  database: readDatabaseConfig,
  sample: readSampleConfig,
  cli: readCli,
  social: readSocial,
  account: readAccount,
  gateway: readGateway,
};

Compose("gives every container a read-only root, no capabilities or new privileges, and limits", () => {
  for (const [name, service] of all) {
    assert.is(service.read_only, true, name);
    assert.equal(service.cap_drop, ["ALL"], name);
    assert.equal(service.security_opt, ["no-new-privileges:true"], name);
    assert.ok(service.mem_limit && service.cpus > 0 && service.pids_limit > 0, name);
    assert.ok(service.image === "roost" || service.user, `${name} runs as an ordinary user`);
  }
  assert.match(readFileSync(join(root, "Dockerfile"), "utf8"), /\nUSER node\n/);
});

Compose("restarts the services, and starts each container when those it depends on are healthy or done", () => {
  for (const [name, service] of longRunning) {
    assert.is(service.restart, "unless-stopped", name);
    assert.ok(service.healthcheck, name);
  }
  for (const [name, { depends_on = {} }] of all) {
    for (const [needed, { condition }] of Object.entries(depends_on)) {
      const isTask = file.services[needed]?.restart === "no";
      assert.is(condition, isTask ? "service_completed_successfully" : "service_healthy", `${name} → ${needed}`);
    }
  }
});

Compose("publishes only the gateway, and the services on loopback", () => {
  const published = all.flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`));
  assert.equal(published, ["balancer 8080:8080", "balancer 127.0.0.1:4001:4001", "balancer 127.0.0.1:4002:4002"]);
});

Compose("runs Redis without persistence, with bounded memory and LFU eviction", () => {
  const command = file.services.redis?.command.join(" ");
  assert.is(command, "redis-server --save  --appendonly no --maxmemory 256mb --maxmemory-policy allkeys-lfu");
});

Compose("sets only variables that the process reads", () => {
  for (const [name, build] of Object.entries(readers)) {
    const known = listSettings(build).flatMap(({ names, isSecret }) =>
      names.flatMap((one) => (isSecret ? [one, `${one}_FILE`] : [one])),
    );
    // Only the sample reads its home.
    const unknown = Object.keys(file.services[name]?.environment ?? {}).filter((setting) => !known.includes(setting));
    assert.equal(unknown, [], name);
  }
  assert.equal(
    all.filter(([name]) => readers[name] === undefined).map(([name]) => name),
    ["postgres", "redis", "redis-limits", "balancer"],
  );
});

Compose("puts no secret into the environment, and mounts each only where it is needed", () => {
  const mounts = all.flatMap(([name, { volumes = [] }]) =>
    volumes.filter((volume) => volume.startsWith("secrets-")).map((volume) => `${name} ${volume}`),
  );
  assert.equal(
    mounts.filter((mount) => !mount.startsWith("secrets ")),
    [
      "postgres secrets-postgres:/run/secrets:ro",
      "database secrets-database:/run/secrets:ro",
      "social secrets-social:/run/secrets:ro",
      "account secrets-account:/run/secrets:ro",
      "gateway secrets-gateway:/run/secrets:ro",
      "sample secrets-operator:/run/secrets:ro",
      "cli secrets-operator:/run/secrets:ro",
    ],
  );
  for (const [name, { environment = {} }] of all) {
    for (const [setting, value] of Object.entries(environment)) {
      if (/TOKEN|PASSWORD|DATABASE_URL/.test(setting)) assert.match(`${value}`, /^\/run\/secrets\//, name);
    }
  }
});

Compose("puts every process on a network with each host that its settings name", () => {
  const networksOf = (name: string) => file.services[name]?.networks ?? [];
  let hosts = 0;
  for (const [name, { environment = {}, network_mode }] of all) {
    // The secrets task writes addresses into files for others.
    if (network_mode === "none") continue;
    for (const value of Object.values(environment)) {
      const host = /^(?:\w+:\/\/)?([\w-]+):\d+$/.exec(`${value}`)?.[1];
      if (host === undefined) continue;
      hosts++;
      assert.ok(
        networksOf(host).some((network) => networksOf(name).includes(network)),
        `${name} → ${host}`,
      );
    }
  }
  assert.ok(hosts >= 11);
});

Compose("copies the imported code into the image, whose packages are no dev dependencies", () => {
  const copied = copiedIntoImage();
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  const imported = ["services", "gateway", "cli"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .flatMap((name) => packagesOf(readFileSync(join(root, folder, name), "utf8"))),
  );
  assert.equal([...new Set(imported)].filter((name) => dependencies[name] === undefined).toSorted(), []);
  assert.ok(imported.includes("pg") && imported.includes("@connectrpc/connect"));
  assert.equal(copied.toSorted(), ["cli", "gateway", "package.json", "proto/gen", "services"]);
});

Compose("builds the image with the Node of .nvmrc", () => {
  const images = [...readFileSync(join(root, "Dockerfile"), "utf8").matchAll(/^FROM (\S+)/gm)].map(
    ([, image]) => image,
  );
  const version = readFileSync(join(root, ".nvmrc"), "utf8").trim();
  assert.equal(images, [`node:${version}-bookworm-slim`, `node:${version}-bookworm-slim`]);
});

Compose("runs TypeScript by Node itself, with neither a loader nor a compiler in the image", () => {
  const started = all
    .filter(([, { image }]) => image === "roost")
    .map(([, { entrypoint, command }]) => (entrypoint ?? command).join(" "));
  assert.is(started.length, 7);
  for (const words of started) assert.match(words, /^node [\w/]+\/main\.ts( |$)/);
  assert.match(readFileSync(join(root, "Dockerfile"), "utf8"), '\nCMD ["node", "gateway/main.ts"]\n');
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, { dev?: boolean; optional?: boolean }>;
  };
  const compilers = Object.entries(packages).filter(
    ([path, { dev }]) => /\/(?:typescript|@typescript\/[^/]+|tsx|esbuild|@esbuild\/[^/]+)$/.test(path) && !dev,
  );
  assert.equal(compilers, []);
});

Compose.run();

/** The packages that a file imports, except Node's own; type imports do not count. */
function packagesOf(text: string): string[] {
  const found = text.matchAll(
    /^(?:import|export)\s+(?!type\s)(?:[^"';]*?\sfrom\s+)?"([^".][^"]*)"|import\("([^".][^"]*)"\)/gm,
  );
  return [...found]
    .map(([, named, dynamic]) => (named ?? dynamic) as string)
    .filter((name) => !name.startsWith("node:"))
    .map((name) =>
      name
        .split("/")
        .slice(0, name.startsWith("@") ? 2 : 1)
        .join("/"),
    );
}
