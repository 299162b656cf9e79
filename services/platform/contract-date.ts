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
