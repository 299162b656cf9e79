import * as assert from "uvu/assert";
import { publish } from "../support/people.ts";
import { useSharedSystem } from "../support/shared-services.ts";
import { suite } from "../support/suite.ts";
import { askAs, signUp, type Visitor } from "../support/visitors.ts";

const Suspended = suite("suspended users over HTTP");
const system = useSharedSystem(Suspended);
let count = 0;
let ann: Visitor;
let bea: Visitor;

Suspended.before.each(async () => {
  count++;
  [ann, bea] = [await signUp(system, `suspended${count}`), await signUp(system, `witness${count}`)];
});

Suspended("may read, and are refused every write", async () => {
  await system.clients.moderation.suspend({ userId: ann.id });
  assert.is((await askAs(system, `/social/${bea.name}/timelines`, ann.session)).status, 200);
  assert.is((await askAs(system, "/profile/blocks", ann.session)).status, 200);
  for (const [path, body] of [
    ["/timelines/publish", '{"text":"x"}'],
    ["/timelines/delete", '{"id":1}'],
    ["/profile", '{"location":"x"}'],
    ["/auth/password", '{"oldPassword":"correct horse","newPassword":"battery staple"}'],
    ["/auth/password", '{"oldPassword":"wrong horse","newPassword":"battery staple"}'],
    ["/profile", '{"ifVersion":77,"location":"x"}'],
    [`/social/${bea.name}/timelines/1/mark`, '{"favorited":true}'],
    [`/social/${bea.name}/follow`, "{}"],
    [`/social/${bea.name}/follow`, '{"following":false}'],
    [`/social/${bea.name}/answer`, '{"approved":true}'],
    [`/social/${bea.name}/block`, "{}"],
    [`/social/${bea.name}/mute`, '{"muted":false}'],
    [`/social/${bea.name}/report`, '{"reason":"x"}'],
    ["/social/no_such_user/follow", "{}"],
  ] as const) {
    const { status, errorCode } = await askAs(system, path, ann.session, body);
    assert.equal([status, errorCode], [403, "Suspended"], path);
  }
  assert.is((await askAs(system, "/timelines/publish", ann.session, '{"text":""}')).status, 400);
  await system.clients.profiles.setVerified({ userId: ann.id, verified: true });
  assert.is((await askAs(system, "/profile/delete", ann.session, '{"password":"correct horse"}')).status, 200);
});

Suspended("are refused as the target of writes by others", async () => {
  const { id } = await publish(system, ann);
  await system.clients.moderation.suspend({ userId: ann.id });
  for (const [path, body] of [
    [`/social/${ann.name}/timelines/${id}/mark`, '{"favorited":true}'],
    [`/social/${ann.name}/follow`, "{}"],
    [`/social/${ann.name}/answer`, '{"approved":false}'],
    [`/social/${ann.name}/block`, "{}"],
    [`/social/${ann.name}/mute`, "{}"],
    [`/social/${ann.name}/report`, '{"reason":"x"}'],
    ["/timelines/publish", `{"text":"x","inReplyToScreenName":"${ann.name}","inReplyToStatusId":${id}}`],
  ] as const) {
    const { status, errorCode } = await askAs(system, path, bea.session, body);
    assert.equal([status, errorCode], [403, "Suspended"], path);
  }
});

Suspended.run();
