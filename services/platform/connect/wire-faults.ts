import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";

/**
 * Makes what went wrong between us and a service Unavailable: a connection that broke (the library knows some errors of
 * Node and takes others, such as EPIPE, for Internal), and a reply that is none of a service's: no HTTP, a page, another
 * message. Internal is left for what a service says of itself.
 */
export function nameWireFaults(): Interceptor {
  return (next) => async (request) => {
    try {
      return await next(request);
    } catch (error) {
      if (!(error instanceof ConnectError) || !doubtful.includes(error.code) || isOwnWord(error)) throw error;
      throw new ConnectError(error.rawMessage, Code.Unavailable, undefined, undefined, error);
    }
  };
}

const doubtful = [Code.Internal, Code.Unknown];

/** Over Connect a service's error is JSON, and its headers come with the error. */
function isOwnWord({ metadata }: ConnectError): boolean {
  return metadata.get("content-type")?.startsWith("application/json") ?? false;
}
