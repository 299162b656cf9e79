import * as assert from "uvu/assert";
import { publish } from "../support/people.ts";
import { suite } from "../support/suite.ts";
import { useSystem } from "../support/system.ts";
import { signUp } from "../support/visitors.ts";

const Pages = suite("more concurrent pages than the service lists in one call");
// Long timeouts, since a busy machine is slow.
const system = useSystem(Pages, { SERVICE_TIMEOUT_MS: "60000" });
Pages.before(async () => void (await publish(system, await signUp(system, "ann"), "hello")));

const pages = Array.from({ length: 250 }, (_, index) => ({ screenName: "ann", take: 1, maxId: `${10_000 + index}` }));

Pages("are returned to as many clients", async () => {
  const replies = await Promise.all(
    pages.map(({ take, maxId }) => fetch(`${system.url}/social/ann/timelines?take=${take}&maxId=${maxId}`)),
  );
  const texts = await Promise.all(replies.map((reply) => reply.text()));
  assert.equal(new Set(texts), new Set(['{"results":[]}']));
});

Pages("are returned to clients with batches, and only an invalid batch fails", async () => {
  const batches = pages.map((page) => [
    { ...page, take: 2 },
    { ...page, take: 3 },
  ]);
  const wrong = [{ screenName: "ann", take: 0 }];
  const replies = await Promise.all(
    [...batches, wrong].map((batch) =>
      fetch(`${system.url}/json/reply/SocialTimelines[]`, { method: "POST", body: JSON.stringify(batch) }),
    ),
  );
  const refused = replies.pop();
  assert.equal(new Set(replies.map(({ status }) => status)), new Set([200]));
  assert.is(refused?.status, 400);
  assert.match((await refused?.text()) ?? "", '"fieldName":"take"');
});

Pages.run();
