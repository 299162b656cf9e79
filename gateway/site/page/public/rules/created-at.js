const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The time of a `created_at` (`Wed Aug 27 13:08:45 +0000 2008`); undefined when it is not readable. @param {string} text */
export function parseCreatedAt(text) {
  const parts = /^\w{3} (\w{3}) (\d{2}) (\d{2}):(\d{2}):(\d{2}) \+0000 (\d{4})$/.exec(text);
  const month = months.indexOf(parts?.[1] ?? "");
  if (parts === null || month === -1) return undefined;
  const [day, hour, minute, second, year] = parts.slice(2).map(Number);
  return new Date(Date.UTC(year, month, day, hour, minute, second));
}
