import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { root } from "../containers/compose-file.ts";
import { definitions } from "../docs/settings-tables.ts";
import { suite } from "../support/suite.ts";
import { isInstalled } from "./start-proxy.ts";

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

const hasSystemd = isInstalled("systemd-analyze");
(hasSystemd ? Systemd : Systemd.skip)("is accepted by systemd, which finds it little exposed", () => {
  const folder = mkdtempSync(join(tmpdir(), "roost-unit-"));
  try {
    const unit = join(folder, `roost@${instances[0]}.service`);
    // systemd looks whether the command and the folder are there.
    writeFileSync(unit, text.replaceAll("/usr/bin/node", process.execPath).replaceAll("/opt/roost", root));
    const verified = spawnSync("systemd-analyze", ["verify", "--man=no", unit]);
    assert.equal([verified.status, `${verified.stderr}`], [0, ""]);
    const security = spawnSync("systemd-analyze", ["security", "--offline=true", "--no-pager", "--threshold=20", unit]);
    assert.is(security.status, 0, `${security.stdout}${security.stderr}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

Systemd.run();
