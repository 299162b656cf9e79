import type { IncomingMessage, ServerResponse } from "node:http";
import {
  create,
  type DescMessage,
  fromBinary,
  isMessage,
  type Message,
  type MessageInitShape,
} from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  type ConnectRouter,
  createServiceImplSpec,
  type Interceptor,
  type MethodImplSpec,
  type UnaryRequest,
  type UnaryResponse,
} from "@connectrpc/connect";
import { codeToHttpStatus, errorToJsonBytes } from "@connectrpc/connect/protocol-connect";
import { encodingOf } from "./encode-once.ts";
import { rpcName } from "./rpc-names.ts";
import { UnaryContext } from "./unary-context.ts";

/** Serves the unary calls of one process. */
export interface UnaryCalls {
  /** A router that adds to `router`, and notes what this can serve. */
  record(router: ConnectRouter): ConnectRouter;
  /** Serves a request, or returns false and leaves it to the library. */
  serve(request: IncomingMessage, response: ServerResponse): boolean;
}

type UnaryMethod = Extract<MethodImplSpec, { kind: "unary" }>;

interface ServedMethod {
  method: UnaryMethod["method"];
  /** The encoded answer to the bytes of a call. Its headers and trailers are those of the context. */
  answer(context: UnaryContext, body: Uint8Array): Promise<Uint8Array>;
}

/**
 * Serves what our own clients send: unary calls of the Connect protocol, in binary, uncompressed, over HTTP/1.1. The library's
 * handler makes some thirty objects of each call, among them three abort signals, four sets of headers and two streams, which
 * cost more than most handlers do (docs/decisions/unary-calls.md). Everything else is left to it.
 * @param interceptors outermost first
 * @param maxBytes of a request; a larger one is left to the library, which refuses it
 * @param maxTimeoutMs the longest deadline that a caller may set
 */
export function createUnaryCalls(interceptors: Interceptor[], maxBytes: number, maxTimeoutMs: number): UnaryCalls {
  const methods = new Map<string, ServedMethod>();
  return {
    record(router) {
      const recording: ConnectRouter = {
        ...router,
        service(service, implementation, options) {
          for (const method of Object.values(createServiceImplSpec(service, implementation).methods)) {
            if (method.kind === "unary") methods.set(`/${rpcName(method.method)}`, intercepted(method, interceptors));
          }
          router.service(service, implementation, options);
          return recording;
        },
      };
      return recording;
    },
    serve(request, response) {
      const served = methods.get(request.url ?? "");
      const timeoutMs = timeoutOf(request);
      if (served === undefined || !isPlain(request, maxBytes) || timeoutMs > maxTimeoutMs) return false;
      readBody(request, (body) => {
        const context = new UnaryContext(served.method, request, response, timeoutMs);
        served
          .answer(context, body)
          .then((message) => reply(response, 200, "application/proto", context, message))
          .catch((error) => refuse(response, context, error))
          // A header of the reply cannot be sent.
          .catch(() => response.destroy());
      });
      return true;
    },
  };
}

/** The milliseconds that a caller waits; NaN for no limit, and Infinity for a header that cannot be read. */
function timeoutOf({ headers }: IncomingMessage): number {
  const given = headers["connect-timeout-ms"];
  if (given === undefined) return Number.NaN;
  return typeof given === "string" && /^\d{1,10}$/.test(given) ? Number(given) : Number.POSITIVE_INFINITY;
}

/** A length is required, since it cannot be exceeded: Node's parser takes what follows for the next request. */
function isPlain({ method, headers }: IncomingMessage, maxBytes: number): boolean {
  return (
    method === "POST" &&
    headers["content-type"] === "application/proto" &&
    headers["content-encoding"] === undefined &&
    Number(headers["content-length"] ?? Number.NaN) <= maxBytes
  );
}

/** Calls back with the whole body; never, when the caller disconnects before its end. */
function readBody(request: IncomingMessage, onEnd: (body: Uint8Array) => void): void {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.once("end", () => onEnd(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
}

/** A method with its handler and the interceptors around it. */
function intercepted({ method, impl }: UnaryMethod, interceptors: readonly Interceptor[]): ServedMethod {
  const run = async ({ context, message }: SeenCall): Promise<UnaryResponse> =>
    seenAnswer(context, asMessage(method.output, await impl(message as never, context)));
  const call = interceptors.reduceRight<typeof run>((next, intercept) => intercept(next as never) as typeof run, run);
  return {
    method,
    async answer(context, body) {
      const { message } = await call(seenCall(context, parse(method.input, body)));
      return encodingOf(method.output, message as never);
    },
  };
}

/** A call as interceptors see it, with the context that they pass on. */
interface SeenCall extends UnaryRequest {
  context: UnaryContext;
}

function seenCall(context: UnaryContext, message: Message): SeenCall {
  const { service, method, requestMethod, requestHeader: header } = context;
  return {
    stream: false,
    context,
    service,
    method,
    requestMethod,
    header,
    message,
    get url() {
      return context.url;
    },
    get signal() {
      return context.signal;
    },
    get contextValues() {
      return context.values;
    },
  };
}

/** Its answer as interceptors see it. */
function seenAnswer(context: UnaryContext, message: Message): UnaryResponse {
  const { service, method } = context;
  return {
    stream: false,
    service,
    method,
    message,
    get header() {
      return context.responseHeader;
    },
    get trailer() {
      return context.responseTrailer;
    },
  };
}

function asMessage<T extends DescMessage>(schema: T, answered: MessageInitShape<T>): Message {
  return isMessage(answered, schema) ? answered : create(schema, answered);
}

function parse(schema: DescMessage, bytes: Uint8Array): Message {
  try {
    return fromBinary(schema, bytes);
  } catch (error) {
    throw new ConnectError(`parse binary: ${(error as Error).message}`, Code.Internal);
  }
}

function refuse(response: ServerResponse, context: UnaryContext, error: unknown): void {
  const refusal = error instanceof ConnectError ? error : new ConnectError("internal error", Code.Internal);
  // The error may be that of another service, with the headers of its reply.
  refusal.metadata.forEach((value, name) => {
    if (!ofConnection.has(name)) context.responseHeader.set(name, value);
  });
  const body = errorToJsonBytes(refusal, undefined);
  reply(response, codeToHttpStatus(refusal.code), "application/json", context, body);
}

/** Headers of one connection or message. The other ones of `reply` replace those of an error. */
const ofConnection: ReadonlySet<string> = new Set(["connection", "date", "keep-alive", "transfer-encoding"]);

function reply(response: ServerResponse, status: number, type: string, context: UnaryContext, body: Uint8Array): void {
  response.writeHead(status, { ...context.sentHeaders(), "content-type": type, "content-length": body.length });
  response.end(body);
}
