import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { toJson } from "@bufbuild/protobuf";
import * as assert from "uvu/assert";
import { openSources } from "../../cli/import/file-source.ts";
import { ImportedProfileSchema, ImportedStatusSchema } from "../../proto/gen/social/v1/import_service_pb.ts";
import { suite } from "../support/suite.ts";
import { importSources } from "./import-run.ts";
import { recordingServices, userIdOf } from "./recording-services.ts";

const Real = suite("cli: import of real data");
const path = fileURLToPath(new URL("../../../shared/data/twitter.json", import.meta.url));

/** An object of the file, or a message as JSON with the same names. */
type Raw = { readonly [name: string]: unknown };

if (existsSync(path)) {
  Real("sends every status of the file once, with equal text, entities, numbers and flags", async () => {
    const { services, seen } = await importFile();
    const expected = newest(seen.map(({ status }) => status));
    assert.is(expected.size, 115);
    const sent = services.statuses().map((message) => toJson(ImportedStatusSchema, message, asWritten) as Raw);
    assert.equal(
      sent.map((message) => message.origin_id),
      [...expected.keys()].sort(),
    );
    for (const message of sent) {
      const original = expected.get(message.origin_id as string) as Raw;
      assert.is(message.author_id, String(userIdOf((original.user as Raw).id_str as string)));
      assert.is(message.in_reply_to_status_origin_id, original.in_reply_to_status_id_str ?? "");
      assert.is(message.in_reply_to_user_origin_id, original.in_reply_to_user_id_str ?? "");
      const status = message.status as Raw;
      assert.equal(pick(status, statusFields), pick(original, statusFields));
      assert.equal(entitiesIn(status), entitiesIn(original));
    }
  });

  Real("sends every user of the file once, with equal texts, counters, colours and flags", async () => {
    const { services, seen } = await importFile();
    const expected = newest(seen.map(({ status }) => status.user as Raw));
    assert.is(expected.size, 115);
    const sent = services.profiles().map((message) => toJson(ImportedProfileSchema, message, asWritten) as Raw);
    assert.is(sent.length, 115);
    for (const message of sent) {
      const original = expected.get(message.origin_id as string) as Raw;
      assert.equal(pick(message.profile as Raw, userFields), pick(original, userFields));
    }
  });
} else {
  console.warn(`SKIPPED: the import of real data is not tested, because ${path} is not there.`);
}

Real.run();

const asWritten = { useProtoFieldName: true, alwaysEmitImplicit: true };

const statusFields = ["text", "source", "created_at", "truncated", "favorited", "retweeted", "retweet_count"].concat(
  "in_reply_to_screen_name",
);
const userFields = ["name", "screen_name", "created_at", "location", "description", "url", "lang", "time_zone"].concat(
  ["utc_offset", "protected", "verified", "geo_enabled", "contributors_enabled", "notifications", "followers_count"],
  ["friends_count", "favourites_count", "statuses_count", "profile_background_color", "profile_link_color"],
  ["profile_sidebar_border_color", "profile_sidebar_fill_color", "profile_text_color", "profile_background_tile"],
  ["profile_use_background_image", "profile_image_url", "profile_background_image_url"],
);

async function importFile() {
  const services = recordingServices();
  const { refusals } = await importSources(services.clients, await openSources([path]));
  assert.equal(refusals, []);
  const { statuses } = JSON.parse(readFileSync(path, "utf8")) as { statuses: Raw[] };
  return { services, seen: statuses.flatMap((status) => recordsOf(status, status)).sort(byAge) };
}

/** A status and those embedded in it, each with the outermost status. */
function recordsOf(status: Raw, top: Raw): { status: Raw; top: Raw }[] {
  const inner = status.retweeted_status as Raw | undefined;
  return [{ status, top }, ...(inner ? recordsOf(inner, top) : [])];
}

function byAge(a: { top: Raw }, b: { top: Raw }): number {
  const [first, second] = [a.top, b.top].map(({ created_at }) => Date.parse(created_at as string)) as [number, number];
  return first - second || ((a.top.id_str as string) < (b.top.id_str as string) ? -1 : 1);
}

/** The last object of each id. */
function newest(found: Raw[]): Map<string, Raw> {
  return new Map(found.map((object) => [object.id_str as string, object]));
}

function pick(object: Raw, names: readonly string[]): Raw {
  return Object.fromEntries(names.map((name) => [name, object[name] ?? null]));
}

function entitiesIn(status: Raw): Raw {
  const entities = status.entities as { readonly [name: string]: Raw[] };
  const all = (list: string, ...names: string[]) => (entities[list] ?? []).map((entity) => pick(entity, names));
  return {
    urls: all("urls", "url", "display_url", "expanded_url", "indices"),
    mentions: all("user_mentions", "id_str", "name", "screen_name", "indices"),
    hashtags: all("hashtags", "text", "indices"),
    media: all(
      "media",
      "media_url",
      "media_url_https",
      "url",
      "display_url",
      "expanded_url",
      "sizes",
      "type",
      "indices",
    ),
  };
}
