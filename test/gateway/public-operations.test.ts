import * as assert from "uvu/assert";
import { suite } from "../support/suite.ts";
import { startFakeGateway } from "./fake-gateway.ts";

const Public = suite("operations added to those of the interface document");

Public("are not served or described with publicOperations set to interface", async () => {
  const small = await startFakeGateway({ publicOperations: "interface" });
  try {
    for (const path of ["/auth", "/auth/sessions", "/timelines/publish", "/profile/delete", "/social/ann/follow"]) {
      assert.is((await small.send({ method: "POST", path })).status, 404, path);
    }
    for (const name of ["Authenticate", "PublishStatus", "SocialFollowers[]"]) {
      assert.is((await small.send({ method: "POST", path: `/json/reply/${name}`, body: "[]" })).status, 405, name);
    }
    // Lookups, as in the interface document.
    for (const path of ["/social/requests", "/social/search", "/social/search/timelines"]) {
      assert.is((await small.send({ path })).status, 200, path);
    }
    for (const path of ["/openapi.json", "/metadata", "/types/typescript", "/docs"]) {
      const { status, text } = await small.send({ path });
      assert.is(status, 200, path);
      assert.not.match(text, /PublishStatus|Authenticate/, path);
    }
  } finally {
    await small.stop();
  }
});

Public("follow those of the interface document in the OpenAPI document", async () => {
  const gateway = await startFakeGateway();
  const { text } = await gateway.send({ path: "/openapi.json" });
  const { tags } = JSON.parse(text) as { tags: { name: string }[] };
  assert.equal(
    tags.slice(0, 4).map(({ name }) => name),
    ["Registration", "SocialUsers", "SocialTimelines", "Authenticate"],
  );
  assert.not.match(text, /"(?:sessionCookie|foreignCookie)"/);
  const { status } = await gateway.send({ path: "/social/requests" });
  assert.is(status, 200);
  await gateway.stop();
});

Public.run();
