import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from "node:http";

/**
 * A response whose headers have their usual names: Fastify gives them in small letters, and some clients, such as ServiceStack's for PHP,
 * look for them letter by letter.
 */
export class SpelledResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  override setHeader(name: string, value: number | string | readonly string[]): this {
    return super.setHeader(usualName(name), value);
  }

  override writeHead(status: number, ...rest: [(string | Headers)?, Headers?]): this {
    const [first, second] = rest.map((part) => (isByName(part) ? withUsualNames(part) : part)) as [string, Headers];
    return super.writeHead(status, first, second);
  }
}

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

// Lists are our own, and spelled.
function isByName(part: string | Headers | undefined): part is OutgoingHttpHeaders {
  return typeof part === "object" && !Array.isArray(part);
}

function withUsualNames(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [usualName(name), value]));
}

function usualName(name: string): string {
  return unusualNames.get(name) ?? name.replace(/(?<![^-])[a-z]/g, (letter) => letter.toUpperCase());
}

const unusualNames = new Map([
  ["etag", "ETag"],
  ["x-autobatch-completed", "X-AutoBatch-Completed"],
]);
