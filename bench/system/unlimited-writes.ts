/** Settings of a social service whose users write as often as they like: more than people do is measured and tried. */
export const unlimitedWrites = { STATUSES_PER_3_HOURS: "0", FOLLOWS_PER_DAY: "0", MARKS_PER_DAY: "0" };
