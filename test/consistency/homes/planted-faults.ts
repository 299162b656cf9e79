import pg from "pg";

/** Plausible mistakes in the timelines of many authors: a statement of the social service, and what is changed in it. */
export const homeFaults = {
  "poll by the newest id": ["find-water", "::bigint << 12", "::bigint << 13"],
  "take the water for one second higher": ["find-water", "interval '0 s'", "interval '-1 s'"],
  "prune by an old last id": [
    "list-home-from",
    "last_status_id >= first",
    "last_status_id - (60000::bigint << 12) >= first",
  ],
  "end where the newest author begins": ["list-home-before", "min(last_status_id)", "max(last_status_id)"],
  "page without the tie of ids": [
    "list-home-before",
    "(id, author_id) < ($2, $4)",
    "(id < $2 and $4::bigint is not null)",
  ],
} as const;

export type HomeFault = keyof typeof homeFaults;

/** Runs `work` while a statement is changed in this process. @throws Error when the change has no effect, since it reads otherwise by now */
export async function whilePlanted<T>(fault: HomeFault, work: () => Promise<T>): Promise<T> {
  const query = pg.Client.prototype.query;
  const [planted, sound, faulty] = homeFaults[fault];
  let isEffective = true;
  pg.Client.prototype.query = function (
    this: pg.Client,
    statement: { name?: string; text?: string },
    ...rest: unknown[]
  ) {
    const { name, text = "" } = statement;
    const changed = text.replace(sound, faulty);
    if (name === planted && changed === text) isEffective = false;
    const sent = name === planted ? { ...statement, name: `${name}-planted`, text: changed } : statement;
    return (query as (...all: unknown[]) => unknown).call(this, sent, ...rest);
  } as typeof query;
  const result = await work().finally(() => (pg.Client.prototype.query = query));
  if (!isEffective) throw new Error(`not planted: ${fault}`);
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
