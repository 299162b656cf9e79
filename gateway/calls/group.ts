import type { Histogram } from "../../services/platform/metrics/instruments.ts";
import { currentSpan, inSpan, type Span } from "../../services/platform/tracing/span.ts";
import type { Deadline } from "../http/limits/deadline.ts";

/** Asks for the values of some keys, in order. Callers share calls. Rejects as the shared call does. */
export type Ask<V, K = string> = (keys: readonly K[], deadline: Deadline) => Promise<V[]>;

export interface GroupOptions<K> {
  /** Calls that may be under way at once. Default 1: the keys that come meanwhile share the next call. */
  maxConcurrent?: number;
  /**
   * Milliseconds after which a call no longer counts as under way, so that later callers may reach another process of the service.
   * Default 100; most answers take a few.
   */
  stalledMs?: number;
  /** Text by which keys are told apart. Default the key itself. */
  textOf?: (key: K) => string;
  /** What a key adds to the size of its group. Default 1. */
  sizeOf?: (key: K) => number;
  /** The largest size of a group, which only the keys of a single caller may exceed. Default no limit. */
  maxSize?: number;
  /** Counts the keys of each group. */
  keysInGroup?: Histogram | undefined;
}

/**
 * Asks for the keys of many callers in one call: all keys that come in one turn of the event loop, each once, and while `maxConcurrent`
 * calls are under way those of later turns. No key joins a call that has begun, so what a caller gets was read after it asked.
 * @param call answers a group, in the order of its keys; the deadline is the latest of its callers'
 */
export function createGroups<V, K = string>(
  call: (keys: readonly K[], deadline: Deadline) => Promise<readonly (V | Promise<V>)[]>,
  options: GroupOptions<K> = {},
): Ask<V, K> {
  const {
    maxConcurrent = 1,
    stalledMs = 100,
    textOf = String,
    sizeOf = () => 1,
    maxSize = Infinity,
    keysInGroup,
  } = options;
  /** The groups that have not been sent, the oldest first. */
  const waiting: Group<V, K>[] = [];
  let underWay = 0;
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled || underWay >= maxConcurrent || waiting.length === 0) return;
    isScheduled = true;
    setImmediate(sendNext);
  }

  function sendNext(): void {
    isScheduled = false;
    const group = waiting.shift() as Group<V, K>;
    let isCounted = true;
    underWay++;
    keysInGroup?.observe(group.keys.length);
    const end = () => {
      if (isCounted) underWay--;
      isCounted = false;
      // In the next turn: this one sends the replies, and the next requests of busy clients then join the group.
      setImmediate(schedule);
    };
    const stalled = setTimeout(end, stalledMs);
    void inSpan(group.span, () => call(group.keys, group.deadline))
      .then(group.resolve, group.reject)
      .then(() => {
        clearTimeout(stalled);
        end();
      });
    schedule();
  }

  function groupFor(size: number): Group<V, K> {
    const last = waiting.at(-1);
    if (last !== undefined && last.size + size <= maxSize) return last;
    const group = newGroup<V, K>();
    waiting.push(group);
    return group;
  }

  return async (keys, deadline) => {
    if (keys.length === 0) return [];
    const size = maxSize === Infinity ? 0 : keys.reduce((sum, key) => sum + sizeOf(key), 0);
    const group = groupFor(size);
    group.size += size;
    if (deadline > group.deadline) group.deadline = deadline;
    const places = keys.map((key) => {
      const text = textOf(key);
      let place = group.places.get(text);
      if (place === undefined) group.places.set(text, (place = group.keys.push(key) - 1));
      return place;
    });
    schedule();
    const values = await group.values;
    return Promise.all(places.map((place) => values[place] as V | Promise<V>));
  };
}

interface Group<V, K> {
  keys: K[];
  /** The place of each key among the keys and the values, by its text. */
  places: Map<string, number>;
  size: number;
  deadline: Deadline;
  /** The first caller's, in which the group is sent. */
  span: Span | undefined;
  values: Promise<readonly (V | Promise<V>)[]>;
  resolve(values: readonly (V | Promise<V>)[]): void;
  reject(error: unknown): void;
}

function newGroup<V, K>(): Group<V, K> {
  const { promise, resolve, reject } = withResolvers<readonly (V | Promise<V>)[]>();
  return { keys: [], places: new Map(), size: 0, deadline: 0, span: currentSpan(), values: promise, resolve, reject };
}

function withResolvers<T>() {
  let settle: { resolve(value: T): void; reject(error: unknown): void } | undefined;
  const promise = new Promise<T>((resolve, reject) => (settle = { resolve, reject }));
  return { promise, ...(settle as NonNullable<typeof settle>) };
}
