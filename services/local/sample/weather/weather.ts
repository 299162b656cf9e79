/** What the machine on Lamp Hill measures at one moment. */
export interface Weather {
  /** Degrees Celsius. */
  temperature: number;
  /** hPa. */
  pressure: number;
  /** hPa in three hours; negative when the pressure falls. */
  tendency: number;
  /** Degrees from north from which the wind blows. */
  windFrom: number;
  /** Knots. */
  wind: number;
  /** Knots. */
  gust: number;
  /** Kilometres. */
  visibility: number;
  /** Millimetres in the last six hours. */
  rain: number;
}

/**
 * The weather of Kittiwick at a moment. It has no memory: slow waves of different lengths add up to pressure that comes
 * and goes like depressions do, and wind and rain follow from it, so that one report agrees with the next.
 */
export function weatherAt(ms: number): Weather {
  const pressure = pressureAt(ms);
  const tendency = pressure - pressureAt(ms - 3 * hour);
  const wind = clamp(9 + 3 * Math.abs(tendency) + 0.55 * (1_013 - pressure) + 7 * wave(ms, 1.37, 0.2), 0, 47);
  const windFrom = 235 + 26 * tendency + 95 * wave(ms, 8.3, 0.6);
  const rain = Math.max(0, -1.1 * tendency + 0.14 * (1_008 - pressure) + 1.2 * wave(ms, 0.83, 0.1) - 0.6);
  const damp = wind < 8 && rain === 0 ? Math.max(0, wave(ms, 5.3, 0.4)) : 0;
  return {
    temperature: season(ms) + 1.7 * wave(ms - 8 * hour, 1, 0) + 2.1 * wave(ms, 4.6, 0.3) - 0.03 * wind,
    pressure,
    tendency,
    windFrom: (windFrom + 360) % 360,
    wind,
    gust: wind * (1.3 + 0.12 * wave(ms, 0.71, 0.5)),
    visibility: damp > 0.7 ? 1.6 - 1.5 * damp : clamp(31 - 6 * rain - 24 * damp - 10 * wave(ms, 2.2, 0.9), 2, 45),
    rain,
  };
}

const hour = 3_600_000;
const day = 24 * hour;
const year = 365.2425 * day;

/** A sine between -1 and 1 that comes round every so many days. */
function wave(ms: number, days: number, phase: number): number {
  return Math.sin(2 * Math.PI * (ms / (days * day) + phase));
}

function pressureAt(ms: number): number {
  return 1_013 + 10 * wave(ms, 6.3, 0.1) + 8 * wave(ms, 3.7, 0.5) + 5 * wave(ms, 2.1, 0.8) + 6 * wave(ms, 17.9, 0.3);
}

/** The mean temperature of the day; the sea makes early August the warmest. */
function season(ms: number): number {
  const sinceNewYear = (ms - Date.UTC(2000, 0, 1)) % year;
  return 9.4 - 5.4 * Math.cos((2 * Math.PI * (sinceNewYear - 32 * day)) / year);
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
