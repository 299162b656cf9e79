import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Deployment } from "kubernetes-models/apps/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { Service } from "kubernetes-models/v1";
import * as assert from "uvu/assert";
import { parse, parseAllDocuments } from "yaml";
import { listSettings } from "../../services/platform/environment.ts";
import { copiedIntoImage, root } from "../containers/compose-file.ts";
import { definitions } from "../docs/settings-tables.ts";
import { suite } from "../support/suite.ts";
import { isInstalled } from "./start-proxy.ts";

const Kubernetes = suite("deploy/kubernetes");
const folder = join(root, "deploy/kubernetes");

const { resources, images }: { resources: string[]; images: { name: string }[] } = parse(
  readFileSync(join(folder, "kustomization.yaml"), "utf8"),
);
const manifests: any[] = resources.flatMap((file) =>
  parseAllDocuments(readFileSync(join(folder, file), "utf8")).map((document) => document.toJS()),
);
const named = (kind: string, name: string) =>
  manifests.find((one) => one.kind === kind && one.metadata.name === name)?.spec;
const processes = ["social", "account", "gateway"].map((name) => {
  const { template, selector } = named("Deployment", name);
  const [container] = template.spec.containers;
  const env: { name: string; value?: string; valueFrom?: any }[] = container.env;
  const ports: { name: string; containerPort: number }[] = container.ports;
  return { name, template, selector, container, env, ports };
});

Kubernetes("has a Deployment, a Service and a disruption budget of each process, and no database", () => {
  assert.equal(
    manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
    processes.flatMap(({ name }) => [`Deployment ${name}`, `Service ${name}`, `PodDisruptionBudget ${name}`]),
  );
  assert.equal(readdirSync(folder).toSorted(), ["kustomization.yaml", ...resources].toSorted());
});

// The schema allows fields that Kubernetes does not know.
Kubernetes("has required fields, types and values by the schema of Kubernetes, which refuses others", () => {
  const models: any = { Deployment, Service, PodDisruptionBudget };
  for (const manifest of manifests) {
    const validate = (data: object) => new models[manifest.kind](data).validate();
    validate(manifest);
    assert.throws(() => validate({ ...manifest, spec: { ...manifest.spec, selector: "a", ports: "b" } }));
  }
});

Kubernetes("selects each process's own pods", () => {
  for (const { name, template, selector } of processes) {
    const { labels } = template.metadata;
    assert.is(labels["app.kubernetes.io/name"], name);
    assert.equal(selector.matchLabels, labels);
    assert.equal(named("Service", name).selector, labels);
    assert.equal(named("PodDisruptionBudget", name).selector.matchLabels, labels);
    assert.ok(named("Deployment", name).replicas > named("PodDisruptionBudget", name).maxUnavailable);
  }
});

Kubernetes("runs files of the image, without rights, within limits", () => {
  for (const { name, template, container } of processes) {
    const [node, main = ""] = container.command;
    assert.is(node, "node");
    assert.ok(existsSync(join(root, main)) && copiedIntoImage().some((copied) => main.startsWith(`${copied}/`)), name);
    assert.is(container.image, images[0]?.name);
    assert.is(template.spec.securityContext.runAsNonRoot, true);
    const expected = { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } };
    assert.equal(container.securityContext, expected);
    assert.ok(container.resources.limits.memory && container.resources.requests.cpu);
  }
});

Kubernetes("sets only what the process reads, and all that it needs, with secrets from one Secret", () => {
  const comment = readFileSync(join(folder, "kustomization.yaml"), "utf8");
  for (const { name, template, env } of processes) {
    // Kubernetes would set variables such as SOCIAL_PORT for each Service.
    assert.is(template.spec.enableServiceLinks, false);
    const settings = listSettings(definitions[name] ?? (() => {}));
    for (const { name: setting, valueFrom } of env) {
      const known = settings.find(({ names }) => names.includes(setting));
      assert.ok(known, `${name} reads no ${setting}`);
      assert.is(valueFrom !== undefined, known.isSecret, setting);
      if (valueFrom === undefined) continue;
      const { name: secret, key, optional = false } = valueFrom.secretKeyRef;
      assert.is(secret, "roost");
      assert.is(comment.includes(`--from-file=${key}`), !optional, key);
    }
    const given = env.map((one) => one.name);
    const required = settings.filter(({ meaning }) => meaning.endsWith("Required."));
    assert.ok(required.every(({ names }) => names.some((one) => given.includes(one))));
    assert.ok(["HOST", "SERVICE_TOKEN", "DRAIN_MS"].every((setting) => given.includes(setting)));
  }
});

