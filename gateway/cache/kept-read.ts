import type { Message } from "@bufbuild/protobuf";
import type { Deadline } from "../deadline.ts";
import type { Encoding } from "./encoding.ts";
import type { Page } from "./page.ts";

/** One request of a public read, understood: gives its reply to anonymous callers. Rejects with ConnectError. */
export type Prepared = (encoding: Encoding, deadline: Deadline) => Page | Promise<Page>;

/** Understands a request message. */
export type KeptRead = (input: Message) => Prepared;
