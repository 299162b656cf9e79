const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The time of a `created_at` (`Wed Aug 27 13:08:45 +0000 2008`); undefined when it is not readable. @param {string} text */
export function parseCreatedAt(text) {
  const parts = /^\w{3} (\w{3}) (\d{2}) (\d{2}):(\d{2}):(\d{2}) \+0000 (\d{4})$/.exec(text);
  const month = months.indexOf(parts?.[1] ?? "");
  if (parts === null || month === -1) return undefined;
  const [day, hour, minute, second, year] = parts.slice(2).map(Number);
  return new Date(Date.UTC(year, month, day, hour, minute, second));
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago a time was, while it is within a week: `now`, `3 min`, `2 h`, `5 d`; else its date, such as `3 Mar` or `3 Mar 2019`. @param {Date} time @param {Date} now */
export function relativeTime(time, now) {
  const ago = now.getTime() - time.getTime();
  // A clock may be wrong.
  if (ago < minute) return ago > -hour ? "now" : dateOf(time, now);
  if (ago < hour) return `${Math.floor(ago / minute)} min`;
  if (ago < day) return `${Math.floor(ago / hour)} h`;
  return ago < 7 * day ? `${Math.floor(ago / day)} d` : dateOf(time, now);
}

/** @param {Date} time @param {Date} now */
function dateOf(time, now) {
  const year = time.getFullYear() === now.getFullYear() ? undefined : "numeric";
  return new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year }).format(time);
}
