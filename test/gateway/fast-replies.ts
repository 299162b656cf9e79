import type { FakeGateway, Reply } from "./fake-gateway.ts";

/** The parts of a reply that are compared. */
export function seen({ status, headers: { date: _, ...headers }, text }: Reply) {
  return { status, headers, text };
}

/** The log line of the last request. */
export async function lastLine({ logged }: Pick<FakeGateway, "logged">): Promise<Record<string, unknown> | undefined> {
  await new Promise((resolve) => setTimeout(resolve, 20));
  return logged.filter(({ msg }) => msg === "request").at(-1);
}

/** Whether the last request took the fast path: its log line has no reference, unlike the router's. */
export async function wasFast(gateway: Pick<FakeGateway, "logged">): Promise<boolean> {
  return (await lastLine(gateway))?.["reference"] === undefined;
}
