import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import { Code, ConnectError } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { AccountService } from "../../proto/gen/account/v1/account_service_pb.ts";
import { Health } from "../../proto/gen/grpc/health/v1/health_pb.ts";
import { ImportOutcome, ImportService } from "../../proto/gen/social/v1/import_service_pb.ts";
import { SocialService } from "../../proto/gen/social/v1/social_service_pb.ts";
import { listen, stopListening } from "../support/listen.ts";

/** How the fake services answer imports of statuses and reads of timelines. */
export type Behaviour = "answering" | "refusing" | "hanging" | "hanging after one";

/** Both services at one port: every name is user 5, and everything that is imported is new. */
export async function startFakeSystem() {
  let behaviour: Behaviour = "answering";
  let imports = 0;
  const calls = new EventEmitter();
  const behave = async <T>(answer: T): Promise<T> => {
    if (behaviour === "refusing") throw new ConnectError("not today", Code.PermissionDenied);
    if (behaviour === "answering" || (behaviour === "hanging after one" && imports === 1)) return answer;
    calls.emit("hung");
    // A call that never ends would leave the timer of its deadline behind.
    await once(calls, "end");
    return answer;
  };
  const added = (items: unknown[]) => {
    imports++;
    return { results: items.map(() => ({ outcome: ImportOutcome.ADDED })) };
  };
  const handler = connectNodeAdapter({
    routes({ service }) {
      service(Health, { check: () => ({}) });
      service(AccountService, {
        claimAccounts: ({ claims }) => ({ results: claims.map(({ originId }) => ({ userId: BigInt(originId) })) }),
      });
      service(ImportService, {
        importProfiles: ({ profiles }) => added(profiles),
        importStatuses: ({ statuses }) => behave(added(statuses)),
        countImported: () => ({}),
      });
      service(SocialService, {
        socialUsers: ({ screenNames }) => ({ results: screenNames.map((screenName) => ({ id: 5n, screenName })) }),
        socialTimelines: () => behave({}),
      });
    },
  });
  const server = createServer(handler);
  const url = `http://127.0.0.1:${await listen(server)}`;
  return {
    env: { ACCOUNT_URL: url, SOCIAL_URL: url },
    url,
    /** The number of batches received. */
    imports: () => imports,
    setBehaviour(next: Behaviour) {
      behaviour = next;
      imports = 0;
    },
    /** Resolves when the next call hangs. */
    hung: () => once(calls, "hung"),
    async close() {
      calls.emit("end");
      await stopListening(server);
    },
  };
}
