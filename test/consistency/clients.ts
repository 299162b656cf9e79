import { randomUUID } from "node:crypto";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { PeopleService } from "../../proto/gen/account/people/v1/people_service_pb.ts";
import { AccountService } from "../../proto/gen/account/v1/account_service_pb.ts";
import { createServiceTransport } from "../../services/platform/connect/client.ts";
import { createGraph, createProfiles, createStatuses } from "../support/by-id.ts";
import { actingTransport } from "../support/services.ts";
import type { Cluster } from "./cluster.ts";
import type { History, State } from "./history.ts";

/** One write of a writer: with its request id it is made once, however often it is sent. */
export type Act<T> = (via: Clients, requestId: string) => Promise<T>;

export type Writers = ReturnType<typeof createWriters>;

/** Two writers, each with its own processes while these are available. */
export function createWriters({ socials, accounts }: Pick<Cluster, "socials" | "accounts">) {
  // A call of a process that hangs or was killed is repeated at the other one.
  const open = ({ url: baseUrl }: { url: string }) =>
    createServiceTransport({ baseUrl, caller: "test", deadlineMs: 10_000 });
  const [toSocials, toAccounts] = [socials.map(open), accounts.map(open)];
  const transports = [...toSocials, ...toAccounts];
  const clients = toSocials.map(({ transport }, index) => {
    return clientsOf(transport, (toAccounts[index] as (typeof toAccounts)[number]).transport);
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

  /**
   * Both writers make the same write, one a little after the other, under one request id or two. One of them may not find what the
   * other one has deleted.
   * @param first is called with the first answer; resolves when both have been answered
   */
  async function both<T>(act: Act<T>, first: (answer: T) => void, sameRequest = Math.random() < 0.5): Promise<void> {
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
  }

  return {
    one: <T>(act: Act<T>) => write(act, randomUUID(), 0),
    both,
    /** Both writers make a change to a known state, which the history records. */
    async change(history: History, state: State, act: Act<unknown>): Promise<void> {
      history.begin();
      await both(act, () => history.acknowledge(state));
    },
    close() {
      for (const { close } of transports) close();
    },
  };
}

type Clients = ReturnType<typeof clientsOf>;

/** Clients of the writing services of one social process and one account process. */
function clientsOf(toSocial: Transport, toAccount: Transport) {
  const [social, account] = [actingTransport(toSocial), actingTransport(toAccount)];
  return {
    account: createClient(AccountService, account),
    people: createClient(PeopleService, account),
    profiles: createProfiles(social),
    statuses: createStatuses(social),
    graph: createGraph(social),
  };
}

const retryable: ReadonlySet<Code> = new Set([Code.Unavailable, Code.Aborted, Code.DeadlineExceeded]);
/** Milliseconds. A killed database server takes long to restart on a busy machine. */
const longestOutageMs = 180_000;

function sleepUpTo(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * ms));
}
