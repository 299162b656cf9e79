import { setTimeout as sleep } from "node:timers/promises";
import type { Ask } from "../../gateway/calls/group.ts";
import type { Deadline } from "../../gateway/http/limits/deadline.ts";
import type { BreakReads } from "../../gateway/reads/reads.ts";
import type { Store } from "../../gateway/reads/store.ts";
import type { FindViewer, Viewer } from "../../gateway/reads/viewer.ts";

/** Plausible mistakes in the protocol of design §5. */
export const plantedFaults = [
  "join a call that began earlier",
  "store a page under the versions that were asked for",
  "remember a session for too long",
  "reuse the relations of an older version",
  "forget to raise a version",
] as const;
export type PlantedFault = (typeof plantedFaults)[number];

/** The fault that is planted now; undefined: none. */
export type CurrentFault = () => PlantedFault | undefined;

/** Breaks the reads of a gateway while one of their faults is planted. "forget to raise a version" is planted in the database. */
export function plantedReads(fault: CurrentFault): BreakReads {
  const is = (name: PlantedFault) => fault() === name;
  return (parts) => {
    const { askVersions, askSessions, findViewer, store } = parts;
    const joins = joining(askVersions);
    const remembers = remembering(askSessions);
    const reuses = withOldRelations(findViewer);
    return {
      ...parts,
      askVersions: (...asked) => (is("join a call that began earlier") ? joins : askVersions)(...asked),
      askSessions: (...asked) => (is("remember a session for too long") ? remembers : askSessions)(...asked),
      findViewer: (...asked) => (is("reuse the relations of an older version") ? reuses : findViewer)(...asked),
      store: store && storeAsAsked(store, () => is("store a page under the versions that were asked for")),
    };
  };
}

/** The statements that make the social service's database forget raised versions, and remember them again. */
export const forgetVersions = `
  create function social.forget_versions() returns trigger language plpgsql as $$
  begin
    new.content_version := old.content_version;
    return new;
  end $$;
  create trigger forget_versions before update on social.profile for each row execute function social.forget_versions()`;
export const rememberVersions = "drop function if exists social.forget_versions cascade";

/** Readers join a call that began before they did, and whose answer is on its way for a while, as over a network. */
function joining(ask: Ask<string>): Ask<string> {
  const underWay = new Map<string, Promise<string>>();
  const join = (key: string, deadline: Deadline): Promise<string> => {
    const asked = async () => {
      const [version] = await ask([key], deadline);
      await sleep(answerMs);
      return version as string;
    };
    const current = underWay.get(key) ?? asked().finally(() => underWay.delete(key));
    underWay.set(key, current);
    return current;
  };
  return (keys, deadline) => Promise.all(keys.map((key) => join(key, deadline)));
}

/** Milliseconds; longer than a write takes from its commit to its answer. */
const answerMs = 20;

/** Remembers whose a session is, and not only that. */
function remembering(ask: Ask<string>): Ask<string> {
  const users = new Map<string, string>();
  return async (sessionIds, deadline) => {
    const missing = sessionIds.filter((id) => !users.has(id));
    for (const [index, userId] of (await ask(missing, deadline)).entries()) {
      if (userId !== "") users.set(missing[index] as string, userId);
    }
    return sessionIds.map((id) => users.get(id) ?? "");
  };
}

/** Takes a viewer's first relations for those of every later version. */
function withOldRelations(find: FindViewer): FindViewer {
  const first = new Map<string, Viewer>();
  return async (userId, version, deadline) => {
    const viewer = first.get(userId) ?? (await find(userId, version, deadline));
    first.set(userId, viewer);
    return { ...viewer, version };
  };
}

/** Stores a page under the key that was looked for last, of the same request. */
function storeAsAsked(store: Store, isPlanted: () => boolean): Store {
  const requestOf = (key: string) => key.slice(0, key.indexOf(" "));
  const asked = new Map<string, string>();
  return {
    ...store,
    fetch(key, form, kind) {
      asked.set(`${kind} ${requestOf(key)}`, key);
      return store.fetch(key, form, kind);
    },
    put(key, form, kind, plain) {
      const wrong = isPlanted() ? asked.get(`${kind} ${requestOf(key)}`) : undefined;
      return store.put(wrong ?? key, form, kind, plain);
    },
  };
}
