import type { FakeGateway, Reply } from "./fake-gateway.ts";

/** Posts a batch, by default of timelines. */
export function postBatch(
  gateway: FakeGateway,
  items: unknown,
  headers = {},
  path = "/json/reply/SocialTimelines[]",
): Promise<Reply> {
  return gateway.send({ method: "POST", path, headers, body: JSON.stringify(items) });
}

/** The text of each timeline's newest status in the reply. */
export function textsOf({ text }: Reply): (string | undefined)[] {
  return (JSON.parse(text) as { results: { text: string }[] }[]).map(({ results }) => results[0]?.text);
}
