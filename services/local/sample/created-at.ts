/** A moment as Twitter API v1.1 writes it, such as "Wed Aug 27 13:08:45 +0000 2008"; the milliseconds are cut off. */
export function createdAt(ms: number): string {
  const [weekday, day, month, year, time] = new Date(ms).toUTCString().replace(",", "").split(" ");
  return `${weekday} ${month} ${day} ${time} +0000 ${year}`;
}
