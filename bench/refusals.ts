import http from "node:http";
import { createClient } from "@connectrpc/connect";
import { AccountService } from "../proto/gen/account/v1/account_service_pb.ts";
import { connect } from "./connect.ts";
import type { Measurement } from "./measurement.ts";
import { withEmptySystem } from "./system/with-empty-system.ts";

/** Milliseconds within which a password that is too long must be refused: a hash takes three times as long. */
const floor = 5;
const warmUp = 50;
const rounds = 500;

/** How long one client waits until a password is refused, one after the other, including the transfer. */
export function measureRefusals(): Promise<Measurement[]> {
  return withEmptySystem(async ({ url, accountUrl }) => {
    const account = connect(accountUrl);
    const agent = new http.Agent({ keepAlive: true });
    try {
      const rows: Measurement[] = [];
      for (const [what, password] of [
        ["a password of 1 MB refused", "x".repeat(1_048_000)],
        ["a password of 7 refused", "x".repeat(7)],
      ] as const) {
        const { registration } = createClient(AccountService, account.transport);
        const directly = () => registration({ userName: "bench", password }).then(accepted, () => {});
        const body = JSON.stringify({ userName: "bench", password });
        rows.push({ name: `${what}, account service`, value: await waited(directly) });
        rows.push({ name: `${what}, gateway`, value: await waited(() => post(agent, `${url}/register`, body)) });
      }
      return rows;
    } finally {
      agent.destroy();
      account.close();
    }
  });
}

function accepted(): never {
  throw new Error("the password was accepted");
}

async function waited(refuse: () => Promise<void>): Promise<string> {
  const times: number[] = [];
  for (let round = -warmUp; round < rounds; round++) {
    const start = performance.now();
    await refuse();
    if (round >= 0) times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const median = times[rounds / 2] as number;
  const worst = times[Math.floor(rounds * 0.99)] as number;
  const verdict = median < floor ? "held" : "missed";
  return `${median.toFixed(2)} ms, p99 ${worst.toFixed(2)} ms (${verdict}: ${floor} ms)`;
}

function post(agent: http.Agent, url: string, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { agent, method: "POST" }, (response) => {
      response.resume().on("end", () => (response.statusCode === 400 ? resolve() : reject(new Error("not refused"))));
    });
    request.on("error", reject);
    request.end(body);
  });
}
