import { createClient } from "@connectrpc/connect";
import { StatusService } from "../proto/gen/social/v1/status_service_pb.ts";
import { connect } from "./connect.ts";
import { createPeople } from "./people.ts";
import { publishStatuses, writers } from "./publish-statuses.ts";
import type { Row } from "./results/row.ts";
import { microsecondsPerRequest, processorTime } from "./system/processor.ts";
import { withEmptySystem } from "./system/with-empty-system.ts";
import type { Plan } from "./trials/plan.ts";

const authors = 200;

/** How many statuses a second are published, each durable when it is acknowledged, and the processor time for each. */
export async function measurePublishing({ sizes: { publications } }: Plan): Promise<Row[]> {
  return withEmptySystem(async (system, home) => {
    const transport = connect(system.socialUrl);
    try {
      const people = await createPeople(transport.transport, authors);
      const client = createClient(StatusService, transport.transport);
      // The first thousands cost twice as much: V8 compiles only what has run often.
      await publishStatuses(client, people, publications);
      const [start, before, own] = [performance.now(), processorTime(system, home), process.cpuUsage()];
      await publishStatuses(client, people, publications);
      const seconds = (performance.now() - start) / 1_000;
      const load = process.cpuUsage(own);
      const used = microsecondsPerRequest([[before, processorTime(system, home), publications]]);
      const figures = {
        "statuses/s": publications / seconds,
        ...used,
        "load µs": (load.user + load.system) / publications,
      };
      return [{ name: "publish", title: `publication, ${writers} writers`, figures }];
    } finally {
      transport.close();
    }
  });
}
