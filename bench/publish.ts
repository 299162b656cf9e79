import { createClient } from "@connectrpc/connect";
import { StatusService } from "../proto/gen/social/v1/status_service_pb.ts";
import { connect } from "./connect.ts";
import type { Measurement } from "./measurement.ts";
import { createPeople } from "./people.ts";
import { publishStatuses, writers } from "./publish-statuses.ts";
import { microsecondsPerRequest, processorTime } from "./system/processor.ts";
import { withEmptySystem } from "./system/with-empty-system.ts";

const authors = 200;
const statuses = 6_000;

/** How many statuses a second are published, each durable when it is acknowledged, and the processor time for each. */
export async function measurePublishing(): Promise<Measurement[]> {
  return withEmptySystem(async (system, home) => {
    const transport = connect(system.socialUrl);
    try {
      const people = await createPeople(transport.transport, authors);
      const client = createClient(StatusService, transport.transport);
      await publishStatuses(client, people, statuses / 4);
      const [start, before] = [performance.now(), processorTime(system, home)];
      await publishStatuses(client, people, statuses);
      const seconds = (performance.now() - start) / 1_000;
      const used = microsecondsPerRequest([[before, processorTime(system, home), statuses]]);
      return [
        {
          name: `publication, ${writers} writers`,
          value: `${Math.round(statuses / seconds)} /s; ${used.join(", ")} of processor each`,
        },
      ];
    } finally {
      transport.close();
    }
  });
}
