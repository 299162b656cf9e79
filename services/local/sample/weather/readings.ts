import { beaufort, pressureWords, seaWords, skySign, viewWords, windWords } from "./scales.ts";
import { sunsetOn } from "./sunset.ts";
import { nextHighWater } from "./tide.ts";
import { type Weather, weatherAt } from "./weather.ts";

/** What a report can say about one moment, each part in words that fit into a sentence. */
export interface Readings {
  wind: string;
  gusts: string;
  sea: string;
  temperature: string;
  /** The lowest and highest temperature since midnight. */
  range: string;
  pressure: string;
  /** A sentence after a blank, or nothing when it has been dry. */
  rain: string;
  view: string;
  sky: string;
  tide: string;
  light: string;
}

/** Reads the instruments, the tide table and the calendar. */
export function readingsAt(ms: number, weather: Weather): Readings {
  return {
    wind: windWords(weather),
    gusts: beaufort(weather.gust) < 3 ? "hardly a gust" : `gusts ${Math.round(weather.gust)} knots`,
    sea: seaWords(weather),
    temperature: degrees(weather.temperature),
    range: rangeUntil(ms),
    pressure: pressureWords(weather),
    rain: weather.rain < 0.2 ? "" : ` Rain: ${tenths(weather.rain)} mm.`,
    view: viewWords(weather),
    sky: skySign(weather),
    tide: tideAfter(ms),
    light: lightAt(ms),
  };
}

function degrees(celsius: number): string {
  return `${tenths(celsius)} °C`;
}

// Never "-0.0", and a true minus sign.
function tenths(value: number): string {
  return (Math.round(value * 10) / 10 + 0).toFixed(1).replace("-", "−");
}

function rangeUntil(ms: number): string {
  const hours = Array.from({ length: new Date(ms).getUTCHours() + 1 }, (_, back) => ms - back * 3_600_000);
  const temperatures = hours.map((hour) => weatherAt(hour).temperature);
  return `${tenths(Math.min(...temperatures))} to ${degrees(Math.max(...temperatures))}`;
}

function tideAfter(ms: number): string {
  const { at, height } = nextHighWater(ms);
  return `high water ${clock(at)}, ${tenths(height)} m`;
}

function lightAt(ms: number): string {
  const sunset = sunsetOn(ms);
  return sunset < ms ? `lamp lit since ${clock(sunset)}` : `lamp to be lit at ${clock(sunset)}`;
}

function clock(ms: number): string {
  return new Date(ms).toISOString().slice(11, 16);
}
