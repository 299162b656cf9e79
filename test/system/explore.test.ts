import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../proto/gen/grpc/health/v1/health_pb.ts";
import { createServiceTransport, type ServiceTransport } from "../../services/platform/connect/client.ts";
import { enumName } from "../support/enum-name.ts";
import type { TestServices } from "../support/services.ts";
import { useSharedServices } from "../support/shared-services.ts";
import { suite } from "../support/suite.ts";

const Explore = suite("calls without proto files");
const buf = join(import.meta.dirname, "../../node_modules/.bin/buf");
let services: TestServices;
let transports: ServiceTransport[];

Explore.after(() => transports.forEach((transport) => transport.close()));
useSharedServices(Explore, (shared) => {
  services = shared;
  transports = [services.accountUrl, services.socialUrl].map((baseUrl) =>
    createServiceTransport({ baseUrl, caller: "test" }),
  );
});

/** The output of `buf curl`, which is run outside the project, so that it gets the schema by reflection only. */
async function bufCurl(...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(buf, ["curl", "--http2-prior-knowledge", ...words], { cwd: "/" });
  return stdout.trim();
}

Explore("lists every method of both services", async () => {
  const account = await bufCurl("--list-methods", services.accountUrl);
  assert.ok(account.includes("account.v1.AccountService/Registration"), account);
  assert.ok(account.includes("grpc.health.v1.Health/Watch"), account);
  const social = await bufCurl("--list-methods", services.socialUrl);
  assert.ok(social.includes("social.v1.SocialService/SocialTimelines"), social);
  assert.not.ok(social.includes("account.v1"), social);
});

for (const protocol of ["grpc", "connect", "grpcweb"]) {
  Explore(`calls a method over ${protocol}`, async () => {
    const userName = `by_${protocol}`;
    const data = JSON.stringify({ userName, password: "correct horse" });
    const url = `${services.accountUrl}/account.v1.AccountService/Registration`;
    assert.is(JSON.parse(await bufCurl("--protocol", protocol, "-d", data, url)).userName, userName);
  });
}

Explore("reports NOT_SERVING while the database is unavailable, and SERVING after that", async () => {
  const [{ database }] = (await services.database.query("select current_database() as database")) as [
    { database: string },
  ];
  const states = () =>
    Promise.all(
      transports.map(async ({ transport }) =>
        enumName(Status, (await createClient(Health, transport).check({})).status),
      ),
    );
  assert.equal(await states(), ["SERVING", "SERVING"]);
  await services.database.query(`alter database ${database} connection limit 0`);
  await services.database.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()",
    [database],
  );
  assert.equal(await states(), ["NOT_SERVING", "NOT_SERVING"]);
  await services.database.query(`alter database ${database} connection limit -1`);
  assert.equal(await states(), ["SERVING", "SERVING"]);
});

Explore.run();
