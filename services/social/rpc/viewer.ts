import type { HandlerContext } from "@connectrpc/connect";

/**
 * On whose behalf a read is made, from the header `roost-viewer` that the gateway sets for a signed-in caller; undefined
 * for nobody. Only callers that the service admits can set it.
 */
export function viewerOf(call: Pick<HandlerContext, "requestHeader">): bigint | undefined {
  const text = call.requestHeader.get("roost-viewer");
  return text !== null && /^[1-9]\d{0,15}$/.test(text) ? BigInt(text) : undefined;
}
