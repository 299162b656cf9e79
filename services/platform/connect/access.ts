import { type DescMethod, getOption, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import type { Interceptor } from "@connectrpc/connect";
import { Access, access, actor } from "../../../proto/gen/contract/v1/annotations_pb.ts";
import { permissionDenied, unauthenticated } from "../errors.ts";
import { callerHeader, callerOf, viewerHeader, viewerOf } from "./identity.ts";

/** Lets a call reach its RPC only when the RPC's `access` says so (proto/contract/v1/annotations.proto). */
export function enforceAccess(): Interceptor {
  return (next) => (request) => {
    const viewer = viewerOf(request.header);
    switch (accessOf(request.method)) {
      case Access.ANYBODY:
        break;
      case Access.USER:
        if (request.stream) throw permissionDenied("This call cannot be made for a user.");
        requireActor(request.method, request.message, viewer);
        break;
      default:
        requireCaller(request.header, viewer);
    }
    return next(request);
  };
}

/**
 * Refuses RPCs whose access was not decided.
 * @throws Error for an RPC without access, and for one for users whose request names no actor
 */
export function checkAccess(methods: readonly DescMethod[]): void {
  for (const method of methods) {
    const who = accessOf(method);
    if (who === Access.UNSPECIFIED) throw new Error(`${method} does not say who may call it`);
    if (who === Access.USER && actorField(method) === undefined) throw new Error(`${method.input} names no actor`);
  }
}

// gRPC's own services, health and reflection, are defined without our options: tools use them anonymously.
function accessOf(method: DescMethod): Access {
  return method.parent.typeName.startsWith("grpc.") ? Access.ANYBODY : getOption(method, access);
}

function requireActor(method: DescMethod, message: Message, viewer: bigint | undefined): void {
  if (viewer === undefined) throw unauthenticated(`The header ${viewerHeader} has to say for which user this is.`);
  const field = actorField(method);
  if (field === undefined || reflect(method.input, message).get(field) !== viewer) {
    throw permissionDenied("Only that user may do this.");
  }
}

function requireCaller(header: Headers, viewer: bigint | undefined): void {
  if (callerOf(header) !== undefined) return;
  if (viewer !== undefined) throw permissionDenied("This is not for users.");
  throw unauthenticated(`The header ${callerHeader} has to say who calls.`);
}

/** The field that names the user who acts; requests have a handful of fields. */
function actorField({ input }: DescMethod) {
  return input.fields.find((field) => getOption(field, actor));
}
