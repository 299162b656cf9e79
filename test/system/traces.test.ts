import http from "node:http";
import * as assert from "uvu/assert";
import { eventually } from "../support/eventually.ts";
import { launch } from "../support/launch.ts";
import { listen, stopListening } from "../support/listen.ts";
import { type Person, person, valuesOf } from "../support/people.ts";
import { sharedCluster } from "../support/postgres.ts";
import { suite } from "../support/suite.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";

const Traces = suite("traces");
let receiver: Awaited<ReturnType<typeof startTraceReceiver>>;
let system: TestSystem;

Traces.before(async () => {
  receiver = await startTraceReceiver();
  system = await startTestSystem({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
});
Traces.after(async () => {
  await system.stop();
  await receiver.stop();
});

const register = (userName: string, headers: Record<string, string> = {}, fields: object = {}) =>
  fetch(`${system.url}/register`, {
    method: "POST",
    headers,
    body: JSON.stringify({ userName, password: "correct horse", ...fields }),
  });

/** The one trace that work begins, once it has spans of these names. */
async function traceOf(work: () => Promise<unknown>, names: readonly string[]): Promise<ReceivedSpan[]> {
  const known = new Set(receiver.spans.map(({ traceId }) => traceId));
  await work();
  const fresh = () => receiver.spans.filter(({ traceId }) => !known.has(traceId));
  await eventually(`spans ${names}`, async () => names.every((name) => fresh().some((span) => span.name === name)));
  assert.is(new Set(fresh().map(({ traceId }) => traceId)).size, 1, "one trace");
  return fresh();
}

/** The path from the root to the span of a name: the process, the kind and the name of each span. */
function wayTo(spans: readonly ReceivedSpan[], name: string): string[] {
  const way: string[] = [];
  // Of two spans of one name, the server's is the deeper one.
  let span = spans.filter((one) => one.name === name).toSorted((a, b) => a.kind - b.kind)[0];
  while (span !== undefined) {
    const { parentSpanId } = span;
    way.unshift(`${span.process} ${span.kind === 2 ? "serves" : "asks"} ${span.name}`);
    if (!parentSpanId) return way;
    span = spans.find(({ spanId }) => spanId === parentSpanId);
  }
  return ["no root", ...way];
}

Traces("go from the gateway through both services to the statements, linked by their parents", async () => {
  // On a cluster a name is inserted by a statement of its own.
  const inserting = sharedCluster === undefined ? "insert-named-profiles" : "insert-profile";
  const spans = await traceOf(() => register("ann"), ["Registration", "insert-registered", inserting]);
  const toAccount = [
    "roost-gateway serves Registration",
    "roost-gateway asks account.v1.AccountService/Registration",
    "roost-account serves account.v1.AccountService/Registration",
  ];
  const toSocial = [
    "roost-account asks social.v1.ProfileService/CreateProfiles",
    "roost-social serves social.v1.ProfileService/CreateProfiles",
  ];
  assert.equal(wayTo(spans, "insert-registered"), [...toAccount, "roost-account asks insert-registered"]);
  assert.equal(wayTo(spans, inserting), [...toAccount, ...toSocial, `roost-social asks ${inserting}`]);
  for (const { name } of spans) assert.is(wayTo(spans, name)[0], toAccount[0], name);
  const statement = spans.find(({ name }) => name === "insert-registered");
  const text = statement?.attributes.find(({ key }) => key === "db.query.text")?.value.stringValue;
  assert.match(`${text}`, /^with given as .*insert into account\.account.*\$1/s);
  // The social service's transaction begins with a time limit for locks.
  assert.ok(spans.some(({ name }) => name === "begin;") && spans.some(({ name }) => name === "commit"));
});

Traces("contain a batch in the trace of its first caller", async () => {
  await traceOf(() => register("bea"), ["Registration"]);
  // On a cluster the versions of authors and viewers are asked for apart.
  const asking = sharedCluster === undefined ? "list-versions" : "list-author-versions";
  const spans = await traceOf(() => fetch(`${system.url}/social/bea`), ["SocialUsers", asking]);
  assert.equal(wayTo(spans, asking), [
    "roost-gateway serves SocialUsers",
    "roost-gateway asks social.v1.VersionService/ListVersions",
    "roost-social serves social.v1.VersionService/ListVersions",
    `roost-social asks ${asking}`,
  ]);
  // The next request takes the fast path, in its own trace.
  const again = await traceOf(() => fetch(`${system.url}/social/bea`), ["SocialUsers", asking]);
  assert.is(wayTo(again, asking)[0], "roost-gateway serves SocialUsers");
  assert.is.not(again[0]?.traceId, spans[0]?.traceId);
  const logged = system.logged.filter(({ msg, operation }) => msg === "request" && operation === "SocialUsers");
  assert.equal(valuesOf(logged, "trace"), [spans[0]?.traceId, again[0]?.traceId]);
});

Traces("begin at the gateway, whatever traceparent a client sends", async () => {
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const spans = await traceOf(
    () => register("eve", { traceparent: `00-${traceId}-b7ad6b7169203331-00` }),
    ["Registration", "insert-registered"],
  );
  assert.not.ok(spans.some((span) => span.traceId === traceId || span.parentSpanId === "b7ad6b7169203331"));
});

Traces("have the code of a failure, and their id in the log", async () => {
  const [trace] = await traceOf(() => register("-"), ["Registration", "account.v1.AccountService/Registration"]);
  const spans = receiver.spans.filter(({ traceId }) => traceId === trace?.traceId);
  const failed = spans.filter(({ status }) => status.code === 2);
  assert.equal([...new Set(failed.map(({ name }) => name))], ["account.v1.AccountService/Registration"]);
  assert.match(JSON.stringify(failed[0]?.attributes), /"error\.type".*InvalidArgument/);
  const lines = system.logged.filter((line) => line.trace === trace?.traceId).map(({ msg }) => `${msg}`);
  assert.equal(lines.toSorted(), ["request", "rpc"]);
});

Traces("contain no values of a request: no password, name or path", async () => {
  const word = "m4rk3d";
  const body = JSON.stringify({ userName: word, password: `${word}-${word}`, email: `${word}@example.com` });
  await traceOf(
    () => fetch(`${system.url}/register?firstName=${word}`, { method: "POST", body }),
    ["Registration", "insert-registered", "commit"],
  );
  const headers = { cookie: `ss-id=${word}`, authorization: `Bearer ${word}` };
  await traceOf(
    () => fetch(`${system.url}/social/${word}?${word}=1`, { headers }),
    ["SocialUsers", "find-session-users"],
  );
  await traceOf(() => fetch(`${system.url}/${word}`, { headers }), ["none"]);
  assert.ok(receiver.bodies.length > 3);
  assert.not.match(receiver.bodies.join(""), word);
});

Traces("do not affect requests when the receiver refuses them, which is logged once", async () => {
  receiver.answer(400);
  const complaints = () => system.logged.filter(({ msg }) => msg === "traces get lost").length;
  for (let round = 0; round < 3; round++) {
    assert.is((await register(`lost${round}`)).status, 200);
    const refused = receiver.refused();
    await eventually("batches were refused", async () => receiver.refused() >= refused + 3);
  }
  receiver.answer(200);
  await register("found");
  await eventually("spans arrive again", async () => system.logged.some(({ msg }) => msg === "traces arrive again"));
  // One for each of the three processes.
  assert.ok(complaints() > 0 && complaints() <= 3, `${complaints()}`);
});

Traces("are sampled as configured, and none is lost by a stop", async () => {
  for (const [percent, expected] of [
    ["0", 0],
    ["100", 3],
  ] as const) {
    const other = await launch("gateway", {
      ACCOUNT_URL: system.accountUrl,
      SOCIAL_URL: system.socialUrl,
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      TRACE_PERCENT: percent,
    });
    const before = receiver.spans.length;
    for (let round = 0; round < 3; round++) assert.is((await fetch(`${other.url}/social/ann`)).status, 200);
    await other.close();
    const roots = receiver.spans.slice(before).filter(({ name, kind }) => name === "SocialUsers" && kind === 2);
    assert.is(roots.length, expected);
  }
});

Traces("show that a reply with many results takes as many statements as one", async () => {
  const { statuses, graph } = system.clients;
  const people = await Promise.all(Array.from({ length: 20 }, () => person(system, "p")));
  const [author, ...fans] = people as [Person, ...Person[]];
  for (let index = 0; index < 20; index++) await statuses.publishStatus({ authorId: author.id, text: `${index}` });
  for (const { id: followerId } of fans) await graph.follow({ followerId, userId: author.id });
  const registered = await register("viewer", {}, { autoLogin: true });
  const { sessionId } = (await registered.json()) as { sessionId: string };
  const headers = { authorization: `Bearer ${sessionId}` };
  // A viewer's relation digests are requested once for each state of the viewer.
  const asked = () => receiver.spans.filter(({ name }) => name.endsWith("/ListRelationDigests")).length;
  const askedBefore = asked();
  await (await fetch(`${system.url}/social/${fans[0]?.name}`, { headers })).text();
  await eventually("the viewer's relations", async () => asked() > askedBefore);
  const one = `/social/${author.name}`;
  const before = new Set(receiver.spans.map(({ traceId }) => traceId));
  for (const [path, results] of [
    [one, 1],
    [`/social/${valuesOf(people, "name")}`, 20],
    [`${one}/timelines?take=1`, 1],
    [`${one}/timelines?take=200`, 20],
    [`${one}/followers?take=1`, 1],
    [`${one}/followers?take=200`, 19],
  ] as const) {
    const reply = (await (await fetch(system.url + path, { headers })).json()) as { results: unknown[] };
    assert.is(reply.results.length, results, path);
  }
  const fresh = () => receiver.spans.filter(({ traceId }) => !before.has(traceId));
  for (const [operation, statement] of [
    ["SocialUsers", "list-profiles"],
    ["SocialTimelines", "load-timeline"],
    ["SocialFollowers", "list-followers"],
  ] as const) {
    const served = () =>
      fresh().filter(({ name, process }) => name.endsWith(`/${operation}`) && process === "roost-social");
    await eventually(operation, async () => served().length === 2);
    // Only the first read requests the viewer's relation digests.
    const isOfRead = (name: string) => name !== "list-relation-digests";
    const [few, many] = served().map(({ traceId }) => statementsIn(fresh(), traceId).filter(isOfRead));
    assert.equal(many, few, operation);
    assert.ok(few?.includes(statement), few?.join());
  }
});

/** The names of the social service's statements in a trace. */
function statementsIn(spans: readonly ReceivedSpan[], traceId: string): string[] {
  const own = spans.filter((span) => span.traceId === traceId && span.process === "roost-social" && span.kind === 3);
  return own.map(({ name }) => name).toSorted();
}

Traces.run();

/** A span in OTLP's JSON, with the name of its process. */
interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Empty for the root of a trace. */
  parentSpanId?: string;
  name: string;
  /** 2 for a server's span, 3 for a client's. */
  kind: number;
  attributes: { key: string; value: Record<string, unknown> }[];
  status: { code: number };
  process: string;
}

/** An OTLP receiver on loopback that stores what it gets. */
async function startTraceReceiver() {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  let status = 200;
  let refused = 0;
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (request.method === "POST" && request.url === "/v1/traces" && status === 200) {
        const body = Buffer.concat(chunks).toString();
        bodies.push(body);
        for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
          const { value } = resource.attributes.find(({ key }: { key: string }) => key === "service.name");
          for (const scope of scopeSpans) {
            for (const span of scope.spans) spans.push({ ...span, process: value.stringValue });
          }
        }
      }
      if (status !== 200) refused++;
      response.writeHead(status, { "content-type": "application/json" }).end("{}");
    });
  });
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    spans,
    bodies,
    /** The number of batches refused so far. */
    refused: () => refused,
    /** Answers with this status from now on. */
    answer: (next: number) => void (status = next),
    stop: () => stopListening(server),
  };
}
