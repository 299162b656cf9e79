import { existsSync, readFileSync } from "node:fs";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { findEntities } from "../../services/social/domain/entities/find-entities.ts";
import type { FoundEntities } from "../../services/social/domain/entities/found-entities.ts";
import { suite } from "../support/suite.ts";

/** One case of twitter-text's conformance suite (extract.yml, 3.1). */
interface Case {
  description: string;
  text: string;
  expected: unknown[];
}

/** What each group of the file asks for, in its own form. */
const readings: Record<string, (found: FoundEntities) => unknown[]> = {
  mentions: ({ mentions }) => mentions.map((mention) => mention.screenName),
  mentions_with_indices: ({ mentions }) =>
    mentions.map(({ screenName, start, end }) => ({ screen_name: screenName, indices: [start, end] })),
  mentions_or_lists_with_indices: ({ mentions }) =>
    mentions.map(({ screenName, start, end }) => ({ screen_name: screenName, list_slug: "", indices: [start, end] })),
  urls: ({ urls }) => urls.map((url) => url.url),
  urls_with_indices: urlsWithIndices,
  urls_with_directional_markers: urlsWithIndices,
  tco_urls_with_params: ({ urls }) => urls.map((url) => url.url),
  hashtags: ({ hashtags }) => hashtags.map((hashtag) => hashtag.text),
  hashtags_from_astral: ({ hashtags }) => hashtags.map((hashtag) => hashtag.text),
  hashtags_with_indices: ({ hashtags }) =>
    hashtags.map(({ text, start, end }) => ({ hashtag: text, indices: [start, end] })),
};

const groupsLeftOut = new Map([
  ["replies", "whether a status is a reply is said by its author, not by its text"],
  ["cashtags", "the contract has no entity for them"],
  ["cashtags_with_indices", "the contract has no entity for them"],
]);

const noLists = "Roost has no lists: '@user/list' mentions the user";
const casesThatDiffer = new Map([
  ["mentions_or_lists_with_indices: Extract a list", noLists],
  ["mentions_or_lists_with_indices: Extract a mention and list", noLists],
  ["mentions_or_lists_with_indices: Extract a list in the middle of a Japanese tweet", noLists],
]);

const file = new URL("../../../shared/data/twitter-text-extract.yml", import.meta.url);
const Conformance = suite("social: entities by twitter-text's conformance suite");

if (existsSync(file)) {
  const groups: Record<string, Case[]> = parse(readFileSync(file, "utf8")).tests;
  for (const [group, read] of Object.entries(readings)) {
    for (const one of groups[group] ?? []) {
      Conformance(`${group}: ${one.description}`, () => check(group, one, read(findEntities(one.text))));
    }
  }

  Conformance("every group of the file is run or left out for a reason, and none is empty", () => {
    assert.equal(Object.keys(groups).sort(), [...Object.keys(readings), ...groupsLeftOut.keys()].sort());
    assert.ok(Object.values(groups).every((cases) => cases.length > 0));
  });

  Conformance("every case of the list of differences is in the file", () => {
    const names = Object.entries(groups).flatMap(([group, cases]) => cases.map((one) => nameOf(group, one)));
    for (const name of casesThatDiffer.keys()) assert.ok(names.includes(name), name);
  });

  // Then it does not matter whether the file counts code points or UTF-16; that indices are code points is tested elsewhere.
  Conformance("no case with indices has a character beyond the basic plane", () => {
    const counted = Object.values(groups)
      .flat()
      .filter((one) => JSON.stringify(one.expected).includes('"indices"'));
    assert.ok(counted.length > 15);
    for (const { text } of counted) assert.is([...text].length, text.length, text);
  });
} else {
  console.warn(`SKIPPED: the conformance suite of twitter-text is not at ${file.pathname}`);
  Conformance.skip("every case");
}

Conformance.run();

function check(group: string, one: Case, found: unknown[]): void {
  if (casesThatDiffer.has(nameOf(group, one))) {
    assert.not.equal(found, one.expected, "this case does not differ any more: take it off the list");
  } else {
    assert.equal(found, one.expected);
  }
}

function nameOf(group: string, one: Case): string {
  return `${group}: ${one.description}`;
}

function urlsWithIndices({ urls }: FoundEntities): unknown[] {
  return urls.map(({ url, start, end }) => ({ url, indices: [start, end] }));
}
