import { screenName } from "../dataset/dataset.ts";
import type { Draw, Target } from "../load/load.ts";
import { randomNumbers } from "../load/random-numbers.ts";
import { zipfDraw } from "../load/zipf.ts";

/** Pages that are asked for again and again, by Zipf: two of each of the first 1,000 authors. */
const hotPages = 2_000;
/** Pages of which a turn asks for some, each once. */
const coldPages = 200_000;
const coldOfTurn = 10_000;
/** Requests before a draw begins again. */
const drawn = 10 * coldOfTurn;

/** The requests of one turn: nine of ten for hot pages, the others for each cold page of the turn once. */
export function mixOf(authors: number, turn: number): Draw {
  const random = randomNumbers(turn);
  let next = 0;
  const order = zipfDraw(hotPages, drawn, turn).map((index) =>
    random() < 0.1 ? hotPages + (next++ % coldOfTurn) : index,
  );
  return { targets: targetsOf(authors, turn), order };
}

export function hotTargets(authors: number): Target[] {
  return Array.from({ length: hotPages }, (_, index) => page(authors, index));
}

/**
 * The hot pages, then the cold ones of a turn, each of ten or nine statuses. The cold ones are those of no other of twenty
 * successive turns, scattered over all authors.
 * @param authors how many there are; where they are fewer than the cold pages need, `maxId` makes more pages of each
 */
export function targetsOf(authors: number, turn: number): Target[] {
  const cold = Array.from({ length: coldOfTurn }, (_, index) => {
    const place = scatter(turn * coldOfTurn + index);
    return withMaxId(page(authors, place), Math.floor(place / 2 / authors));
  });
  return [...hotTargets(authors), ...cold];
}

/** Each place once: 7,919 is prime, and no divisor of the number of pages. */
function scatter(place: number): number {
  return (place * 7_919) % coldPages;
}

function page(authors: number, index: number): Target {
  const author = Math.floor(index / 2) % authors;
  return { path: `/social/${screenName(author)}/timelines?take=${10 - (index % 2)}`, headers: {} };
}

/** The same page under another address: no status has so high an id. */
function withMaxId({ path, headers }: Target, below: number): Target {
  return { path: `${path}&maxId=${Number.MAX_SAFE_INTEGER - below}`, headers };
}
