import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { AssembledBytes, type ReplyBytes } from "../../rendering/assembled-bytes.ts";
import { sendAssembled } from "../replies/assembled-replies.ts";
import { headText } from "../replies/head-text.ts";
import type { OnceClosed } from "../requests/once-closed.ts";
import type { Exchanges } from "../sockets/socket-errors.ts";
import type { FastRequest, Outcome, RequestFacts } from "./fast-request.ts";
import { isBare } from "./served-targets.ts";

/**
 * Answers a request of these facts. Returns false, and does nothing, where Node has to read the request; else it sends the reply or
 * routes the request.
 */
export type AnswerByFacts = (facts: RequestFacts, request: FastRequest) => boolean;

/** Caches the heads of GETs that were answered. Equal bytes are the same request, so Node's parser need not read them again. */
export interface RepeatedHeads {
  /** To be called while Node emits a request: stores its facts by its head, where its connection may repeat it. */
  add(message: IncomingMessage, facts: RequestFacts): void;
  /** To be called for each request that Node has read. Returns its outcome on the fast path, if it was there first. */
  noteRead(message: IncomingMessage): Outcome | undefined;
  /** Resolves when no request is being answered that Node has not read: Node considers its connection idle and would close it. */
  whenIdle(): Promise<void>;
}

export interface HeadParts {
  exchanges: Exchanges;
  answer: AnswerByFacts;
  /** Called for each request that Node does not read, when its bytes have been read. */
  noteRequest(socket: Socket): void;
}

/** Lets requests be answered before Node's parser sees them (docs/decisions/repeated-heads.md). */
export function readRepeatedHeads(server: Server, parts: HeadParts): RepeatedHeads {
  const heads = new LRUCache<string, RequestFacts>({
    maxSize: maxMemory,
    sizeCalculation: (_, head) => 500 + 2 * head.length,
  });
  const connections = new WeakMap<Socket, Connection>();
  const waiting = new Set<Socket>();
  const shared = { ...parts, server, heads, waiting };
  return {
    add({ socket }, facts) {
      const connection = connections.get(socket);
      if (connection === undefined) connections.set(socket, new Connection(socket, shared));
      else connection.add(facts);
    },
    noteRead: (message) => connections.get(message.socket)?.noteRead(message),
    async whenIdle() {
      while ([...waiting].some((socket) => !socket.destroyed)) await setTimeout(5);
    },
  };
}

/** What all connections use. */
interface Shared extends HeadParts {
  server: Server;
  heads: LRUCache<string, RequestFacts>;
  /** Those with a request that is being answered. */
  waiting: Set<Socket>;
}

/** A connection on which a GET was answered that may be repeated. */
class Connection implements FastRequest {
  readonly message = undefined;
  readonly #socket: Socket;
  readonly #shared: Shared;
  /** Node's listener. */
  readonly #readByNode: (bytes: Buffer) => void;
  #isListening = false;
  /** Whether Node's parser certainly expects a new request. */
  #isAtBoundary = false;
  /** The head that Node is reading, and how many requests it has read of it. */
  #head: string | undefined;
  #requests = 0;
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

  /** Stores the facts by the head that Node has just read, or begins to listen for the next one. */
  add(facts: RequestFacts): void {
    if (!this.#isListening) this.#listen();
    else if (this.#isAtBoundary && this.#head !== undefined) this.#shared.heads.set(this.#head, facts);
  }

  noteRead(message: IncomingMessage): Outcome | undefined {
    if (isBare(message)) this.#requests++;
    // Only Node's parser finds the end of its body.
    else this.#leaveToNode();
    return this.#outcome;
  }

  /** Replaces Node's listener. Node's parser reads the socket directly until there is another listener. */
  #listen(): void {
    this.#isListening = true;
    this.#isAtBoundary = false;
    this.#socket.off("data", this.#readByNode);
    this.#socket.on("data", this.#read);
  }

  #leaveToNode(): void {
    if (!this.#isListening) return;
    this.#isListening = false;
    this.#socket.off("data", this.#read);
    this.#socket.on("data", this.#readByNode);
  }

  readonly #read = (bytes: Buffer): void => {
    const text = shortGet(bytes);
    const facts = text !== undefined && this.#isIdle() ? this.#shared.heads.get(text) : undefined;
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
    const last = this.#shared.exchanges.get(this.#socket);
    return this.#isAtBoundary && last?.response?.closed !== false && this.#socket.writableLength === 0;
  }

  /** Lets Node read bytes. */
  #handToNode(bytes: Buffer, text: string | undefined): void {
    const isHead = text !== undefined && oneHead.test(text);
    // Before Node reads a CONNECT, which ends its own listening.
    if (!isHead) this.#leaveToNode();
    this.#head = isHead ? text : undefined;
    this.#requests = 0;
    this.#readByNode(bytes);
    this.#head = undefined;
    // Node has read exactly one request since, and it ended with these bytes.
    if (this.#requests === 1) this.#isAtBoundary = isHead;
    else this.#leaveToNode();
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
        onceSent(action) {
          const end = () => {
            socket.off("drain", end).off("close", end);
            action();
          };
          socket.on("drain", end).on("close", end);
        },
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
      this.#handToNode(bytes, shortGet(bytes));
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

/** The text of a short chunk that begins like a GET. */
function shortGet(bytes: Buffer): string | undefined {
  return bytes.length <= maxHeadBytes && bytes[0] === letterG ? bytes.toString("latin1") : undefined;
}

const letterG = "G".charCodeAt(0);

/** Only heads with large cookies are longer. */
const maxHeadBytes = 2_048;

/** One whole head and nothing else (RFC 9112 §2.1). All line ends are CR LF: parsers disagree on others. */
const oneHead = /^GET [^\r\n]+ HTTP\/1\.1\r\n(?:[^\r\n]+\r\n)+\r\n$/;

/** Bytes of all stored heads: some 5,000. */
const maxMemory = 4 * 1024 * 1024;
