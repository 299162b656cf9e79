import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { readConfig as readCli } from "../../cli/config.ts";
import { readConfig as readGateway } from "../../gateway/config.ts";
import { readConfig as readAccount } from "../../services/account/config.ts";
import { readDatabaseConfig, readSampleConfig, readSecretsConfig } from "../../services/local/containers/config.ts";
import { type EnvironmentReader, listSettings } from "../../services/platform/environment.ts";
import { readConfig as readSocial } from "../../services/social/config.ts";
import { type ComposeService, copiedIntoImage, readComposeFile, root } from "./compose-file.ts";

const Compose = suite("docker-compose.yml");
const file = readComposeFile();
const all = Object.entries(file.services);
const standing = all.filter(([, service]) => service.restart !== "no");

/** Services of ours, with what they ask of their environment. */
const readers: Record<string, (read: EnvironmentReader) => unknown> = {
  secrets: readSecretsConfig,
  database: readDatabaseConfig,
  sample: readSampleConfig,
  cli: readCli,
  social: readSocial,
  account: readAccount,
  gateway: readGateway,
};

Compose("gives every container a read-only root, no capability, no way to more, and limits", () => {
  for (const [name, service] of all) {
    assert.is(service.read_only, true, name);
    assert.equal(service.cap_drop, ["ALL"], name);
    assert.equal(service.security_opt, ["no-new-privileges:true"], name);
    assert.ok(service.mem_limit && service.cpus > 0 && service.pids_limit > 0, name);
    assert.ok(service.image === "roost" || service.user, `${name} runs as an ordinary user`);
  }
  assert.match(readFileSync(join(root, "Dockerfile"), "utf8"), /\nUSER node\n/);
});

Compose("restarts what has to run, and waits with everything until what it needs is healthy or done", () => {
  for (const [name, service] of standing) {
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

Compose("publishes the gateway, the services on loopback, and nothing else", () => {
  const published = all.flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`));
  assert.equal(published, ["balancer 8080:8080", "balancer 127.0.0.1:4001:4001", "balancer 127.0.0.1:4002:4002"]);
});

Compose("gives each process a port for metrics that is published nowhere, on the network of the services", () => {
  for (const name of ["gateway", "account", "social"]) {
    const { environment = {}, ports = [], networks = [] } = file.services[name] as ComposeService;
    const adminPort = environment[`${name.toUpperCase()}_ADMIN_PORT`];
    assert.is(adminPort, 9464, name);
    assert.not.ok(ports.some((port) => port.includes(`${adminPort}`)));
    assert.ok(networks.includes("services"));
  }
});

Compose("keeps the cache in memory, bounded, without what is least used", () => {
  const command = file.services.redis?.command.join(" ");
  assert.is(command, "redis-server --save  --appendonly no --maxmemory 256mb --maxmemory-policy allkeys-lfu");
});

Compose("sets only what the process reads", () => {
  for (const [name, build] of Object.entries(readers)) {
    const known = listSettings(build).flatMap(({ names, isSecret }) =>
      names.flatMap((one) => (isSecret ? [one, `${one}_FILE`] : [one])),
    );
    // The sample's home is read by the sample alone.
    const strange = Object.keys(file.services[name]?.environment ?? {}).filter((setting) => !known.includes(setting));
    assert.equal(strange, [], name);
  }
  assert.equal(
    all.filter(([name]) => readers[name] === undefined).map(([name]) => name),
    ["postgres", "redis", "redis-limits", "balancer"],
  );
});

Compose("puts no secret into the environment, and each into the folders of its holders only", () => {
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

Compose("lets every process reach what it names, by a network that both are on", () => {
  const networksOf = (name: string) => file.services[name]?.networks ?? [];
  let named = 0;
  for (const [name, { environment = {}, network_mode }] of all) {
    // The task of the secrets writes addresses down for others.
    if (network_mode === "none") continue;
    for (const value of Object.values(environment)) {
      const host = /^(?:\w+:\/\/)?([\w-]+):\d+$/.exec(`${value}`)?.[1];
      if (host === undefined) continue;
      named++;
      assert.ok(
        networksOf(host).some((network) => networksOf(name).includes(network)),
        `${name} → ${host}`,
      );
    }
  }
  assert.ok(named >= 11);
});

Compose("runs what the image holds, with packages that are there without the dev dependencies", () => {
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

Compose("runs our TypeScript by Node alone: the image has neither a loader nor a compiler", () => {
  const started = all
    .filter(([, { image }]) => image === "roost")
    .map(([, { entrypoint, command }]) => (entrypoint ?? command).slice(0, 2).join(" "));
  assert.is(started.length, 7);
  for (const words of started) assert.match(words, /^node [\w/]+\/main\.ts$/);
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

/** The packages that a file imports, beside Node's own; types are gone when it runs. */
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
