import type { Client } from "@connectrpc/connect";
import type { SessionService } from "../../../proto/gen/account/v1/session_service_pb.ts";
import type { FreshnessService } from "../../../proto/gen/social/v1/freshness_service_pb.ts";
import { isViewerKey, sessionHashOf, viewerIdOf } from "../../../services/platform/redis/freshness-key.ts";
import type { ListTokens } from "./token-source.ts";

/** The services that give tokens. */
export interface TokenServices {
  freshness: Pick<Client<typeof FreshnessService>, "listTokens">;
  sessions: Pick<Client<typeof SessionService>, "listSessionTokens">;
}

/** Lists the tokens of authors and viewers. */
export function listUserTokens({ freshness }: TokenServices): ListTokens {
  return async (subjectKeys, announced = [], timeoutMs) => {
    if (!subjectKeys.some(isViewerKey)) {
      // Without copies: without Redis each request makes this call.
      const request = { screenNames: subjectKeys as string[], announcedTokens: announced as string[] };
      return freshness.listTokens(request, { timeoutMs });
    }
    const viewers = subjectKeys.map(viewerIdOf);
    const whereAuthor = (_: unknown, index: number) => viewers[index] === undefined;
    const whereViewer = (_: unknown, index: number) => viewers[index] !== undefined;
    const request = {
      screenNames: subjectKeys.filter(whereAuthor),
      announcedTokens: announced.filter(whereAuthor),
      viewerIds: viewers.filter((id) => id !== undefined),
      announcedViewerTokens: announced.filter(whereViewer),
    };
    const { tokens, viewerTokens, keepMs, tick } = await freshness.listTokens(request, { timeoutMs });
    const [ofAuthors, ofViewers] = [tokens.values(), viewerTokens.values()];
    // An older service gives no tokens of viewers.
    const inOrder = viewers.map((viewer) => (viewer === undefined ? ofAuthors : ofViewers).next().value ?? "");
    return { tokens: inOrder, keepMs, tick };
  };
}

/** Lists the tokens of sessions. */
export function listSessionTokens({ sessions }: TokenServices): ListTokens {
  return (subjectKeys, announced = [], timeoutMs) =>
    sessions.listSessionTokens(
      { idHashes: subjectKeys.map(sessionHashOf), announcedTokens: [...announced] },
      { timeoutMs },
    );
}
