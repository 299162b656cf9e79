import type { Weather } from "./weather.ts";

/** Beaufort's number of a wind in knots. */
export function beaufort(knots: number): number {
  return beaufortLimits.findLastIndex((limit) => knots >= limit);
}

/** Such as "wind south-west 4" or "calm". */
export function windWords({ wind, windFrom }: Weather): string {
  const force = beaufort(wind);
  return force === 0 ? "calm" : `wind ${points[Math.round(windFrom / 45) % 8]} ${force}`;
}

/** Such as "1014 hPa, falling slowly"; the words are those of shipping forecasts. */
export function pressureWords({ pressure, tendency }: Weather): string {
  const way = tendency < 0 ? "falling" : "rising";
  const change = Math.abs(tendency);
  const words = change < 0.3 ? "steady" : change < 1.5 ? `${way} slowly` : change < 3.5 ? way : `${way} quickly`;
  return `${Math.round(pressure)} hPa, ${words}`;
}

/** The state of the sea, by the force of the wind. */
export function seaWords({ wind }: Weather): string {
  return seas[Math.min(beaufort(wind), seas.length - 1)] as string;
}

/** The farthest thing in sight. */
export function viewWords({ visibility }: Weather): string {
  const [, farthest] = views.findLast(([from]) => visibility >= from) as (typeof views)[number];
  return farthest;
}

/** One emoji for the sky. */
export function skySign({ visibility, rain, wind, pressure }: Weather): string {
  if (visibility < 2) return "🌫️";
  if (rain >= 0.2) return "🌧️";
  if (wind > 27) return "💨";
  return pressure > 1_018 ? "☀️" : pressure > 1_010 ? "🌤️" : "☁️";
}

const beaufortLimits = [0, 1, 4, 7, 11, 17, 22, 28, 34, 41, 48];
const points = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];
const seas = [
  "like glass",
  "rippled",
  "smooth",
  "slight",
  "moderate",
  "moderate",
  "rough",
  "rough",
  "very rough",
  "high",
];
const views: [fromKilometres: number, words: string][] = [
  [0, "nothing past our own handrail"],
  [0.4, "the pier, but not what is at the end of it"],
  [2, "everything as far as the bell buoy"],
  [9, "the ferry, most of the way"],
  [16, "Eider Holm, in outline"],
  [23, "the sheep on Eider Holm"],
  [29, "the washing on Eider Holm"],
  [33, "Eider Holm and what must be the hills behind Dunlin Bay"],
  [38, "the hills behind Dunlin Bay and most of next week"],
];
