import { compileBinder, type JsonObject } from "../../gateway/binding/compile-binder.ts";
import { PublicError } from "../../gateway/http/errors/public-error.ts";
import type { Pairs } from "../../gateway/http/requests/form-pairs.ts";
import { RegistrationRequestSchema } from "../../proto/gen/account/v1/registration_pb.ts";
import { SocialTimelinesRequestSchema, SocialUsersRequestSchema } from "../../proto/gen/social/v1/social_service_pb.ts";

const bindTimeline = compileBinder(SocialTimelinesRequestSchema);
const bindUsers = compileBinder(SocialUsersRequestSchema);
const bindRegistration = compileBinder(RegistrationRequestSchema);

/** The outcome of a refused request. */
export const bad = Symbol("refused");

/** A value in a JSON body or a query, and what it is read as. */
export type Row = [given: unknown, expected: unknown];

type Bound = Record<string, unknown>;

/** Binds a request of SocialTimelines from a JSON body and the pairs of the other sources, weakest first. */
export function timeline(json: JsonObject, ...texts: Pairs[]): Bound {
  return bindTimeline(json, texts) as unknown as Bound;
}

/** The same for SocialUsers. */
export function users(json: JsonObject, ...texts: Pairs[]): Bound {
  return bindUsers(json, texts) as unknown as Bound;
}

/** The same for Registration. */
export function registration(json: JsonObject, ...texts: Pairs[]): Bound {
  return bindRegistration(json, texts) as unknown as Bound;
}

/** The value, or `bad` when the request was refused with 400. */
export function outcome(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof PublicError && error.status === 400) return bad;
    throw error;
  }
}

/** The error of a request. @throws Error when the request was not refused */
export function refusal(read: () => unknown): PublicError {
  try {
    read();
  } catch (error) {
    if (error instanceof PublicError) return error;
  }
  throw new Error("the request was not refused");
}

/** A given or an expected value, for a title. */
export function show(value: unknown): string {
  if (value === bad) return "refused";
  if (Object.is(value, -0)) return "-0";
  return typeof value === "bigint"
    ? `${value}`
    : (JSON.stringify(value, (_, item) => (typeof item === "bigint" ? `${item}` : (item as unknown))) ?? "nothing");
}
