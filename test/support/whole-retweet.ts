type Fields = Readonly<Record<string, unknown>>;

/** A status of API v1.1 as an import stores it: a retweet has the whole text of the original after its author's name, and its entities there. */
export function wholeRetweet<T extends Fields>(status: T): T {
  const original = status.retweeted_status as Fields | undefined;
  if (original === undefined) return status;
  const { screen_name, name, id, id_str } = original.user as Fields;
  const start = `RT @${screen_name as string}: `;
  const { length } = [...start];
  const entities = Object.entries(original.entities as Record<string, { indices: number[] }[]>).map(([list, items]) => [
    list,
    items.map((item) => ({ ...item, indices: item.indices.map((index) => index + length) })),
  ]);
  const { user_mentions: mentions, ...others } = Object.fromEntries(entities) as Record<string, Fields[]>;
  const author = { screen_name, name, id, id_str, indices: [3, length - 2] };
  const text = start + (original.text as string);
  return { ...status, text, truncated: false, entities: { ...others, user_mentions: [author, ...(mentions ?? [])] } };
}
