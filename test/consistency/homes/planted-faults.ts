import pg from "pg";

/** Plausible mistakes in the timelines of many authors. Each changes a statement of the social service in this process. */
export const homeFaults = {
  "poll by the newest id": { "find-water": (text: string) => text.replace("::bigint << 12", "::bigint << 13") },
  "take the water for one second higher": {
    "find-water": (text: string) => text.replace("interval '0 s'", "interval '-1 s'"),
  },
  "prune by an old last id": {
    "list-home-from": (text: string) =>
      text.replace("last_status_id >= first", "last_status_id - (60000::bigint << 12) >= first"),
  },
  "end where the newest author begins": {
    "list-home-before": (text: string) => text.replace("min(last_status_id)", "max(last_status_id)"),
  },
  "page without the tie of ids": {
    "list-home-before": (text: string) =>
      text.replace("(id, author_id) < ($2, $4)", "(id < $2 and $4::bigint is not null)"),
  },
} as const satisfies Record<string, Record<string, (text: string) => string>>;

export type HomeFault = keyof typeof homeFaults;

/** Runs `work` while statements are changed so. @throws Error when a change has no effect, since the statement reads otherwise by now */
export async function whilePlanted<T>(fault: HomeFault, work: () => Promise<T>): Promise<T> {
  const query = pg.Client.prototype.query;
  const changes: Record<string, (text: string) => string> = homeFaults[fault];
  const ineffective = new Set<string>();
  pg.Client.prototype.query = function (
    this: pg.Client,
    statement: { name?: string; text?: string },
    ...rest: unknown[]
  ) {
    const { name = "", text = "" } = statement;
    const changed = changes[name]?.(text);
    if (changed === text) ineffective.add(name);
    const sent = changed === undefined ? statement : { ...statement, name: `${name}-planted`, text: changed };
    return (query as (...all: unknown[]) => unknown).call(this, sent, ...rest);
  } as typeof query;
  const result = await work().finally(() => (pg.Client.prototype.query = query));
  if (ineffective.size > 0) throw new Error(`not planted: ${[...ineffective].join(", ")}`);
  return result;
}

/**
 * Makes rare things frequent. Ids of the same 128 milliseconds have the same number, as those of several servers may: then authors break
 * ties. And some publications take longer than others, so that newer ids are committed before them.
 */
export const rareThings = `
  create or replace function social.next_id(at timestamptz) returns bigint language sql volatile as $$
    select ((floor(extract(epoch from at - timestamptz '2006-01-01 00:00:00+00') * 1000)::bigint >> 7) + 1) << 19
  $$;
  create function social.take_long() returns trigger language plpgsql as $$
  begin
    if random() < 0.5 then perform pg_sleep(random() / 2); end if;
    return null;
  end $$;
  create trigger take_long after insert on social.status for each row execute function social.take_long()`;
