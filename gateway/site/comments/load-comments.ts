import { readFileSync } from "node:fs";
import type { DescField, DescMessage, DescMethod } from "@bufbuild/protobuf";
import type { Comments } from "./collect-comments.ts";

/** What the proto file says about something, in one line; empty when it says nothing. */
export type CommentOf = (desc: DescMessage | DescField | DescMethod) => string;

/** Reads the comments that `npm run generate` took out of the proto files. @throws Error when the file is not there */
export function loadComments(): CommentOf {
  const comments = JSON.parse(readFileSync(file, "utf8")) as Comments;
  return (desc) => comments[fullName(desc)] ?? "";
}

const file = new URL("../../../proto/gen/comments.json", import.meta.url);

function fullName(desc: DescMessage | DescField | DescMethod): string {
  return desc.kind === "message" ? desc.typeName : `${desc.parent.typeName}.${desc.name}`;
}