Kubernetes("names the ports on which the processes listen, and the addresses at which they find each other", () => {
  for (const { name, template, env, ports: listed } of processes) {
    const valueOf = (setting: string) => env.find((one) => one.name === setting)?.value;
    const ports = Object.fromEntries(listed.map((port) => [port.name, port.containerPort]));
    const [own = ""] = Object.keys(ports).filter((port) => port !== "metrics");
    const upper = name.toUpperCase();
    assert.is(`${ports[own]}`, valueOf(`${upper}_PORT`));
    assert.is(`${ports.metrics}`, valueOf(`${upper}_ADMIN_PORT`));
    assert.is(template.metadata.annotations["prometheus.io/port"], `${ports.metrics}`);
    assert.equal(named("Service", name).ports, [{ name: own, port: ports[own], targetPort: own }]);
    for (const { name: setting, value = "" } of env) {
      if (!/^(?:ACCOUNT|SOCIAL)_URL$/.test(setting)) continue;
      const { hostname, port } = new URL(value);
      assert.is(named("Service", hostname).ports[0]?.port, Number(port), setting);
    }
  }
});

Kubernetes("probes paths and ports that are there, and leaves time to finish", () => {
  const health = readFileSync(join(root, "gateway/health/readiness.ts"), "utf8");
  for (const { name, template, container, env, ports } of processes) {
    const { livenessProbe, readinessProbe, startupProbe = readinessProbe } = container;
    for (const { httpGet, tcpSocket, grpc } of [livenessProbe, readinessProbe, startupProbe]) {
      if (httpGet) assert.ok(health.includes(`addReadOnly(app, "${httpGet.path}"`), httpGet.path);
      const probed = ports.find(
        (port) => [httpGet?.port, tcpSocket?.port].includes(port.name) || grpc?.port === port.containerPort,
      );
      assert.ok(probed && probed.name !== "metrics", name);
    }
    assert.ok(name === "gateway" || container.readinessProbe.grpc !== undefined, name);
    const drainMs = Number(env.find((one) => one.name === "DRAIN_MS")?.value);
    assert.ok(template.spec.terminationGracePeriodSeconds > drainMs / 1_000 + 10);
  }
});

(isInstalled("kubectl") ? Kubernetes : Kubernetes.skip)("is built by kubectl", () => {
  const { status, stdout, stderr } = spawnSync("kubectl", ["kustomize", folder]);
  assert.is(status, 0, `${stderr}`);
  assert.is(parseAllDocuments(`${stdout}`).length, manifests.length);
});

Kubernetes.run();

const Systemd = suite("deploy/roost@.service");
const text = readFileSync(join(root, "deploy/roost@.service"), "utf8");

/** The values of a key, in their order. */
const valuesOf = (key: string) => [...text.matchAll(new RegExp(`^${key}=(.*)$`, "gm"))].map(([, value]) => value);
/** The instances that its comment starts. */
const instances = [...(/^#   systemctl enable .*$/m.exec(text)?.[0] ?? "").matchAll(/roost@([\w-]+)/g)].map(
  ([, instance]) => instance as string,
);
/** What %I stands for. */
const unescaped = (instance: string) => instance.replaceAll("-", "/");

Systemd("runs each process by the file that starts it, with settings of its own", () => {
  const processes = instances.map((instance) => unescaped(instance).split("/").at(-1));
  assert.equal(new Set(processes), new Set(["gateway", "account", "social"]));
  assert.equal(valuesOf("ExecStart"), ["/usr/bin/node %I/main.ts"]);
  assert.equal(valuesOf("WorkingDirectory"), ["/opt/roost"]);
  assert.equal(valuesOf("EnvironmentFile"), ["-/etc/roost/common.env", "/etc/roost/%i.env"]);
  for (const instance of instances) {
    assert.ok(existsSync(join(root, unescaped(instance), "main.ts")), instance);
    assert.ok(Object.hasOwn(definitions, unescaped(instance).split("/").at(-1) ?? ""), instance);
    assert.ok(text.includes(`${instance}.env`), instance);
  }
});

Systemd("takes nearly all rights away, restarts a process that ends, and leaves it time to finish", () => {
  const expected = {
    User: "roost",
    StateDirectory: "roost",
    NoNewPrivileges: "yes",
    CapabilityBoundingSet: "",
    ProtectSystem: "strict",
    ProtectHome: "yes",
    PrivateTmp: "yes",
    Restart: "always",
    StartLimitIntervalSec: "0",
  };
  for (const [key, value] of Object.entries(expected)) assert.equal(valuesOf(key), [value], key);
  // DRAIN_MS, at most 5 s, and 10 s in which requests are finished.
  assert.ok(Number(valuesOf("TimeoutStopSec")[0]) > 15);
});

(isInstalled("systemd-analyze") ? Systemd : Systemd.skip)(
  "is accepted by systemd, which finds it little exposed",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "roost-unit-"));
    try {
      const unit = join(folder, `roost@${instances[0]}.service`);
      // systemd looks whether the command and the folder are there.
      writeFileSync(unit, text.replaceAll("/usr/bin/node", process.execPath).replaceAll("/opt/roost", root));
      const verified = spawnSync("systemd-analyze", ["verify", "--man=no", unit]);
      assert.equal([verified.status, `${verified.stderr}`], [0, ""]);
      const security = spawnSync("systemd-analyze", [
        "security",
        "--offline=true",
        "--no-pager",
        "--threshold=20",
        unit,
      ]);
      assert.is(security.status, 0, `${security.stdout}${security.stderr}`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

Systemd.run();
