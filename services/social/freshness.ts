import { type Announcer, createAnnouncer } from "../platform/freshness/announcer.ts";
import { announcersIn } from "../platform/freshness/announcers.ts";
import type { Log } from "../platform/log.ts";
import type { SocialConfig } from "./config.ts";
import { type Subject, subjectKeys } from "./domain/subjects.ts";

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
