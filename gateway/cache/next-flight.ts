import { currentSpan, inSpan, type Span } from "../../services/platform/tracing/span.ts";

/** Asks for one key; many askers share one question. */
export type Ask<V> = (key: string) => Promise<V>;

/**
 * Gathers keys into flights: all that are asked for while a flight is under way go out together in the next one, each key
 * once. Never in the current one, whose answer may have been read before the asker came (design §5).
 * @param fly answers every key of a flight; a key's own promise may still be open when the flight is over
 * @param pause milliseconds between a flight and the next, to gather more
 */
export function nextFlight<V>(
  fly: (keys: string[]) => Promise<ReadonlyMap<string, V | Promise<V>>>,
  pause: () => number = () => 0,
): Ask<V> {
  let waiting = new Map<string, Seat<V>>();
  let busy = false;
  /** In whose span the next flight goes: of all who wait, the first one's. */
  let leader: Span | undefined;

  function take(): void {
    if (waiting.size === 0) {
      busy = false;
      return;
    }
    const flight = waiting;
    waiting = new Map();
    void inSpan(leader, () => fly([...flight.keys()]))
      .then(
        (answers) => {
          for (const [key, seat] of flight) seat.resolve(answers.get(key) as V | Promise<V>);
        },
        (error: unknown) => {
          for (const seat of flight.values()) seat.reject(error);
        },
      )
      .then(() => {
        const ms = pause();
        if (ms > 0) setTimeout(take, ms);
        else take();
      });
  }

  return (key) => {
    let seat = waiting.get(key);
    if (seat === undefined) {
      if (waiting.size === 0) leader = currentSpan();
      seat = newSeat();
      waiting.set(key, seat);
      if (!busy) {
        busy = true;
        // At the end of this turn, with whatever else has come in.
        setImmediate(take);
      }
    }
    return seat.promise;
  };
}

interface Seat<V> {
  promise: Promise<V>;
  resolve(value: V | Promise<V>): void;
  reject(error: unknown): void;
}

function newSeat<V>(): Seat<V> {
  const seat = {} as Seat<V>;
  seat.promise = new Promise<V>((resolve, reject) => {
    seat.resolve = resolve;
    seat.reject = reject;
  });
  return seat;
}
