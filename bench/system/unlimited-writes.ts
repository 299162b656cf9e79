/** Settings of a social service without limits of writes: tests and measurements write more than people do. */
export const unlimitedWrites = {
  STATUSES_PER_3_HOURS: "0",
  FOLLOWS_PER_DAY: "0",
  MARKS_PER_DAY: "0",
  REPORTS_PER_DAY: "0",
  CHANGES_PER_DAY: "0",
};
