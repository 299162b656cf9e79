import { createClient } from "@connectrpc/connect";
import { AccountService } from "../proto/gen/account/v1/account_service_pb.ts";
import { connect } from "./connect.ts";
import { sendRequest } from "./load/send-request.ts";
import type { Figures, Row } from "./results/row.ts";
import { withEmptySystem } from "./system/with-empty-system.ts";
import type { Plan } from "./trials/plan.ts";

const warmUp = 50;

/** How long one client waits until a password is refused, one after the other, including the transfer. */
export function measureRefusals({ sizes: { refusals } }: Plan): Promise<Row[]> {
  return withEmptySystem(async ({ url, accountUrl }) => {
    const account = connect(accountUrl);
    try {
      const rows: Row[] = [];
      for (const [what, password] of [
        ["1 MB", "x".repeat(1_048_000)],
        ["7", "x".repeat(7)],
      ] as const) {
        const { registration } = createClient(AccountService, account.transport);
        const directly = () => registration({ userName: "bench", password }).then(accepted, () => {});
        const body = JSON.stringify({ userName: "bench", password });
        const throughGateway = async () => {
          if ((await sendRequest(url, "/register", {}, body)).status !== 400) accepted();
        };
        for (const [where, refuse] of [
          ["account service", directly],
          ["gateway", throughGateway],
        ] as const) {
          const figures = await waited(refuse, refusals);
          rows.push({
            name: `refusal of ${what}, ${where}`,
            title: `a password of ${what} refused, ${where}`,
            figures,
          });
        }
      }
      return rows;
    } finally {
      account.close();
    }
  });
}

function accepted(): never {
  throw new Error("the password was accepted");
}

async function waited(refuse: () => Promise<void>, rounds: number): Promise<Figures> {
  const times: number[] = [];
  for (let round = -warmUp; round < rounds; round++) {
    const start = performance.now();
    await refuse();
    if (round >= 0) times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  return { "p50 ms": times[rounds >> 1] as number, "p99 ms": times[Math.floor(rounds * 0.99)] as number };
}
