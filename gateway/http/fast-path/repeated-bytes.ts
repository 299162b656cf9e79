import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { AssembledBytes, type ReplyBytes } from "../../rendering/assembled-bytes.ts";
import { sendAssembled } from "../replies/assembled-replies.ts";
import { headText } from "../replies/head-text.ts";
import type { OnceClosed } from "../requests/once-closed.ts";
import type { LastRequests } from "../sockets/last-requests.ts";
import type { FastRequest, Outcome, RequestFacts } from "./fast-request.ts";

/**
 * Answers a request of these facts. Returns false, and does nothing, where Node has to read the request; else it sends the reply or
 * routes the request.
 */
export type AnswerByFacts = (facts: RequestFacts, request: FastRequest) => boolean;

/** Caches the bytes of GETs and short POSTs that were answered. Equal bytes are the same request, so Node's parser need not read them again. */
export interface RepeatedBytes {
  /** Stores the facts of a request by its bytes, or lets its connection repeat it from now on. @param bytes from `noteRead` */
  add(message: IncomingMessage, bytes: string | undefined, facts: RequestFacts): void;
  /** To be called for each request, while Node emits it. */
  noteRead(message: IncomingMessage): ReadByNode;
  /** Resolves when no request is being answered that Node has not read: Node considers its connection idle and would close it. */
  whenIdle(): Promise<void>;
}

/** What is known of a request that Node has read. */
export interface ReadByNode {
  /** Its outcome on the fast path, if it was there first. */
  outcome?: Outcome | undefined;
  /** All its bytes in Latin-1, if they came in one piece that begins and ends with it. */
  bytes?: string | undefined;
}

export interface RepeatedParts {
  lastRequests: LastRequests;
  answer: AnswerByFacts;
  /** Called for each request that Node does not read, when its bytes have been read. */
  noteRequest(socket: Socket): void;
}

/** Lets requests be answered before Node's parser sees them (docs/decisions/repeated-bytes.md). */
export function readRepeatedBytes(server: Server, parts: RepeatedParts): RepeatedBytes {
  const known = new LRUCache<string, RequestFacts>({
    maxSize: maxMemory,
    sizeCalculation: (_, bytes) => 500 + 2 * bytes.length,
  });
  const connections = new WeakMap<Socket, Connection>();
  const waiting = new Set<Socket>();
  const shared = { ...parts, server, known, waiting };
  return {
    add({ socket }, bytes, facts) {
      const connection = connections.get(socket);
      if (connection === undefined) connections.set(socket, new Connection(socket, shared));
      else if (bytes !== undefined) known.set(bytes, facts);
      else connection.listenFor(facts);
    },
    noteRead: (message) => connections.get(message.socket)?.noteRead(message) ?? {},
    async whenIdle() {
      while ([...waiting].some((socket) => !socket.destroyed)) await setTimeout(5);
    },
  };
}

/** What all connections use. */
interface Shared extends RepeatedParts {
  server: Server;
  known: LRUCache<string, RequestFacts>;
  /** Those with a request that is being answered. */
  waiting: Set<Socket>;
}

/** A connection on which a request was answered that may be repeated. */
class Connection implements FastRequest {
  readonly message = undefined;
  readonly #socket: Socket;
  readonly #shared: Shared;
  /** Node's listener. */
  readonly #readByNode: (bytes: Buffer) => void;
  #isListening = false;
  /** Whether Node's parser certainly expects a new request. */
  #isAtBoundary = false;
  /** Whether Node is reading bytes that were handed to it, their text where they are short, and how many requests it has read of them. */
  #isHanding = false;
  #text: string | undefined;
  #requests = 0;
  /** The last one of these, if by its length it has all these bytes. */
  #whole: IncomingMessage | undefined;
  /** Whether a POST was in other pieces than one: most clients that send the body in a piece of its own do so each time. */
  #splitsPosts = false;
  /** The request that is being answered here. */
  #pending: Buffer | undefined;
  /** Its outcome on the fast path, while Node reads it for the router. */
  #outcome: Outcome | undefined;
  #onClosed: OnceClosed | undefined;

  constructor(socket: Socket, shared: Shared) {
    this.#socket = socket;
    this.#shared = shared;
    const [readByNode] = socket.listeners("data") as [(bytes: Buffer) => void];
    this.#readByNode = readByNode;
    this.#listen();
  }

