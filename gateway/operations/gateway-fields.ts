import { randomUUID } from "node:crypto";
import { type DescField, type DescMessage, type Message, ScalarType } from "@bufbuild/protobuf";
import { actor, FilledBy, filled_by, idempotency_key, rules } from "../../proto/gen/contract/v1/annotations_pb.ts";
import { readOption } from "../../services/platform/read-option.ts";
import type { Values } from "../../services/platform/rules/request-rules.ts";
import type { PresentedSession } from "../sessions/sessions.ts";

/** The request fields that the gateway sets, not the client (annotations.proto): the actor, the request id, the session. */
export interface GatewayFields {
  /** Whether the request has an actor, which is the signed-in user. */
  hasActor: boolean;
  /** Whether the request has a request id. */
  hasRequestId: boolean;
  /**
   * Sets the request id, if the request has none, and the defaults of omitted fields, so that equal requests are equal messages.
   * @param key the header Idempotency-Key; without one, or with an empty one, the id is new
   */
  complete(input: Message, key: string | undefined): void;
  /** Sets the actor and the facts about the session. */
  identify(input: Message, userId: bigint | undefined, session: PresentedSession): void;
}

/** Finds the fields of a request message that the gateway sets. @throws Error for a field of the wrong type */
export function compileGatewayFields(message: DescMessage): GatewayFields {
  const actorField = message.fields.find((field) => readOption(field, actor));
  const keyField = message.fields.find((field) => readOption(field, idempotency_key));
  const defaults = message.fields.flatMap(defaultOf);
  const facts = message.fields.flatMap(factOf);
  return {
    hasActor: actorField !== undefined,
    hasRequestId: keyField !== undefined,
    complete(input, key) {
      const values = input as Values;
      for (const [name, value] of defaults) values[name] ??= value;
      if (keyField !== undefined) values[keyField.localName] ||= unquoted(key ?? "") || randomUUID();
    },
    identify(input, userId, session) {
      const values = input as Values;
      if (actorField !== undefined) values[actorField.localName] = userId;
      for (const [name, fact] of facts) values[name] = fact(session);
    },
  };
}

/** The header is a string of structured fields, in quotes, by its draft (RFC 9651 §3.3.3); most clients send it bare. */
function unquoted(key: string): string {
  return /^"([^"\\]*)"$/.exec(key)?.[1] ?? key;
}

/** The default of a bool. Services apply defaults of numbers: a reply is cached under the request as it came. */
function defaultOf(field: DescField): [name: string, value: boolean][] {
  const { whenUnset } = readOption(field, rules);
  return field.scalar === ScalarType.BOOL && whenUnset !== undefined ? [[field.localName, whenUnset === 1n]] : [];
}

type Fact = (session: PresentedSession) => string | boolean;

function factOf(field: DescField): [name: string, fact: Fact][] {
  const filledBy = readOption(field, filled_by);
  if (filledBy === FilledBy.UNSPECIFIED) return [];
  const fact = facts[filledBy];
  const type = filledBy === FilledBy.SESSION_ID ? ScalarType.STRING : ScalarType.BOOL;
  if (fact === undefined || field.scalar !== type) throw new Error(`${field} cannot hold what fills it`);
  return [[field.localName, fact]];
}

const facts: Partial<Record<FilledBy, Fact>> = {
  [FilledBy.SESSION_ID]: ({ id }) => id,
  [FilledBy.SESSION_COOKIE]: ({ isCookie }) => isCookie,
  [FilledBy.FOREIGN_COOKIE]: ({ hasForeignCookie }) => hasForeignCookie,
};
