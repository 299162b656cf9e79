/** A date as the contract writes it, in UTC: `Wed Aug 27 13:08:45 +0000 2008`. */
export function contractDate(date: Date): string {
  const day = `${weekdays[date.getUTCDay()]} ${months[date.getUTCMonth()]} ${twoDigits[date.getUTCDate()]}`;
  const time = `${twoDigits[date.getUTCHours()]}:${twoDigits[date.getUTCMinutes()]}:${twoDigits[date.getUTCSeconds()]}`;
  return `${day} ${time} +0000 ${`${date.getUTCFullYear()}`.padStart(4, "0")}`;
}

/** As the contract abbreviates them, from Sunday on. */
export const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
/** As the contract abbreviates them. */
export const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const twoDigits = Array.from({ length: 60 }, (_, number) => `${number}`.padStart(2, "0"));

/** Reads a date in the contract's form, `Wed Aug 27 13:08:45 +0000 2008`; undefined when it is none. */
export function parseCreatedAt(text: string): Date | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [, month, day, time, year] = match;
  const date = new Date(`${day} ${month} ${year} ${time} GMT`);
  // Date would turn a 31st of February into a day of March, and year 1 into 2001.
  return date.getUTCDate() === Number(day) && date.getUTCFullYear() === Number(year) ? date : undefined;
}

const pattern = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) (\d{2}) (\d{2}:\d{2}:\d{2}) \+0000 (\d{4})$/;
