import {
  type DescField,
  type DescMessage,
  type DescMethodUnary,
  isFieldSet,
  type Message,
  ScalarType,
} from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import type { Cache } from "../../proto/gen/contract/v1/annotations_pb.ts";
import { copyText } from "../../services/platform/lru.ts";
import { maxEntries } from "../../services/platform/max-entries.ts";
import { fieldNamed, type Values } from "../../services/platform/rules/request-rules.ts";
import { isScreenName, nameKey } from "../../services/platform/rules/screen-name.ts";
import { decodeReply } from "../calls/raw-call.ts";
import { rangesOf, textsOf } from "../rendering/wire-reader.ts";
import { absentVersion } from "./versions.ts";

/** Which users the replies of a cached operation show, as its annotation `cache` says. */
export interface Shape {
  /** The name keys of the users for whom a request asks, each once; undefined where its names do not say all that it asks for. */
  names(input: Message): readonly string[] | undefined;
  /** Names the rest of the request: requests with equal texts differ in nothing but their names. */
  rest(input: Message): string;
  /** The versions that a reply shows, in the order of the names. @throws ConnectError when it cannot be read */
  versionsIn(reply: Uint8Array, names: readonly string[]): string[];
}

/** A reply about the one user whom a text names. All other fields are numbers. @throws Error for an annotation that cannot be served */
export function pageShape({ input, output }: DescMethodUnary, cache: Cache): Shape {
  const subject = textField(input, cache.subject);
  const version = textField(output, cache.version);
  const others = input.fields.filter((field) => field !== subject);
  const stray = others.find(({ fieldKind, scalar }) => fieldKind !== "scalar" || !isNumber(scalar));
  if (stray !== undefined) throw new Error(`${stray} is no number, so it cannot name a page`);
  return {
    names(request) {
      const name = (request as Values)[subject.localName] as string;
      return isScreenName(name) ? [copyText(nameKey(name))] : undefined;
    },
    rest: (request) => others.map(({ localName }) => (request as Values)[localName]).join(":"),
    versionsIn: (reply) => decodeReply(() => textsOf(reply, version.number)),
  };
}

/** A reply that is a list with an entry for each of the users whom a list names. */
export interface LookupShape extends Shape {
  /** The request field with the names. */
  subjects: DescField;
  /** The list of the reply. */
  list: DescField & { message: DescMessage };
  /** The name key and the version of an entry. */
  entry(wire: Uint8Array): { nameKey: string; version: string };
}

/** @throws Error for an annotation that cannot be served */
export function lookupShape(method: DescMethodUnary, cache: Cache, entrySubject: string): LookupShape {
  const { input } = method;
  const subjects = fieldNamed(input, cache.subject);
  if (subjects.fieldKind !== "list" || subjects.scalar !== ScalarType.STRING)
    throw new Error(`${subjects} is no list of texts`);
  const list = listOf(method);
  const subject = textField(list.message, entrySubject);
  const version = textField(list.message, cache.version);
  const others = input.fields.filter((field) => field !== subjects);
  const maxNames = maxEntries(input);
  const entry = (wire: Uint8Array) => {
    const [name = "", shown = ""] = textsOf(wire, subject.number, version.number);
    return { nameKey: nameKey(name), version: shown };
  };
  return {
    subjects,
    list,
    entry,
    // Versions are asked for by name, so a lookup that also has ids is not cached.
    names(request) {
      const names = (request as Values)[subjects.localName] as string[];
      if (names.length === 0 || names.length > maxNames || others.some((field) => isFieldSet(request, field))) return;
      return names.every(isScreenName) ? [...new Set(names.map((name) => copyText(nameKey(name))))] : undefined;
    },
    rest: () => "",
    versionsIn(reply, names) {
      const shown = new Map(
        elementsOf(reply, list).map((element) => {
          const { nameKey, version } = entry(element);
          return [nameKey, version];
        }),
      );
      return names.map((name) => shown.get(name) ?? absentVersion);
    },
  };
}

/** The elements of a reply's list, as they came. @throws ConnectError when they cannot be read */
export function elementsOf(reply: Uint8Array, list: DescField): Uint8Array[] {
  return decodeReply(() => rangesOf(reply, list.number).map((range) => reply.subarray(...range)));
}

/** The only field of an RPC's reply, a repeated message. @throws Error when the reply is something else */
export function listOf(method: DescMethodUnary): DescField & { message: DescMessage } {
  const [list, ...others] = method.output.fields;
  if (list?.fieldKind === "list" && list.message !== undefined && others.length === 0) return list;
  throw new Error(`${method} does not answer with a list of messages`);
}

function textField(message: DescMessage, name: string): DescField {
  const field = fieldNamed(message, name);
  const isAlwaysSet = field.presence === FeatureSet_FieldPresence.IMPLICIT;
  if (field.fieldKind === "scalar" && field.scalar === ScalarType.STRING && isAlwaysSet) return field;
  throw new Error(`${field} is not one text`);
}

function isNumber(scalar: ScalarType | undefined): boolean {
  return scalar !== ScalarType.STRING && scalar !== ScalarType.BYTES;
}
