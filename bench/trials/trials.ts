import { largeDataset, screenName } from "../dataset/dataset.ts";
import type { Target } from "../load/load.ts";
import { randomNumbers } from "../load/random-numbers.ts";
import type { Trial } from "./trial.ts";

/** How many different lists of names are requested. */
const listCount = 200;

/**
 * All cases; those of one setting stand together, so that few starts are needed. Their goals are in bench/goals.ts. Each baseline
 * adds ten seconds to a case, so Fastify is measured in one, and the monolith in one with the cache.
 */
export const trials: readonly Trial[] = [
  {
    name: "timeline-20",
    title: "timeline of 20, cached, Redis",
    setting: "redis",
    targets: timelines(20),
    connections: 64,
    baselines: ["node:http", "Fastify", "monolith"],
  },
  {
    name: "timeline-20-unchanged",
    title: "the same, If-None-Match that matches",
    setting: "redis",
    targets: timelines(20),
    isConditional: true,
    connections: 64,
    baselines: ["node:http"],
  },
  {
    name: "timeline-20-origin",
    title: "the same, from a page of another origin",
    setting: "redis",
    targets: timelines(20, { origin: "https://app.example" }),
    connections: 64,
    baselines: ["node:http"],
  },
  {
    name: "timeline-20-jsonp",
    title: "the same, as JSONP",
    setting: "redis",
    targets: timelines(20).map(({ path, headers }) => ({ path: `${path}&callback=show`, headers })),
    connections: 64,
    baselines: ["node:http"],
  },
  {
    name: "timeline-20-post",
    title: "the same, by POST of JSON",
    setting: "redis",
    targets: posts(
      "SocialTimelines",
      everyAuthor().map((screenName) => ({ screenName, take: 20 })),
    ),
    connections: 64,
    baselines: ["node:http"],
  },
  {
    name: "timeline-20-batch",
    title: "ten of the same in a batch",
    setting: "redis",
    targets: batches(10),
    connections: 64,
    baselines: ["node:http"],
  },
  {
    name: "timeline-20-batch-bearer",
    title: "ten in a batch, signed in by a bearer token",
    setting: "redis",
    targets: batches(10),
    signedInBy: "bearer",
    connections: 64,
    baselines: ["node:http"],
  },
  {
    name: "timeline-20-bearer",
    title: "the same, signed in by a bearer token",
    setting: "redis",
    targets: timelines(20),
    signedInBy: "bearer",
    connections: 64,
    baselines: ["node:http"],
  },
  {
    name: "timeline-20-cookie",
    title: "the same, signed in by the cookie",
    setting: "redis",
    targets: timelines(20),
    signedInBy: "cookie",
    connections: 64,
    baselines: ["node:http"],
  },
  {
    name: "unknown-user",
    title: "404 of an unknown user, cached, Redis",
    setting: "redis",
    targets: timelinesOf(unknownNames()),
    isUnknown: true,
    connections: 64,
    baselines: ["node:http"],
  },
  {
    name: "unknown-user-bearer",
    title: "the same, signed in by a bearer token",
    setting: "redis",
    targets: timelinesOf(unknownNames()),
    isUnknown: true,
    signedInBy: "bearer",
    connections: 64,
    baselines: ["node:http"],
  },
  {
    name: "timeline-200-gzip",
    title: "timeline of 200, gzip accepted, cached, Redis",
    setting: "redis",
    targets: timelines(200, { "accept-encoding": "gzip" }),
    connections: 64,
    baselines: ["node:http"],
  },
  {
    name: "timeline-200-gzip-bearer",
    title: "the same, signed in by a bearer token",
    setting: "redis",
    targets: timelines(200, { "accept-encoding": "gzip" }),
    signedInBy: "bearer",
    connections: 64,
    baselines: ["node:http"],
  },
  {
    name: "profiles-100",
    title: "100 profiles by name, cached, Redis",
    setting: "redis",
    targets: profileLists(100),
    connections: 64,
    baselines: ["node:http"],
  },
  {
    name: "profiles-100-bearer",
    title: "the same, signed in by a bearer token",
    setting: "redis",
    targets: profileLists(100),
    signedInBy: "bearer",
    connections: 64,
    baselines: ["node:http"],
  },
  {
    name: "hot-author",
    title: "one hot author, 512 connections, Redis",
    setting: "redis",
    targets: timelines(20).slice(0, 1),
    connections: 512,
    baselines: ["node:http"],
  },
  {
    name: "flushes",
    title: "timeline of 20, Redis, FLUSHALL each second",
    setting: "redis",
    targets: timelines(20),
    isFlushed: true,
    connections: 64,
    baselines: [],
  },
  {
    name: "growth",
    title: "timeline of 10, cached, 1 M statuses against 10 k",
    setting: "redis",
    targets: timelines(10),
    connections: 64,
    baselines: ["small dataset"],
  },
  {
    name: "timeline-20-no-redis",
    title: "timeline of 20, cached, no Redis",
    setting: "no Redis",
    targets: timelines(20),
    connections: 64,
    baselines: ["node:http"],
  },
  {
    name: "timeline-20-off",
    title: "timeline of 20, cache off",
    setting: "cache off",
    targets: timelines(20),
    connections: 64,
    baselines: ["monolith"],
  },
  {
    name: "timeline-200-off",
    title: "timeline of 200, cache off",
    setting: "cache off",
    targets: timelines(200),
    connections: 64,
    baselines: ["monolith"],
  },
  {
    name: "profiles-100-off",
    title: "100 profiles by name, cache off",
    setting: "cache off",
    targets: profileLists(100),
    connections: 64,
    baselines: ["monolith"],
  },
];

function everyAuthor(): string[] {
  return Array.from({ length: largeDataset.readers }, (_, index) => screenName(index));
}

function unknownNames(): string[] {
  return everyAuthor().map((name) => `no_${name}`);
}

function timelines(take: number, headers: Target["headers"] = {}): Target[] {
  return timelinesOf(everyAuthor(), take, headers);
}

function timelinesOf(names: readonly string[], take = 20, headers: Target["headers"] = {}): Target[] {
  return names.map((name) => ({ path: `/social/${name}/timelines?take=${take}`, headers }));
}

/** These requests on a generic route, as ServiceStack's clients send them. */
function posts(operation: string, requests: readonly object[]): Target[] {
  const path = `/json/reply/${operation}`;
  const headers = { "content-type": "application/json" };
  return requests.map((request) => ({ path, headers, body: JSON.stringify(request) }));
}

/** So many timelines in each batch. */
function batches(length: number): Target[] {
  return posts(
    "SocialTimelines[]",
    nameLists(length).map((names) => names.map((screenName) => ({ screenName, take: 20 }))),
  );
}

function profileLists(length: number): Target[] {
  return nameLists(length).map((names) => ({ path: `/social/${names.join(",")}`, headers: {} }));
}

/** Lists of names of readers, without duplicates in a list. */
function nameLists(length: number): string[][] {
  const random = randomNumbers(7);
  return Array.from({ length: listCount }, () => {
    const names = new Set<string>();
    while (names.size < length) names.add(screenName(Math.floor(random() * largeDataset.readers)));
    return [...names];
  });
}
