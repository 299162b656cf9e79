import { Code, ConnectError } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import { createLoadOrAnnounce, type SeenState } from "../../gateway/cache/tokens/seen-states.ts";
import { absentToken, unknownNameToken } from "../../services/platform/freshness/absent-token.ts";
import { viewerKey } from "../../services/platform/redis/freshness-key.ts";
import { suspendedUser } from "../../services/social/domain/errors.ts";
import { suite } from "../support/suite.ts";

const Loads = suite("loads that the service refuses");

const refusal = new ConnectError("is protected", Code.Unauthenticated);
const unknown = new ConnectError("no such user", Code.NotFound);
const ann = (token: string): SeenState[] => [{ subjectKey: "ann", token }];

/** Loads that fail; the service answers questions with these tokens. */
function open(...tokens: string[]) {
  let asked = 0;
  let told = tokens;
  const load = createLoadOrAnnounce(async () => {
    asked++;
    return told;
  });
  return {
    /** From now on the service answers with these tokens. */
    tell: (...next: string[]) => void (told = next),
    /** How often a load that fails so has the service asked for tokens. */
    async fail(read: readonly SeenState[], error: Error): Promise<number> {
      const before = asked;
      assert.is(await load(read, () => Promise.reject(error), 0).catch((failure: unknown) => failure), error);
      return asked - before;
    },
  };
}

Loads("have their users announced once in each state, and again for another refusal", async () => {
  const { fail, tell } = open("t1");
  assert.equal([await fail(ann("t1"), refusal), await fail(ann("t1"), refusal)], [1, 0]);
  tell("t2");
  assert.equal([await fail(ann("t2"), refusal), await fail(ann("t2"), refusal)], [1, 0], "in another state");
  tell("t1");
  const others = [
    new ConnectError("is blocked", Code.Unauthenticated),
    new ConnectError("is protected", Code.NotFound),
  ];
  for (const other of others) assert.equal([await fail(ann("t1"), other), await fail(ann("t1"), other)], [1, 0]);
});

Loads(
  "have their users announced each time while the service names other states than were read, or absent users",
  async () => {
    const { fail } = open("t2");
    assert.equal([await fail(ann("t1"), refusal), await fail(ann("t1"), refusal)], [1, 1]);
    const absent = open(absentToken);
    for (let time = 1; time <= 2; time++) assert.is(await absent.fail(ann(absentToken), refusal), 1);
  },
);

Loads("have nothing announced where the refusal follows from the token", async () => {
  const { fail } = open();
  assert.is(await fail(ann(unknownNameToken), unknown), 0);
  assert.is(await fail(ann(absentToken), suspendedUser()), 0);
  assert.is(await fail(ann(unknownNameToken), refusal), 1, "refused otherwise");
  assert.is(await fail(ann(absentToken), unknown), 1, "refused otherwise");
  assert.is(await fail(ann("t1"), suspendedUser()), 1, "suspended since");
  assert.is(await fail([{ subjectKey: viewerKey("7"), token: absentToken }], suspendedUser()), 1, "a viewer");
});

Loads("have nothing announced for errors that are no refusals", async () => {
  const { fail } = open("t1");
  assert.is(await fail(ann("t1"), new ConnectError("away", Code.Unavailable)), 0);
  assert.is(await fail(ann("t1"), new Error("broken")), 0);
});

Loads.run();
