import { currentSpan, inSpan, type Span } from "../../services/platform/tracing/span.ts";

/** Asks for some keys and gives their values in order; many askers share one question. Rejects as its flight does. */
export type Ask<V> = (keys: readonly string[]) => Promise<V[]>;

/** Answers the keys of a flight in order; a key's own answer may still be open when the flight is over. */
export type Fly<V> = (keys: string[]) => Promise<readonly (V | Promise<V>)[]>;

/**
 * Gathers keys into flights: all that are asked for while a flight is under way go out together in the next one, each key
 * once. Never in the current one, whose answer may have been read before the asker came (design §5).
 * @param pause milliseconds between a flight and the next, to gather more
 */
export function nextFlight<V>(fly: Fly<V>, pause: () => number = () => 0): Ask<V> {
  return flights(fly, (leave) => {
    const ms = pause();
    if (ms > 0) setTimeout(leave, ms);
    else leave();
  });
}

/**
 * Gathers keys into flights that do not wait for each other: all that are asked for in one turn of the event loop. More
 * flights than `nextFlight` makes, and nobody waits for any but his own: for questions that cost little.
 */
export function nextTurn<V>(fly: Fly<V>): Ask<V> {
  return flights(fly);
}

/** @param landed is called after each flight with what lets the next one leave; without it none waits for another */
function flights<V>(fly: Fly<V>, landed?: (leave: () => void) => void): Ask<V> {
  let next = newFlight<V>();
  /** Whether the next flight will leave by itself. */
  let isCalled = false;

  function leave(): void {
    const flight = next;
    isCalled = landed !== undefined && flight.seats.size > 0;
    if (flight.seats.size === 0) return;
    next = newFlight();
    inSpan(flight.leader, () => fly([...flight.seats.keys()]))
      .then(flight.land, flight.fail)
      .then(() => landed?.(leave));
  }

  return (keys) => {
    const { seats, answers } = next;
    if (seats.size === 0) next.leader = currentSpan();
    const places = keys.map((key) => {
      const seat = seats.get(key) ?? seats.size;
      if (seat === seats.size) seats.set(key, seat);
      return seat;
    });
    if (!isCalled && seats.size > 0) {
      isCalled = true;
      // At the end of this turn, with whatever else has come in.
      setImmediate(leave);
    }
    if (keys.length === 0) return Promise.resolve([]);
    return answers.then((values) => {
      const own = places.map((seat) => values[seat] as V | Promise<V>);
      return own.some((value) => value instanceof Promise) ? Promise.all(own) : (own as V[]);
    });
  };
}

interface Flight<V> {
  /** The place of each key among the answers. */
  seats: Map<string, number>;
  answers: Promise<readonly (V | Promise<V>)[]>;
  land(answers: readonly (V | Promise<V>)[]): void;
  fail(error: unknown): void;
  /** In whose span the flight goes: of all who wait, the first one's. */
  leader?: Span | undefined;
}

function newFlight<V>(): Flight<V> {
  const flight = { seats: new Map<string, number>() } as Flight<V>;
  flight.answers = new Promise((land, fail) => {
    flight.land = land;
    flight.fail = fail;
  });
  return flight;
}
