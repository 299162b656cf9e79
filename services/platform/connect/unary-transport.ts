import type { ClientRequest, IncomingMessage } from "node:http";
import http from "node:http";
import https from "node:https";
import { urlToHttpOptions } from "node:url";
import { create, type DescMessage, type DescMethodUnary, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  createContextValues,
  type Interceptor,
  type Transport,
  type UnaryRequest,
  type UnaryResponse,
} from "@connectrpc/connect";
import { codeFromHttpStatus, errorFromJsonBytes } from "@connectrpc/connect/protocol-connect";
import { encodedMessage } from "./encode-once.ts";
import { rpcName } from "./rpc-names.ts";

export interface UnaryTransportOptions {
  /** The service's address. */
  baseUrl: string;
  /** Headers of every call. */
  headers: Record<string, string>;
  /** Milliseconds in which a call without a deadline of its own has to end. */
  deadlineMs: number;
  /** Interceptors of every call, outermost first. */
  interceptors: Interceptor[];
}

/**
 * Unary calls of the Connect protocol: binary, uncompressed, over HTTP/1.1 with keep-alive. The library's client costs three times
 * as much (docs/decisions/unary-calls.md).
 *
 * A call rejects with the error that the service answers; with DeadlineExceeded at its deadline, with Canceled when its signal is
 * aborted; and with Unavailable when the connection breaks, or for a reply that none of our services wrote.
 */
export function createUnaryTransport(options: UnaryTransportOptions): { transport: Transport; close(): void } {
  const url = new URL(options.baseUrl);
  const { Agent, request: open } = url.protocol === "https:" ? https : http;
  // Closed before the server's keep-alive of 65 s ends, so that no call uses a socket that is closing.
  const agent = new Agent({ keepAlive: true, maxSockets: 64, timeout: 30_000 });
  const target = { ...urlToHttpOptions(url), agent, method: "POST" };
  const basePath = url.pathname.replace(/\/+$/, "");
  const fixed = Object.entries({ ...options.headers, ...protocolHeaders });

  const send = (request: UnaryRequest): Promise<UnaryResponse> => {
    const body = toBinary(request.method.input, request.message);
    const path = `${basePath}/${rpcName(request.method)}`;
    const headers = { ...Object.fromEntries(request.header), "content-length": body.length };
    return exchange(open({ ...target, path, headers }), body, request);
  };
  // Only unary calls come here.
  const run = options.interceptors.reduceRight((next, intercept) => intercept(next), send as ReturnType<Interceptor>);

  return {
    transport: {
      async unary(method, signal, timeoutMs = options.deadlineMs, header, input, contextValues) {
        const all = new Headers(header);
        for (const [name, value] of fixed) all.set(name, value);
        all.set(timeoutHeader, `${Math.ceil(timeoutMs)}`);
        const request: UnaryRequest = {
          stream: false,
          service: method.parent,
          method,
          requestMethod: "POST",
          url: `${options.baseUrl}/${rpcName(method)}`,
          header: all,
          signal: signal ?? never,
          contextValues: contextValues ?? createContextValues(),
          message: create(method.input, input),
        };
        return (await run(request)) as UnaryResponse<typeof method.input, typeof method.output>;
      },
      stream: () => Promise.reject(new ConnectError("our services call no streams", Code.Unimplemented)),
    },
    close: () => agent.destroy(),
  };
}

const timeoutHeader = "connect-timeout-ms";
const protocolHeaders = { "content-type": "application/proto", "connect-protocol-version": "1" };

const never = new AbortController().signal;

/** Sends a call and reads its reply. */
function exchange(outgoing: ClientRequest, body: Uint8Array, request: UnaryRequest): Promise<UnaryResponse> {
  const { method, signal } = request;
  return new Promise<UnaryResponse>((resolve, reject) => {
    let hasReply = false;
    const end = (error: ConnectError) => {
      reject(error);
      outgoing.destroy();
    };
    const timer = setTimeout(
      () => end(new ConnectError("the operation timed out", Code.DeadlineExceeded)),
      Number(request.header.get(timeoutHeader)),
    );
    const onAbort = () => end(ConnectError.from(signal.reason, Code.Canceled));
    if (signal !== never) signal.addEventListener("abort", onAbort);
    outgoing.on("response", (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("end", () => {
        hasReply = true;
        try {
          const [first = noBytes] = chunks;
          resolve(readReply(method, incoming, chunks.length > 1 ? Buffer.concat(chunks) : first));
        } catch (error) {
          reject(error);
        }
      });
    });
    outgoing.on("error", (error) => reject(unavailable(error.message, error)));
    outgoing.on("close", () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      // An error has a stack, which costs a tenth of a call.
      if (!hasReply) reject(unavailable("the connection broke"));
    });
    if (signal.aborted) onAbort();
    else outgoing.end(body);
  });
}

const noBytes = Buffer.alloc(0);

/** @throws the ConnectError that the service answered, or Unavailable for a reply that none of our services wrote */
function readReply(method: DescMethodUnary, incoming: IncomingMessage, body: Buffer): UnaryResponse {
  const { statusCode: status = 0, headers } = incoming;
  const type = headers["content-type"] ?? "";
  if (status !== 200) {
    const code = codeFromHttpStatus(status);
    const error = new ConnectError(`HTTP ${status}`, ambiguousCodes.has(code) ? Code.Unavailable : code);
    throw type.startsWith("application/json") ? errorFromJsonBytes(body, headersOf(incoming), error) : error;
  }
  if (type !== protocolHeaders["content-type"] || headers["content-encoding"] !== undefined) {
    throw unavailable(`a reply of type "${type}"`);
  }
  return {
    stream: false,
    service: method.parent,
    method,
    message: decode(method.output, body),
    // Made when they are asked for, since most callers do not.
    get header() {
      return headersOf(incoming);
    },
    // Our services send none.
    get trailer() {
      return new Headers();
    },
  };
}

/** The code for an HTTP status without a Connect error. Internal is only for errors that a service itself reports. */
const ambiguousCodes: ReadonlySet<Code> = new Set([Code.Internal, Code.Unknown]);

function decode(type: DescMessage, body: Buffer): Message {
  // Decoding would keep all of it as unknown fields, which takes several copies.
  if (type.members.length === 0) return encodedMessage(type, body);
  try {
    return fromBinary(type, body);
  } catch (error) {
    throw unavailable("the reply cannot be read", error);
  }
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const header = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    header.append(rawHeaders[index] as string, rawHeaders[index + 1] as string);
  }
  return header;
}

function unavailable(message: string, cause?: unknown): ConnectError {
  return new ConnectError(message, Code.Unavailable, undefined, undefined, cause);
}
