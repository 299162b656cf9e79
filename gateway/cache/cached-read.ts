import type { Message } from "@bufbuild/protobuf";
import type { Deadline } from "../http/limits/deadline.ts";
import type { LoadPage } from "../http/replies/page.ts";

/** Prepares the read of one request message; the result is called for each request that equals it. */
export type CachedRead = (input: Message) => LoadPage;

/** An operation, as far as the cache needs it. */
export interface ReadOperation {
  name: string;
  /** Calls the service. Rejects with ConnectError. */
  call(request: Message, header: Record<string, string>, deadline: Deadline): Promise<{ message: Message }>;
  /** The reply's JSON. */
  render(message: Message): string;
}
