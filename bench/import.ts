import { importFiles } from "../cli/import/import-files.ts";
import { memorySource } from "../cli/import/memory-source.ts";
import { connectServices } from "../cli/import/services.ts";
import { measureArchive } from "./archive/measure-archive.ts";
import type { Row } from "./results/row.ts";
import { statusFigures } from "./status-figures.ts";
import { withEmptySystem } from "./system/with-empty-system.ts";
import type { Plan } from "./trials/plan.ts";

const authors = 1_000;

/** How fast an import into an empty system is, and a second one that finds everything unchanged; then an archive. */
export async function measureImport({ sizes }: Plan): Promise<Row[]> {
  return withEmptySystem(async (system, home) => {
    const services = connectServices({ ...system, serviceTokens: [] });
    const bring = async () => {
      const { total } = await importFiles(services.clients, [memorySource("bench", records(sizes.imported))], silent);
      if (total.refused > 0) throw new Error(`${total.refused} refused`);
    };
    const measure = () => statusFigures(system, home, sizes.imported, "tool", bring);
    try {
      return [
        { name: "import", title: "import, statuses added", figures: await measure() },
        { name: "import again", title: "import again, statuses unchanged", figures: await measure() },
        ...(await measureArchive(services.clients, silent, system, home, sizes.archived)),
      ];
    } finally {
      services.close();
    }
  });
}

const silent = { refused: (place: string, reason: string) => console.error(place, reason), progress: () => {} };

function* records(statuses: number) {
  for (let index = 0; index < statuses; index++) {
    const author = index % authors;
    const text = `Status ${index} of @bench${author}, with a link to http://t.co/abcdefghij and a #hashtag`;
    yield {
      id_str: `${1_000_000 + index}`,
      created_at: new Date(Date.UTC(2012, 0, 1) + index * 60_000)
        .toUTCString()
        .replace(/^(\w+), (\d+) (\w+) (\d+) (\S+) GMT$/, "$1 $3 $2 $5 +0000 $4"),
      text,
      source: "bench",
      retweet_count: index % 7,
      entities: {
        urls: [
          {
            url: "http://t.co/abcdefghij",
            display_url: "a.example",
            expanded_url: "http://a.example",
            indices: [40, 62],
          },
        ],
        user_mentions: [
          { id_str: `${author + 1}`, name: `Bench ${author}`, screen_name: `bench${author}`, indices: [10, 20] },
        ],
        hashtags: [{ text: "hashtag", indices: [70, 78] }],
      },
      user: user(author),
    };
  }
}

function user(author: number) {
  return {
    id_str: `${author + 1}`,
    screen_name: `bench${author}`,
    name: `Bench ${author}`,
    created_at: "Sun Jan 01 00:00:00 +0000 2012",
    lang: "en",
    profile_background_color: "C0DEED",
    profile_sidebar_border_color: "C0DEED",
    profile_sidebar_fill_color: "DDEEF6",
    profile_link_color: "0084B4",
    profile_text_color: "333333",
  };
}
