import { createClient } from "@connectrpc/connect";
import { StatusService } from "../proto/gen/social/v1/status_service_pb.ts";
import { connect } from "./connect.ts";
import { createPeople } from "./people.ts";
import { publishStatuses, writers } from "./publish-statuses.ts";
import type { Row } from "./results/row.ts";
import { statusFigures } from "./status-figures.ts";
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
      const publish = () => publishStatuses(client, people, publications);
      // The first thousands cost twice as much: V8 compiles only what has run often.
      await publish();
      const figures = await statusFigures(system, home, publications, "load", publish);
      return [{ name: "publish", title: `publication, ${writers} writers`, figures }];
    } finally {
      transport.close();
    }
  });
}
