import { currentSpan, inSpan, type Span } from "../../services/platform/tracing/span.ts";

/** Asks for some keys and gives their values in order; many askers share one question. Rejects as its flight does. */
export type Ask<V> = (keys: readonly string[]) => Promise<V[]>;

/** Answers the keys of a flight in order; a key's own answer may still be open when the flight is over. */
type Fly<V> = (keys: string[]) => Promise<readonly (V | Promise<V>)[]>;

export interface FlightPlan {
  /** How many flights may be under way at once; 1 unless told. More make more calls, and nobody waits long for others. */
  abreast?: number;
  /**
   * Milliseconds for which a flight that is under way keeps the next one at home; 0 unless told. Of a flight that hangs the
   * others then wait no longer than that, and otherwise fewer and fuller ones fly.
   */
  apart?: number;
  /** Milliseconds after each flight before its place is free, to gather more. */
  pause?: () => number;
}

/**
 * Gathers keys into flights: all that are asked for in one turn of the event loop, and further on while no flight may
 * leave, go out together, each key once. Never in a flight that is under way, whose answer may have been read before the
 * asker came (design §5).
 */
export function nextFlight<V>(fly: Fly<V>, { abreast = 1, apart = 0, pause = () => 0 }: FlightPlan = {}): Ask<V> {
  let next = newFlight<V>();
  let isCalled = false;
  let underWay = 0;
  /** The flight that keeps the next one at home. */
  let ahead: Flight<V> | undefined;

  /** Lets the next flight leave at the end of this turn, with whatever else comes in until then. */
  function call(): void {
    if (isCalled || ahead !== undefined || underWay >= abreast || next.seats.size === 0) return;
    isCalled = true;
    setImmediate(leave);
  }

  function leave(): void {
    const flight = next;
    next = newFlight();
    isCalled = false;
    underWay++;
    const patience = stayAhead(flight);
    void inSpan(flight.leader, () => fly([...flight.seats.keys()]))
      .then(flight.land, flight.fail)
      .then(() => {
        clearTimeout(patience);
        if (ahead === flight) ahead = undefined;
        const ms = pause();
        if (ms > 0) setTimeout(free, ms);
        else free();
      });
  }

  function stayAhead(flight: Flight<V>): NodeJS.Timeout | undefined {
    if (apart === 0) return undefined;
    ahead = flight;
    return setTimeout(() => {
      ahead = undefined;
      call();
    }, apart);
  }

  function free(): void {
    underWay--;
    call();
  }

  return (keys) => {
    if (keys.length === 0) return Promise.resolve([]);
    const { seats, answers } = next;
    if (seats.size === 0) next.leader = currentSpan();
    const places = keys.map((key) => {
      const seat = seats.get(key) ?? seats.size;
      if (seat === seats.size) seats.set(key, seat);
      return seat;
    });
    call();
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
