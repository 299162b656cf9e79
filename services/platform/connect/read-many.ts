import {
  create,
  type DescMessage,
  type DescMethod,
  type DescMethodUnary,
  fromBinary,
  type Message,
  type MessageInitShape,
  toBinary,
} from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  type ConnectRouter,
  type HandlerContext,
  type Interceptor,
  type UnaryRequest,
} from "@connectrpc/connect";
import { Access } from "../../../proto/gen/contract/v1/annotations_pb.ts";
import {
  type Read,
  type ReadAnswerSchema,
  type ReadManyRequest,
  ReadManyRequestSchema,
  ReadService,
} from "../../../proto/gen/reads/v1/read_service_pb.ts";
import { refuseFields } from "../errors.ts";
import { tooManyEntries } from "../max-entries.ts";
import { traceparentHeader } from "../tracing/tracing.ts";
import { accessOf } from "./access.ts";
import { callerHeader } from "./identity.ts";
import { isReadOnly, rpcName } from "./rpc-names.ts";

/**
 * Adds the RPCs of a process, and ReadMany for those of them that read (proto/reads/v1): each read of such a call passes through the
 * interceptors with the headers of its own, and with the caller and the trace of the call.
 */
export function addRoutesWithReads(
  router: ConnectRouter,
  addRoutes: (router: ConnectRouter) => void,
  interceptors: readonly Interceptor[],
): void {
  const answers = new Map<string, AnswerRead>();
  const note = (method: DescMethod, implementation: Implementation | undefined) => {
    if (implementation && isRead(method)) answers.set(rpcName(method), compile(method, implementation, interceptors));
  };
  const noting: ConnectRouter = {
    handlers: router.handlers,
    rpc(method, implementation, options) {
      router.rpc(method, implementation, options);
      note(method, implementation as Implementation);
      return noting;
    },
    service(service, implementations, options) {
      router.service(service, implementations, options);
      for (const method of service.methods) note(method, (implementations as Implementations)[method.localName]);
      return noting;
    },
  };
  addRoutes(noting);

  router.service(ReadService, {
    async readMany(request: ReadManyRequest, call: HandlerContext) {
      refuseFields([tooManyEntries(ReadManyRequestSchema, request)]);
      const answer = async (read: Read) => (await answers.get(read.rpc)?.(read, call).catch(leaveOut)) ?? {};
      return { answers: await Promise.all(request.reads.map(answer)) };
    },
  });
}

/** A read that fails alone is not answered. @throws the error where it would be that of all reads */
function leaveOut(error: unknown): undefined {
  if (error instanceof ConnectError && ofAll.has(error.code)) throw error;
}

const ofAll: ReadonlySet<Code> = new Set([Code.Unavailable, Code.DeadlineExceeded, Code.Canceled]);

/** @param call that of ReadMany */
type AnswerRead = (read: Read, call: HandlerContext) => Promise<MessageInitShape<typeof ReadAnswerSchema>>;

type Implementations = Readonly<Record<string, Implementation | undefined>>;
type Implementation = (
  message: Message,
  call: HandlerContext,
) => MessageInitShape<DescMessage> | Promise<MessageInitShape<DescMessage>>;

function isRead(method: DescMethod): method is DescMethodUnary {
  const { who } = accessOf(method);
  const isForUsers = who === Access.ANYBODY || who === Access.USER;
  return method.methodKind === "unary" && isReadOnly(method) && isForUsers;
}

function compile(
  method: DescMethodUnary,
  implementation: Implementation,
  interceptors: readonly Interceptor[],
): AnswerRead {
  const { parent: service, input, output } = method;
  return async ({ message, header }, call) => {
    const requestHeader = new Headers(header);
    for (const name of [callerHeader, traceparentHeader]) {
      const value = call.requestHeader.get(name);
      if (value !== null) requestHeader.set(name, value);
    }
    const own = { ...call, service, method, requestHeader, responseHeader: new Headers() };
    const run = async (request: UnaryRequest) => ({
      stream: false as const,
      service,
      method,
      header: own.responseHeader,
      trailer: call.responseTrailer,
      message: create(output, await implementation(request.message, own)),
    });
    const intercepted = interceptors.reduceRight((next, intercept) => intercept(next), run as Next);
    const { requestMethod, url, signal, values: contextValues } = call;
    const about = { stream: false as const, service, method, requestMethod, url, signal, contextValues };
    const response = await intercepted({ ...about, header: requestHeader, message: fromBinary(input, message) });
    return {
      message: toBinary(output, response.message as Message),
      header: Object.fromEntries(own.responseHeader),
    };
  };
}

type Next = Parameters<Interceptor>[0];
