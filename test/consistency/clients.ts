import { randomUUID } from "node:crypto";
import { type Client, Code, ConnectError, createClient } from "@connectrpc/connect";
import { PeopleService } from "../../proto/gen/account/people/v1/people_service_pb.ts";
import { AccountService } from "../../proto/gen/account/v1/account_service_pb.ts";
import { createServiceTransport } from "../../services/platform/connect/client.ts";
import {
  createGraph,
  createProfiles,
  createStatuses,
  type Graph,
  type Profiles,
  type Statuses,
} from "../support/by-id.ts";
import { actingTransport } from "../support/services.ts";

/** Clients of the writing services of one social process and one account process. */
export interface Clients {
  account: Client<typeof AccountService>;
  people: Client<typeof PeopleService>;
  profiles: Profiles;
  statuses: Statuses;
  graph: Graph;
}

/** One write of a writer: with its request id it is made once, however often it is sent. */
export type Act<T> = (via: Clients, requestId: string) => Promise<T>;

/** Two writers, each with its own processes while these are available. */
export interface Writers {
  /** One writer makes a write. */
  one<T>(act: Act<T>): Promise<T>;
  /**
   * Both writers make the same write, one a little after the other, under one request id or two. One of them may not find what the
   * other one has deleted.
   * @param first is called with the first answer; resolves when both have been answered
   */
  both<T>(act: Act<T>, first: (answer: T) => void, sameRequest?: boolean): Promise<void>;
  close(): void;
}

export function createWriters({
  socials,
  accounts,
}: {
  socials: readonly string[];
  accounts: readonly string[];
}): Writers {
  // A call of a process that hangs or was killed is repeated at the other one.
  const open = (baseUrl: string) => createServiceTransport({ baseUrl, caller: "test", deadlineMs: 10_000 });
  const [toSocials, toAccounts] = [socials.map(open), accounts.map(open)];
  const transports = [...toSocials, ...toAccounts];
  const clients = toSocials.map(({ transport }, index): Clients => {
    const acting = actingTransport(transport);
    const account = actingTransport((toAccounts[index] as (typeof toAccounts)[number]).transport);
    return {
      account: createClient(AccountService, account),
      people: createClient(PeopleService, account),
      profiles: createProfiles(acting),
      statuses: createStatuses(acting),
      graph: createGraph(acting),
    };
  });

  /** Repeats a write at the next process while its outcome is unknown. */
  async function write<T>(act: Act<T>, requestId: string, writer: number): Promise<T> {
    const end = performance.now() + longestOutageMs;
    for (let attempt = writer; ; attempt++) {
      try {
        return await act(clients[attempt % clients.length] as Clients, requestId);
      } catch (error) {
        if (performance.now() > end || !retryable.has(ConnectError.from(error).code)) throw error;
        await sleepUpTo(100);
      }
    }
  }

  return {
    one: (act) => write(act, randomUUID(), 0),
    async both(act, first, sameRequest = Math.random() < 0.5) {
      const requestId = randomUUID();
      const early = Math.floor(Math.random() * 2);
      const begin = async (writer: number) => {
        if (writer !== early) await sleepUpTo(Math.random() < 0.5 ? 5 : 100);
        first(await write(act, sameRequest ? requestId : randomUUID(), writer));
      };
      const written = await Promise.allSettled([begin(0), begin(1)]);
      const failed = written.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
      // What one writer has deleted or granted the other one does not find.
      const isMade = failed.length === 1 && ConnectError.from(failed[0]).code === Code.NotFound;
      if (failed.length > 0 && !isMade) throw failed[0];
    },
    close() {
      for (const { close } of transports) close();
    },
  };
}

const retryable: ReadonlySet<Code> = new Set([Code.Unavailable, Code.Aborted, Code.DeadlineExceeded]);
/** Milliseconds. A killed database server takes long to restart on a busy machine. */
const longestOutageMs = 180_000;

function sleepUpTo(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * ms));
}
