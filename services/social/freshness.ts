import { type Announcer, createAnnouncer } from "../platform/freshness/announcer.ts";
import { announcersIn } from "../platform/freshness/announcers.ts";
import type { Log } from "../platform/log.ts";
import { viewerKey } from "../platform/redis/freshness-key.ts";
import { nameKey } from "../platform/rules/screen-name.ts";
import type { SocialConfig } from "./config.ts";
import type { Subject } from "./domain/subjects.ts";

/** The announcer of this service, by the subjects of its domain. */
export interface Freshness extends Omit<Announcer, "announce"> {
  /**
   * To be awaited between the commit of a write and its answer. Once it has resolved, no reader uses an earlier token of these
   * subjects.
   */
  announce(subjects: readonly Subject[]): Promise<void>;
  /** The same for states that a gateway shows and cannot raise in Redis; to be awaited before they are returned. */
  announceStates(subjectKeys: readonly string[]): Promise<void>;
}

export function createFreshness(config: SocialConfig, log: Log): Freshness {
  const announcer = createAnnouncer(config, announcersIn("social", ["announces_viewers"]), "roost-social", log);
  return {
    ...announcer,
    announce: (subjects) => announcer.announce([...new Set(subjects.flatMap(subjectKeys))]),
    announceStates: announcer.announce,
  };
}

/** The keys of a subject's tokens: an author may have another one under the former name. */
export function subjectKeys(subject: Subject): string[] {
  if (subject.kind === "viewer") return [viewerKey(subject.userId)];
  const { screenName, formerName } = subject;
  return [screenName, ...(formerName === undefined ? [] : [formerName])].map(nameKey);
}