  listenFor({ method }: RequestFacts): void {
    if (!this.#isListening && !(method === "POST" && this.#splitsPosts)) this.#listen();
  }

  noteRead(message: IncomingMessage): ReadByNode {
    const text = this.#text;
    this.#requests++;
    this.#whole = text !== undefined && isWhole(text, message) ? message : undefined;
    if (this.#isHanding && this.#whole === undefined && message.method === "POST") this.#splitsPosts = true;
    const isOnly = this.#isAtBoundary && this.#whole !== undefined && this.#requests === 1;
    return { outcome: this.#outcome, bytes: isOnly ? text : undefined };
  }

  /** Replaces Node's listener. Node's parser reads the socket directly until there is another listener. */
  #listen(): void {
    this.#isListening = this.#replace(this.#readByNode, this.#read);
    this.#isAtBoundary = false;
  }

  #leaveToNode(): void {
    if (this.#isListening) this.#replace(this.#read, this.#readByNode);
    this.#isListening = false;
  }

  /**
   * Replaces one listener by the other. Returns false where it is not there: after a CONNECT, or a refusal on the socket, Node's parser
   * must read no more. It may belong to another connection by then.
   */
  #replace(listener: (bytes: Buffer) => void, other: (bytes: Buffer) => void): boolean {
    if (!this.#socket.listeners("data").includes(listener)) return false;
    this.#socket.off("data", listener).on("data", other);
    return true;
  }

  readonly #read = (bytes: Buffer): void => {
    const text = shortText(bytes);
    const facts = text !== undefined && this.#isIdle() ? this.#shared.known.get(text) : undefined;
    if (facts !== undefined) {
      this.#pending = bytes;
      this.#shared.noteRequest(this.#socket);
      if (this.#shared.answer(facts, this)) {
        if (this.#pending !== undefined) {
          // The next bytes wait.
          this.#socket.pause();
          this.#shared.waiting.add(this.#socket);
        }
        return;
      }
      this.#pending = undefined;
    }
    this.#handToNode(bytes, text);
  };

  /** Whether the next bytes begin a request, and all replies have been sent. */
  #isIdle(): boolean {
    const last = this.#shared.lastRequests.get(this.#socket);
    return this.#isAtBoundary && last?.response?.closed !== false && this.#socket.writableLength === 0;
  }

  /** Lets Node read bytes. */
  #handToNode(bytes: Buffer, text: string | undefined): void {
    this.#isHanding = true;
    this.#text = text;
    this.#requests = 0;
    this.#readByNode(bytes);
    this.#isHanding = false;
    this.#text = undefined;
    // Node has read exactly one request, to its end, and it ended with these bytes.
    this.#isAtBoundary = this.#requests === 1 && this.#whole?.complete === true;
    this.#whole = undefined;
    if (!this.#isAtBoundary) this.#leaveToNode();
  }

  send(status: number, head: string[], start: string, body: ReplyBytes): void {
    const socket = this.#socket;
    const onClosed = this.#onClosed;
    this.#end();
    if (!socket.writable) return onClosed?.(false, status);
    const text = headText(status, head, this.#shared.server.keepAliveTimeout) + start;
    const written = onClosed && ((error: Error | null | undefined) => onClosed(!error, status));
    if (body instanceof AssembledBytes) {
      return sendAssembled(text, body, socket, {
        write: (bytes) => void socket.write(bytes, written),
        // Called behind the bytes before it, or when the connection has ended. Node emits "drain" only for a long write.
        onceSent: (action) => void socket.write("", action),
      });
    }
    if (body.length === 0) return void socket.write(text, "latin1", written);
    socket.cork();
    socket.write(text, "latin1");
    socket.write(body, written);
    socket.uncork();
  }

  onceClosed(action: OnceClosed): void {
    this.#onClosed = action;
  }

  route(outcome: Outcome): boolean {
    const bytes = this.#pending as Buffer;
    // Node has closed its side as well when the client has closed its own.
    const isOpen = this.#socket.writable;
    if (isOpen) {
      this.#outcome = outcome;
      this.#handToNode(bytes, shortText(bytes));
      this.#outcome = undefined;
    }
    this.#end();
    return isOpen;
  }

  #end(): void {
    this.#pending = undefined;
    this.#onClosed = undefined;
    if (this.#shared.waiting.delete(this.#socket)) this.#socket.resume();
  }
}

/** The text of a short chunk that begins like a GET or a POST. */
function shortText(bytes: Buffer): string | undefined {
  return firstBytes.includes(bytes[0] ?? 0) && bytes.length <= maxRequestBytes ? bytes.toString("latin1") : undefined;
}

const firstBytes = Buffer.from("GP");

/** Only requests with large cookies or long bodies are longer. */
const maxRequestBytes = 2_048;

/** Whether a text is one whole head, and a body of the length that Node has read, and nothing else. */
function isWhole(text: string, { headers }: IncomingMessage): boolean {
  const [head] = oneHead.exec(text) ?? [];
  if (head === undefined || headers["transfer-encoding"] !== undefined) return false;
  return head.length + Number(headers["content-length"] ?? 0) === text.length;
}

/** One whole head (RFC 9112 §2.1). All line ends are CR LF: parsers disagree on others. */
const oneHead = /^(?:GET|POST) [^\r\n]+ HTTP\/1\.1\r\n(?:[^\r\n]+\r\n)+\r\n/;

/** Bytes of all stored requests: some 5,000. */
const maxMemory = 4 * 1024 * 1024;
