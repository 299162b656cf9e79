import { type ErrorResponse, type IReturn, JsonServiceClient } from "@servicestack/client";
import * as assert from "uvu/assert";
import { password, publish, valuesOf } from "../support/people.ts";
import { useSharedSystem } from "../support/shared-services.ts";
import { suite } from "../support/suite.ts";
import type { TestSystem } from "../support/system.ts";

/** The class of an operation's requests, as ServiceStack generates it. */
function requestClass<Fields extends object, Reply>(name: string, method: string) {
  return class implements IReturn<Reply> {
    constructor(fields: Fields) {
      Object.assign(this, fields);
    }
    getTypeName(): string {
      return name;
    }
    getMethod(): string {
      return method;
    }
    createResponse(): Reply {
      return {} as Reply;
    }
  };
}

interface NewUser {
  userName?: string;
  displayName?: string;
  email?: string;
  password: string;
  autoLogin?: boolean;
  continue?: string;
}
type Registered = { userId: string; sessionId: string; userName: string; referrerUrl?: string };
type Users = { results: { id: string; screen_name: string; name: string; following?: boolean }[] };
type Timeline = { results: { id: number; text: string }[] };

const Registration = requestClass<NewUser, Registered>("Registration", "POST");
const SocialUsers = requestClass<{ userIds?: string[]; screenNames?: string[] }, Users>("SocialUsers", "GET");
const SocialTimelines = requestClass<{ screenName: string; take?: number }, Timeline>("SocialTimelines", "GET");

const system = {} as TestSystem;

// The client's default base is /api/; an empty base path makes it /json/reply/.
const bases: [base: string, createClient: () => JsonServiceClient][] = [
  ["/api/", () => new JsonServiceClient(system.url)],
  ["/json/reply/", () => new JsonServiceClient(system.url).useBasePath("")],
];
for (const [base, createClient] of bases) {
  const Client = suite(`@servicestack/client on ${base}`);
  const prefix = base.replaceAll("/", "");

  useSharedSystem(Client, system);
  Client.before(async () => {
    await createClient().post(new Registration({ userName: `${prefix}1`, displayName: "Ann, é", password }));
    await createClient().post(new Registration({ userName: `${prefix}2`, password }));
  });

  Client("registers, and gets every field of the reply", async () => {
    const client = createClient();
    const asked = new Registration({ userName: `${prefix}3`, password, continue: "/home" });
    const { userId, sessionId, userName, referrerUrl } = await client.post(asked);
    assert.match(userId, /^\d+$/);
    assert.ok(sessionId.length > 20);
    assert.equal([userName, referrerUrl], [`${prefix}3`, "/home"]);
    assert.equal(client.cookies, {});
  });

  Client("sends lists in GET, and in bodies of the other verbs", async () => {
    const client = createClient();
    const asked = new SocialUsers({ screenNames: [`${prefix}2`, "unknown", `${prefix}1`] });
    const wanted = [`${prefix}2`, `${prefix}1`];
    for (const verb of ["get", "post", "put", "patch", "delete"] as const) {
      const { results } = await client[verb](asked);
      assert.equal(valuesOf(results, "screen_name"), wanted, verb);
    }
    const userIds = valuesOf((await client.get(asked)).results, "id").toReversed();
    const byId = await client.get(new SocialUsers({ userIds }));
    assert.equal(valuesOf(byId.results, "id"), userIds);
    assert.is(byId.results[0]?.name, "Ann, é");
  });

  Client("reads a timeline with numbers in the query", async () => {
    const { results: users } = await createClient().get(new SocialUsers({ screenNames: [`${prefix}1`] }));
    const authorId = BigInt(users[0]?.id as string);
    const { id } = await publish(system, authorId, "Hello, é 🐦");
    const { results } = await createClient().get(new SocialTimelines({ screenName: `${prefix}1`, take: 1 }));
    assert.equal([results.length, BigInt(results[0]?.id ?? 0), results[0]?.text], [1, id, "Hello, é 🐦"]);
  });

  Client("throws errors with the code and message of each field", async () => {
    const error = await failureOf(createClient().post(new Registration({ email: "nonsense", password: "" })));
    assert.is(error.responseStatus?.errorCode, error.responseStatus?.errors?.[0]?.errorCode);
    assert.equal(
      error.responseStatus?.errors?.map(({ fieldName, errorCode }) => `${fieldName} ${errorCode}`),
      ["email Email", "password NotEmpty"],
    );
    const taken = await failureOf(createClient().post(new Registration({ userName: `${prefix}1`, password })));
    assert.is(taken.responseStatus?.message, "UserName already exists");
    const missing = await failureOf(createClient().get(new SocialTimelines({ screenName: "unknown" })));
    assert.equal([missing.responseStatus?.errorCode, missing.responseStatus?.errors], ["NotFound", undefined]);
  });

  Client("sends batches; a batch with one failed item fails with that item's error", async () => {
    const client = createClient();
    const completed: (string | null)[] = [];
    client.responseFilter = (response) => completed.push(response.headers.get("x-autobatch-completed"));
    const asked = [`${prefix}1`, "unknown", `${prefix}2`].map((name) => new SocialUsers({ screenNames: [name] }));
    const answers = await client.sendAll(asked);
    const names = answers.map(({ results }) => valuesOf(results, "screen_name"));
    assert.equal(names, [[`${prefix}1`], [], [`${prefix}2`]]);
    assert.equal(completed, ["3"]);
    const timelines = [`${prefix}1`, "unknown"].map((screenName) => new SocialTimelines({ screenName }));
    assert.is((await failureOf(client.sendAll(timelines))).responseStatus?.errorCode, "NotFound");
  });

  Client("stores the cookie of autoLogin and is signed in after it", async () => {
    const client = createClient();
    const lookup = new SocialUsers({ screenNames: [`${prefix}1`] });
    assert.is((await client.get(lookup)).results[0]?.following, undefined, "no user is signed in");
    const { sessionId } = await client.post(new Registration({ userName: `${prefix}4`, password, autoLogin: true }));
    assert.is(client.cookies["ss-id"]?.value, sessionId);
    assert.is((await client.get(lookup)).results[0]?.following, false);
    const bearer = createClient();
    bearer.bearerToken = sessionId;
    assert.is((await bearer.get(lookup)).results[0]?.following, false);
  });

  Client("sends one-way requests", async () => {
    await createClient().publish(new Registration({ userName: `${prefix}5`, password }));
    const { results } = await createClient().get(new SocialUsers({ screenNames: [`${prefix}5`] }));
    assert.is(results.length, 1);
  });

  Client.run();
}

async function failureOf(call: Promise<unknown>): Promise<ErrorResponse> {
  return call.then(
    () => assert.unreachable("the call did not fail") as never,
    (error: ErrorResponse) => error,
  );
}
