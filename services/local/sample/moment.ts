/**
 * The moment, in milliseconds since 1970, that the words mean when it is `now`. All clocks show UTC.
 * - "38m", "5h": so long ago.
 * - "Sat 3w 15:04": three weeks before the latest Saturday, 15:04.
 * - "12-24 1y 07:10": one year before the latest 24 December, 07:10.
 * - "Thu 12-12 4y 13:45": likewise, on the first Thursday from 12 December on; there is no school on Sundays.
 *
 * The latest one lies two days back at least, so that a day of answers to it is over by now.
 * @throws when the words are none of these.
 */
export function moment(words: string, now: Date): number {
  const [, amount, unit = ""] = /^(\d+)([mh])$/.exec(words) ?? [];
  if (amount !== undefined) return now.getTime() - duration(amount + unit);
  const [, weekday, weeks] = /^(\w{3}) (\d+)w \d\d:\d\d$/.exec(words) ?? [];
  if (weekday !== undefined) return latestWeekday(weekday, clockOf(words), now) - Number(weeks) * 7 * day;
  const [, onWeekday, date, years] = /^(?:(\w{3}) )?(\d\d-\d\d) (\d+)y \d\d:\d\d$/.exec(words) ?? [];
  if (date === undefined) throw new Error(`No moment: ${words}`);
  return anniversary(onWeekday, date, clockOf(words), Number(years), now);
}

/** Milliseconds in "9m" or "2h". */
export function duration(words: string): number {
  const [, amount, unit] = /^(\d+)([mh])$/.exec(words) ?? [];
  if (amount === undefined) throw new Error(`No duration: ${words}`);
  return Number(amount) * (unit === "h" ? 60 : 1) * 60_000;
}

const day = 24 * 3_600_000;
const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** Milliseconds since midnight. */
function clockOf(words: string): number {
  const [hours, minutes] = words.slice(-5).split(":");
  return duration(`${hours}h`) + duration(`${minutes}m`);
}

function latestWeekday(name: string, clock: number, now: Date): number {
  const latest = now.getTime() - 2 * day;
  const today = Math.floor(latest / day) * day;
  const found = firstWeekday(name, today - 6 * day) + clock;
  return found > latest ? found - 7 * day : found;
}

function anniversary(weekday: string | undefined, date: string, clock: number, years: number, now: Date): number {
  const inYear = (year: number) => {
    const midnight = Date.parse(`${year}-${date}T00:00:00Z`);
    return clock + (weekday === undefined ? midnight : firstWeekday(weekday, midnight));
  };
  const thisYear = now.getUTCFullYear();
  const latest = inYear(thisYear) > now.getTime() - 2 * day ? thisYear - 1 : thisYear;
  return inYear(latest - years);
}

/** The midnight of the first such weekday from another midnight on. */
function firstWeekday(name: string, midnight: number): number {
  const weekday = weekdays.indexOf(name);
  if (weekday < 0) throw new Error(`No weekday: ${name}`);
  return midnight + ((weekday - new Date(midnight).getUTCDay() + 7) % 7) * day;
}
