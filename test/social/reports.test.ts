import * as assert from "uvu/assert";
import { type Person, person, publish, usePeople, valuesOf } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Reports = suite("reports");
const services = useServices(Reports);
const [ann, bea] = usePeople(Reports, services, "ann", "bea");
Reports.before.each(async () => void (await services.database.query("delete from social.report")));

const report = (who: Person, whom: Person, reason: string, statusId?: bigint) =>
  services.clients.people.reportUser({ userId: who.id, screenName: whom.name, reason, statusId });

const queue = async () => (await services.clients.moderation.listReports({})).reports;

Reports("are listed for the operator with the user and the status, the oldest first", async () => {
  const status = await publish(services, bea, "buy this");
  assert.equal((await report(ann, bea, "spam", status.id)).results, []);
  await report(ann, bea, "a robot");
  const [first, second] = await queue();
  assert.equal(
    [first?.reporterScreenName, first?.screenName, first?.statusId, first?.statusText, first?.reason],
    [ann.name, bea.name, status.id, "buy this", "spam"],
  );
  assert.equal([second?.statusId, second?.statusText, second?.reason], [undefined, undefined, "a robot"]);
  await services.clients.moderation.suspend({ userId: bea.id });
  assert.is((await queue())[0]?.suspended, true);
});

Reports("of one user about the same user or status are one, with the last reason", async () => {
  for (const reason of ["a", "b", "c"]) await report(ann, bea, reason);
  assert.equal(valuesOf(await queue(), "reason"), ["c"]);
  const cy = await person(services, "cy");
  await report(cy, bea, "d");
  assert.is((await queue()).length, 2);
});

Reports("stay open when the operator closes what was seen before they were repeated", async () => {
  await report(ann, bea, "spam");
  const seen = (await queue())[0]?.id ?? 0n;
  await report(ann, bea, "threatens me");
  assert.is((await refusalOf(services.clients.moderation.closeReport({ id: seen }))).code, "NotFound");
  assert.equal(valuesOf(await queue(), "reason"), ["threatens me"]);
});

Reports("are not listed after they are closed, unless they are made again", async () => {
  const { closeReport } = services.clients.moderation;
  await report(ann, bea, "a");
  const id = (await queue())[0]?.id ?? 0n;
  await closeReport({ id });
  await closeReport({ id });
  assert.equal(await queue(), []);
  await report(ann, bea, "again");
  assert.equal(valuesOf(await queue(), "reason"), ["again"]);
  assert.is((await refusalOf(closeReport({ id: 7n }))).code, "NotFound");
});

Reports("are listed in pages", async () => {
  for (const name of ["c", "d", "e"]) await report(await person(services, name), bea, name);
  const { listReports } = services.clients.moderation;
  const first = await listReports({ pageSize: 2 });
  const second = await listReports({ pageSize: 2, afterId: first.nextAfterId });
  const reasons = [first, second].map(({ reports }) => reports.map(({ reason }) => reason));
  assert.equal([...reasons, second.nextAfterId], [["c", "d"], ["e"], 0n]);
  assert.is((await refusalOf(listReports({ pageSize: 0 }))).code, "InvalidArgument");
});

Reports.run();
