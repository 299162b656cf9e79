import type { IncomingMessage, ServerResponse } from "node:http";
import type { DescMethodUnary } from "@bufbuild/protobuf";
import { Code, ConnectError, type ContextValues, createContextValues, type HandlerContext } from "@connectrpc/connect";

/** The context of one unary call. Its parts are made on demand: few calls use a signal or set a header. */
export class UnaryContext implements HandlerContext {
  readonly requestMethod = "POST";
  readonly protocolName = "connect";
  readonly method: DescMethodUnary;
  readonly requestHeader: Headers;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  /** By performance.now(); NaN for none. */
  readonly #deadline: number;
  #responseHeader: Headers | undefined;
  #responseTrailer: Headers | undefined;
  #signal: AbortSignal | undefined;
  #values: ContextValues | undefined;

  /** @param timeoutMs the milliseconds that the caller waits; NaN for no limit */
  constructor(method: DescMethodUnary, incoming: IncomingMessage, outgoing: ServerResponse, timeoutMs: number) {
    this.method = method;
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#deadline = performance.now() + timeoutMs;
    this.requestHeader = callersHeaders(incoming);
  }

  get service() {
    return this.method.parent;
  }

  get url() {
    return `http://${this.#incoming.headers.host}${this.#incoming.url}`;
  }

  get responseHeader() {
    this.#responseHeader ??= new Headers();
    return this.#responseHeader;
  }

  get responseTrailer() {
    this.#responseTrailer ??= new Headers();
    return this.#responseTrailer;
  }

  get values() {
    this.#values ??= createContextValues();
    return this.#values;
  }

  get signal() {
    this.#signal ??= signalOf(this.#outgoing, this.timeoutMs());
    return this.#signal;
  }

  readonly timeoutMs = () => (Number.isNaN(this.#deadline) ? undefined : this.#deadline - performance.now());

  /** The headers of the reply that were set; trailers as the Connect protocol sends those of unary calls. */
  sentHeaders(): Record<string, string> {
    const sent: Record<string, string> = {};
    this.#responseHeader?.forEach((value, name) => {
      sent[name] = value;
    });
    this.#responseTrailer?.forEach((value, name) => {
      sent[`trailer-${name}`] = value;
    });
    return sent;
  }
}

/** The headers of a request without those that only its transport needs: a Headers takes a microsecond for each. */
function callersHeaders({ headers }: IncomingMessage): Headers {
  const callers = new Headers();
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !ofTransport.has(name)) callers.set(name, `${value}`);
  }
  return callers;
}

const ofTransport = new Set([
  "accept-encoding",
  "connect-protocol-version",
  "connect-timeout-ms",
  "connection",
  "content-length",
  "content-type",
  "host",
  "keep-alive",
  "user-agent",
]);

/** Aborted at the deadline, and when the call has ended or its caller has disconnected. */
function signalOf(outgoing: ServerResponse, timeoutMs: number | undefined): AbortSignal {
  const controller = new AbortController();
  const late = () => controller.abort(new ConnectError("the operation timed out", Code.DeadlineExceeded));
  const timer = timeoutMs === undefined ? undefined : setTimeout(late, timeoutMs);
  const end = () => {
    clearTimeout(timer);
    controller.abort();
  };
  if (outgoing.closed) end();
  else outgoing.once("close", end);
  return controller.signal;
}
