import { type DescMethod, type Message } from "@bufbuild/protobuf";
import type { Interceptor } from "@connectrpc/connect";
import { Access, access, actor } from "../../../proto/gen/contract/v1/annotations_pb.ts";
import { permissionDenied, unauthenticated } from "../errors.ts";
import { oncePer } from "../once-per.ts";
import { readOption } from "../read-option.ts";
import { callerHeader, callerOf, viewerHeader, viewerOf } from "./identity.ts";

/** Lets a call reach its RPC only when the RPC's `access` option allows it (proto/contract/v1/annotations.proto). */
export function enforceAccess(): Interceptor {
  return (next) => (request) => {
    const viewer = viewerOf(request.header);
    const { who, actorName } = accessOf(request.method);
    switch (who) {
      case Access.ANYBODY:
        break;
      case Access.USER:
        if (request.stream) throw permissionDenied("This call cannot be made for a user.");
        requireActor(request.message, actorName, viewer);
        break;
      default:
        requireCaller(request.header, viewer);
    }
    return next(request);
  };
}

/**
 * Checks that every RPC says who may call it.
 * @throws Error for an RPC without access, and for one for users whose request names no actor
 */
export function checkAccess(methods: readonly DescMethod[]): void {
  for (const method of methods) {
    const { who, actorName } = accessOf(method);
    if (who === Access.UNSPECIFIED) throw new Error(`${method} does not say who may call it`);
    if (who === Access.USER && actorName === undefined) throw new Error(`${method.input} names no actor`);
  }
}

/** Who may call an RPC. */
export interface MethodAccess {
  who: Access;
  /** The request's property that names the actor; undefined when there is none. */
  actorName: string | undefined;
}

/** Who may call an RPC, as its options say. */
export const accessOf: (method: DescMethod) => MethodAccess = oncePer((method) => {
  const { parent, input } = method;
  // gRPC's own services, health and reflection, do not have our options; tools call them anonymously.
  const who = parent.typeName.startsWith("grpc.") ? Access.ANYBODY : readOption(method, access);
  return { who, actorName: input.fields.find((field) => readOption(field, actor))?.localName };
});

function requireActor(message: Message, actorName: string | undefined, viewer: bigint | undefined): void {
  if (viewer === undefined) throw unauthenticated(`The header ${viewerHeader} has to say for which user this is.`);
  if (actorName === undefined || (message as unknown as Record<string, unknown>)[actorName] !== viewer) {
    throw permissionDenied("Only that user may do this.");
  }
}

function requireCaller(header: Headers, viewer: bigint | undefined): void {
  if (callerOf(header) !== undefined) return;
  if (viewer !== undefined) throw permissionDenied("Users may not call this.");
  throw unauthenticated(`The header ${callerHeader} has to say who calls.`);
}
