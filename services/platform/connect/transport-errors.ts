import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";

/**
 * Turns transport errors into Unavailable: a connection that broke (the library reports some errors of Node, such as EPIPE, as
 * Internal), and a reply that none of our services wrote: not HTTP, an HTML page, another message. Internal remains for errors
 * that a service itself reports.
 */
export function markTransportErrors(): Interceptor {
  return (next) => async (request) => {
    try {
      return await next(request);
    } catch (error) {
      if (!(error instanceof ConnectError) || !ambiguousCodes.includes(error.code) || isFromService(error)) throw error;
      throw new ConnectError(error.rawMessage, Code.Unavailable, undefined, undefined, error);
    }
  };
}

const ambiguousCodes = [Code.Internal, Code.Unknown];

/** Over Connect a service's error is JSON, and the error carries the reply's headers. */
function isFromService({ metadata }: ConnectError): boolean {
  return metadata.get("content-type")?.startsWith("application/json") ?? false;
}
