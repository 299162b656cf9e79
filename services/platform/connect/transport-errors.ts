import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";

/**
 * Turns transport errors into Unavailable: a connection that broke (the library maps some errors of Node and reports others,
 * such as EPIPE, as Internal), and a reply that no service of ours wrote: not HTTP, an HTML page, another message. Internal is
 * left for the errors that a service reports itself.
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

/** Over Connect the error of a service is JSON, and the headers of the reply come with the error. */
function isFromService({ metadata }: ConnectError): boolean {
  return metadata.get("content-type")?.startsWith("application/json") ?? false;
}
