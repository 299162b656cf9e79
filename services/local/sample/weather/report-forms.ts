import type { Readings } from "./readings.ts";

/** Puts readings into sentences. */
type ReportForm = (readings: Readings) => string;

/** For six in the morning: the day ahead. */
export const morningReports: readonly ReportForm[] = [
  (r) => `06:00. ${upper(r.wind)}, ${r.temperature}, ${r.pressure}. ${upper(r.tide)}.`,
  (r) => `Good morning. ${upper(r.wind)}, sea ${r.sea}. ${upper(r.tide)}. ${r.temperature} on the gallery.`,
  (r) => `Six o'clock. ${r.pressure}; ${r.wind}; ${r.temperature}. ${upper(r.tide)}.`,
  (r) => `${r.sky} ${upper(r.tide)}. ${upper(r.wind)}, ${r.gusts}, ${r.temperature}.`,
  (r) => `First watch: ${r.temperature}, sea ${r.sea}, ${r.wind}. In sight: ${r.view}. ${upper(r.tide)}.`,
];

/** For noon: the sea and the view. */
export const noonReports: readonly ReportForm[] = [
  (r) => `Noon. ${upper(r.wind)}, sea ${r.sea}, ${r.temperature}. In sight: ${r.view}.`,
  (r) => `12:00. ${r.temperature}, ${r.pressure}. ${upper(r.wind)}, ${r.gusts}.${r.rain}`,
  (r) => `${r.sky} We can see ${r.view}. ${upper(r.wind)}, ${r.temperature} at noon.${r.rain}`,
  (r) => `Halfway through the day: ${r.wind}, ${r.pressure}, sea ${r.sea}, ${r.temperature}.`,
  (r) => `${r.sky} ${r.temperature} and ${r.wind} at twelve. Next ${r.tide}.${r.rain}`,
];

/** For six in the evening: the day gone by, and the light. */
export const eveningReports: readonly ReportForm[] = [
  (r) => `18:00. ${upper(r.wind)}, ${r.pressure}. Today ${r.range}. ${upper(r.light)}.`,
  (r) => `Good evening. ${upper(r.light)}. ${upper(r.wind)}, ${r.temperature}.${r.rain} Next ${r.tide}.`,
  (r) => `${r.sky} Today ${r.range}, now ${r.temperature}; ${r.wind}, sea ${r.sea}. ${upper(r.light)}.`,
  (r) => `For the log: ${r.temperature}, ${r.pressure}, ${r.wind}.${r.rain} ${upper(r.light)}.`,
  (r) => `Evening watch. ${upper(r.light)}, and it shows ${r.view}. ${upper(r.wind)}, ${r.gusts}.`,
];

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
