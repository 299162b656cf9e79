import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { readComposeFile, root } from "../containers/compose-file.ts";
import { freePort } from "../support/listen.ts";
import { scrape } from "../support/scrape.ts";
import { suite } from "../support/suite.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";
import { isInstalled } from "./start-proxy.ts";

const Dashboard = suite("deploy");

const { panels, templating, uid } = JSON.parse(readFileSync(join(root, "deploy/grafana-dashboard.json"), "utf8"));
const expressions: { title: string; expr: string }[] = panels.flatMap(({ title, targets = [] }: any) =>
  targets.map(({ expr }: any) => ({ title, expr })),
);

/** Every metric that some process shows, by sample name, with the names of its labels. */
const shown = new Map<string, Set<string>>();
let system: TestSystem;

Dashboard.before(async () => {
  const ports = [await freePort(), await freePort(), await freePort()];
  const names = ["GATEWAY_ADMIN_PORT", "ACCOUNT_ADMIN_PORT", "SOCIAL_ADMIN_PORT"];
  system = await startTestSystem(Object.fromEntries(names.map((name, index) => [name, `${ports[index]}`])));
  // Metrics with labels are shown only after an event.
  const person = JSON.stringify({ userName: "ann", password: "correct horse" });
  assert.is((await fetch(`${system.url}/register`, { method: "POST", body: person })).status, 200);
  for (let round = 0; round < 2; round++) assert.is((await fetch(`${system.url}/social/ann`)).status, 200);
  assert.is((await fetch(`${system.url}/social/search/users?q=ann`)).status, 200);
  for (const port of ports) {
    for (const line of (await scrape(`http://127.0.0.1:${port}`)).lines) {
      const [, name = "", labels = ""] = /^(\w+)(?:\{(.*)\})? /.exec(line) ?? [];
      const known = shown.get(name) ?? new Set();
      for (const [, label] of labels.matchAll(/(\w+)="/g)) known.add(label as string);
      shown.set(name, known);
    }
  }
});
Dashboard.after(() => system.stop());

Dashboard("has panels that query the chosen Prometheus and do not overlap", () => {
  assert.is(uid, "roost");
  const [{ name, type }, ...others] = templating.list;
  assert.equal([name, type, others], ["datasource", "datasource", []]);
  const places = panels.map(({ gridPos: { x, y, w } }: any) => `${y}/${x}-${w}`);
  assert.is(new Set(places).size, panels.length);
  assert.is(new Set(panels.map(({ id }: any) => id)).size, panels.length);
  for (const { type, title, gridPos, datasource, targets } of panels) {
    assert.ok(title !== "" && gridPos.x + gridPos.w <= 24, title);
    if (type === "row") continue;
    assert.ok(targets.length > 0, title);
    for (const { datasource: source } of [{ datasource }, ...targets]) assert.is(source.uid, "${datasource}", title);
  }
});

Dashboard("queries only metrics that some process shows, and labels that these have", () => {
  assert.ok(expressions.length > 20);
  for (const { title, expr } of expressions) {
    assert.ok(metricsIn(expr).length > 0, title);
    assert.equal(unknownIn(expr), [], title);
  }
});

Dashboard("shows every metric of the processes", () => {
  const queried = new Set(expressions.flatMap(({ expr }) => metricsIn(expr)).map(baseName));
  const ours = new Set([...shown.keys()].filter((name) => name.startsWith("roost_")).map(baseName));
  assert.ok(ours.size > 12);
  const wrong = [...ours].filter((name) => !queried.has(name));
  assert.equal(wrong, []);
});

Dashboard("docs/operations.md names every metric of the processes, and no other", () => {
  const page = readFileSync(join(root, "docs/operations.md"), "utf8");
  const named = new Set([...page.matchAll(/`(roost_\w+)/g)].map(([, name]) => name as string));
  const ours = new Set([...shown.keys()].filter((name) => name.startsWith("roost_")).map(baseName));
  assert.equal([...named].toSorted(), [...ours].toSorted());
});

Dashboard("scrapes the processes of docker-compose.yml at their ports for metrics", () => {
  const { scrape_configs } = parse(readFileSync(join(root, "deploy/prometheus.yml"), "utf8"));
  const { services } = readComposeFile();
  const expected = Object.entries(services).flatMap(([name, { environment = {} }]) => {
    const port = environment[`${name.toUpperCase()}_ADMIN_PORT`];
    return port === undefined ? [] : [{ job_name: name, dns_sd_configs: [{ names: [name], type: "A", port }] }];
  });
  assert.is(expected.length, 3);
  const byName = (jobs: { job_name: string }[]) => jobs.toSorted((a, b) => a.job_name.localeCompare(b.job_name));
  assert.equal(byName(scrape_configs), byName(expected));
});

Dashboard("alarms on metrics and labels that some process shows, and says what to do", () => {
  const { groups } = parse(readFileSync(join(root, "deploy/prometheus-rules.yml"), "utf8"));
  const rules = groups.flatMap((group: any) => group.rules);
  assert.ok(rules.length >= 8);
  assert.is(new Set(rules.map(({ alert }: any) => alert)).size, rules.length);
  for (const { alert, expr, labels, annotations } of rules) {
    assert.equal(unknownIn(expr), [], alert);
    assert.ok(["page", "warn"].includes(labels.severity) && annotations.summary && annotations.description, alert);
  }
});

(isInstalled("promtool") ? Dashboard : Dashboard.skip)("alarms when it should, and only then", () => {
  const file = "prometheus-rules.test.yml";
  const { status, stdout, stderr } = spawnSync("promtool", ["test", "rules", file], { cwd: join(root, "deploy") });
  assert.is(status, 0, `${stdout}${stderr}`);
});

Dashboard("finds the metrics and labels of a query", () => {
  const expr =
    'sum by (birds) (rate(roost_request_total{colour="red", operation!~"a,b=c"}[5m])) / scalar(max(up)) * 1e-9 unless up or up';
  assert.equal(metricsIn(expr), ["roost_request_total", "up", "up", "up"]);
  assert.equal(labelsIn(expr), ["birds", "colour", "operation"]);
});

Dashboard.run();

/** A metric's name without the suffix of a histogram's samples. */
function baseName(sample: string): string {
  return sample.replace(/_(?:bucket|sum|count)$/, "");
}

/** The metrics of a PromQL expression that no process shows, and its labels that none of its metrics has. */
function unknownIn(expression: string): string[] {
  // Prometheus itself adds `up`, and the labels of the target.
  const metrics = metricsIn(expression).filter((name) => name !== "up");
  const labels = new Set(["job", "instance", ...metrics.flatMap((name) => [...(shown.get(name) ?? [])])]);
  const unknown = metrics.filter((name) => !shown.has(name));
  return [...unknown, ...labelsIn(expression).filter((label) => !labels.has(label))];
}

/** The metrics that a PromQL expression queries, in their order. */
function metricsIn(expression: string): string[] {
  const plain = withoutTexts(expression)
    .replace(/\{[^}]*\}|\[[^\]]*\]/g, "")
    .replace(/\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, "")
    .replace(/\b(?:and|or|unless)\b/g, "");
  // A name before a parenthesis is a function, one after a digit part of a number.
  return [...plain.matchAll(/(?<![\w.])[a-zA-Z_:][\w:]*\b(?!\s*\()/g)].map(([name]) => name);
}

/** The labels by which it selects or groups. */
function labelsIn(expression: string): string[] {
  const plain = withoutTexts(expression);
  const grouping = [...plain.matchAll(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g)].flatMap(([, names = ""]) =>
    names.split(",").map((name) => name.trim()),
  );
  const selecting = [...plain.matchAll(/\{([^}]*)\}/g)].flatMap(([, pairs = ""]) =>
    [...pairs.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, name]) => name as string),
  );
  return [...grouping, ...selecting];
}

function withoutTexts(expression: string): string {
  return expression.replace(/"[^"]*"/g, '""');
}
