/** What a figure has to be. */
export interface Goal {
  atLeast?: number;
  atMost?: number;
}

/** Goals by the name of a figure. */
export type Goals = Readonly<Record<string, Goal>>;

const least = (atLeast: number): Goal => ({ atLeast });
const most = (atMost: number): Goal => ({ atMost });
const ofNode = (atLeast: number): Goals => ({ "of node:http": { atLeast } });
/** MB of a process under load. */
const memory = { "gateway MB": most(200), "social MB": most(150), "account MB": most(150), "launcher MB": most(80) };
/** MB that a gateway with a heap of 256 MiB may take under an attack: 400 MiB. */
const attacked = { "gateway MB": most(419), "gateways ended": most(0) };
/** Less than hashing the password, which takes three times as long. */
const refused = { "p50 ms": most(5) };

/** The goals of all rows, by the row's name; every case has at least one. The only place where goals are set. */
export const goals: Readonly<Record<string, Goals>> = {
  "timeline-20": {
    ...ofNode(0.85),
    "of monolith": least(8),
    "p99 of node:http's": most(1.3),
  },
  "timeline-20-unchanged": ofNode(0.85),
  "timeline-20-origin": ofNode(0.8),
  "timeline-20-jsonp": ofNode(0.6),
  "timeline-20-post": ofNode(0.5),
  "timeline-20-batch": ofNode(0.8),
  "timeline-20-batch-bearer": ofNode(0.5),
  "timeline-20-bearer": ofNode(0.5),
  "timeline-20-cookie": ofNode(0.5),
  "unknown-user": ofNode(0.5),
  "unknown-user-bearer": ofNode(0.5),
  "timeline-200-gzip": ofNode(0.7),
  "timeline-200-gzip-bearer": ofNode(0.5),
  "profiles-100": ofNode(0.8),
  "profiles-100-bearer": ofNode(0.5),
  "hot-author": { ...ofNode(0.85), "p99 of node:http's": most(1.3), "Redis commands/request": most(0.2) },
  // One page query for each author and flush.
  flushes: { "p99 ms": most(100), "page queries of those allowed": most(1) },
  growth: { "of small dataset": least(0.9) },
  "growth-10m": { "of small dataset": least(0.9) },
  "timeline-20-no-redis": ofNode(0.45),
  "timeline-20-off": { "of monolith": least(1) },
  "timeline-200-off": { "of monolith": least(1) },
  "profiles-100-off": { "of monolith": least(4) },
  "memory, redis": memory,
  "memory, no Redis": memory,
  "memory, cache off": memory,
  soak: memory,
  "first-timeline": { "first above tenth ms": most(50) },
  "first-registration": { "first above tenth ms": most(50) },
  "idle-connections": { "each KB": most(10) },
  "refusal of 1 MB, account service": refused,
  "refusal of 1 MB, gateway": refused,
  "refusal of 7, account service": refused,
  "refusal of 7, gateway": refused,
  publish: { "statuses/s": least(2_000), "social µs": most(400), "Postgres µs": most(350) },
  registration: { "of bare hashes": least(0.9) },
  import: { "statuses/s": least(10_000) },
  archive: { "statuses/s": least(10_000) },
  "one-byte-chunks": attacked,
  "unfinished-uploads": attacked,
  "large-batches": attacked,
  "unfinished-heads": attacked,
  "heads-without-bodies": attacked,
  "heads-behind-slow": attacked,
  "waiting-lists": attacked,
  "pipelined-batches": attacked,
  "unread-replies": attacked,
  "hostile-body-1": { "processor ms": most(20) },
  "hostile-body-2": { "processor ms": most(20) },
  "hostile-body-3": { "processor ms": most(20) },
};

/** Whether a figure reaches its goal. */
export function isMet(value: number, { atLeast = -Infinity, atMost = Infinity }: Goal): boolean {
  return value >= atLeast && value <= atMost;
}

/** A goal as text, such as "≥ 0.85". */
export function goalText({ atLeast, atMost }: Goal): string {
  const parts = [
    atLeast === undefined ? "" : `≥ ${atLeast.toLocaleString("en")}`,
    atMost === undefined ? "" : `≤ ${atMost.toLocaleString("en")}`,
  ];
  return parts.filter(Boolean).join(", ");
}
