import type { FaultProxy } from "../../support/fault-proxy.ts";
import type { Fault, FaultCase } from "../fault-case.ts";
import type { Rig, Wire } from "../rig.ts";

const toPostgres: readonly Wire[] = ["account to Postgres", "social to Postgres"];
const toRedis: readonly Wire[] = ["gateway to Redis", "social to Redis"];
const toSocial: readonly Wire[] = ["gateway to social", "account to social"];
const toAccount: readonly Wire[] = ["gateway to account"];
const all = [...toPostgres, ...toRedis, ...toSocial, ...toAccount];

/** Faults of the connections: delays, lost packets, refusals, garbage. */
export const wireCases: readonly FaultCase[] = [
  {
    name: "slow-network",
    title: "50 ms ± 20 each way between all parts",
    times: 3,
    harmless: true,
    fault: (rig) => slow(rig, all, 50, 20, 8_000),
  },
  ...dependencies([
    ["postgres", toPostgres],
    ["social", toSocial],
    ["account", toAccount],
    ["redis", toRedis],
  ]),
];

function dependencies(parts: readonly [name: string, wires: readonly Wire[]][]): FaultCase[] {
  return parts.flatMap(([part, wires]): FaultCase[] => {
    const needs = part === "redis" ? ({ needs: "Redis", harmless: true } as const) : {};
    return [
      {
        name: `slow-${part}`,
        title: `${part} answers after 4 s`,
        times: 2,
        ...needs,
        // Longer than any deadline.
        fault: (rig) => slow(rig, wires, 2_000, 0, 12_000),
      },
      {
        name: `silent-${part}`,
        title: `packets from and to ${part} are lost for 6 s`,
        times: 3,
        ...needs,
        fault: (rig) => onWires(rig, wires, (wire) => wire.stall(), 6_000),
      },
      {
        name: `refused-${part}`,
        title: `${part} takes no connections for 3 s`,
        times: 3,
        ...needs,
        fault: (rig) => onWires(rig, wires, (wire) => wire.refuse(), 3_000),
      },
      {
        name: `garbage-${part}`,
        title: `${part} answers with garbage for 2 s, of another kind each time`,
        times: garbage(part).length,
        ...needs,
        fault: (rig, time) => onWires(rig, wires, (wire) => wire.answer(garbage(part)[time] ?? ""), 2_000),
      },
    ];
  });
}

function slow(rig: Rig, wires: readonly Wire[], ms: number, jitter: number, holdMs: number): Fault {
  const delay = (...by: [ms: number, jitter?: number]) => {
    for (const wire of wires) rig.wires[wire].delay(...by);
  };
  return { begin: () => delay(ms, jitter), holdMs, end: () => delay(0) };
}

function onWires(rig: Rig, wires: readonly Wire[], breaks: (wire: FaultProxy) => void, holdMs: number): Fault {
  return {
    begin: () => wires.forEach((wire) => breaks(rig.wires[wire])),
    holdMs,
    end: () => wires.forEach((wire) => rig.wires[wire].heal()),
  };
}

/**
 * Invalid replies in the form of each protocol: nonsense, a wrong type, a wrong length, half a reply. No valid message with false
 * contents, such as the end of a query that was not run: no client can detect that.
 */
function garbage(part: string): readonly string[] {
  if (part === "postgres") {
    return ["garbage\r\n\r\n", "\x7f\0\0\0\x08abcd", "R\0\0\0\x08\0\0\0\x63", "E\0\0\0\x09Sx\0\0\0"];
  }
  if (part === "redis") return ["garbage\r\n", "$5\r\nab", ":x\r\n", "*-7\r\n", "-ERR no\r\n", "\0\0\0\0"];
  const head = (type: string, length: number) =>
    `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`;
  return [
    "garbage\r\n\r\n",
    `${head("text/html", 7)}garbage`,
    `${head("application/proto", 7)}garbage`,
    `${head("application/proto", 99)}garbage`,
    `${head("application/json", 7)}garbage`.replace("200 OK", "502 Bad Gateway"),
  ];
}
