import type { Entry } from "../entry.ts";
import { seeded } from "../seeded.ts";
import { deck } from "./deck.ts";
import { readingsAt } from "./readings.ts";
import { remarks } from "./remarks.ts";
import { eveningReports, morningReports, noonReports } from "./report-forms.ts";
import { beaufort } from "./scales.ts";
import { type Weather, weatherAt } from "./weather.ts";

/** The lighthouse's reports of the last 90 days and of today, at 06:00, 12:00 and 18:00, oldest first. */
export function weatherReports(now: Date): Entry[] {
  const today = Math.floor(now.getTime() / day) * day;
  const random = seeded("weather reports");
  const talk = volunteers(random);
  const watches = [
    { hour: 6, form: varied(morningReports, random) },
    { hour: 12, form: varied(noonReports, random) },
    { hour: 18, form: varied(eveningReports, random) },
  ];
  const said = new Set<string>();
  const reports: Entry[] = [];
  for (let midnight = today - 90 * day; midnight <= today; midnight += day) {
    for (const watch of watches) {
      const measured = midnight + watch.hour * hour;
      const at = measured + 40_000 + Math.floor(random() * 120_000);
      const weather = weatherAt(measured);
      const readings = readingsAt(measured, weather);
      let markup: string;
      // On two calm days the same few figures can come up in the same form.
      do {
        markup = [watch.form()(readings), talk(weather), tagFor(weather, random)].filter(Boolean).join(" ");
      } while (said.has(markup));
      said.add(markup);
      if (at < now.getTime()) reports.push({ author: "lighthouse", at, markup, place: "lamp" });
    }
  }
  return reports;
}

const hour = 3_600_000;
const day = 24 * hour;

/** Picks one of the forms, never the one just used. */
function varied<T>(forms: readonly T[], random: () => number): () => T {
  let index = 0;
  return () => {
    index = (index + 1 + Math.floor(random() * (forms.length - 1))) % forms.length;
    return forms[index] as T;
  };
}

/** Gives the remark on a report; three reports in ten have none. */
function volunteers(random: () => number): (weather: Weather) => string {
  const decks = Object.fromEntries(Object.entries(remarks).map(([kind, lines]) => [kind, deck<string>(lines, random)]));
  return (weather) => {
    const kind = kindOf(weather);
    // Nobody looks at swans in a gale.
    const isBusy = kind === "fog" || kind === "gale";
    const about = !isBusy && random() < 0.4 ? "any" : kind;
    return random() < 0.3 ? "" : (decks[about]?.() ?? "");
  };
}

function kindOf({ visibility, wind, rain, temperature }: Weather): keyof typeof remarks {
  if (visibility < 2) return "fog";
  if (beaufort(wind) >= 8) return "gale";
  if (rain > 0.8) return "rain";
  if (beaufort(wind) >= 6) return "wind";
  if (temperature < 3.5) return "cold";
  if (temperature > 17) return "warm";
  return beaufort(wind) <= 2 ? "calm" : "any";
}

function tagFor({ visibility, wind }: Weather, random: () => number): string {
  if (visibility < 2) return "#fog";
  if (beaufort(wind) >= 8) return "#gale";
  return random() < 0.15 ? "#KittiwickWeather" : "";
}
