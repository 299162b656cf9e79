/** Where an operation answers by its name alone, the preferred path first: what ServiceStack clients call (contract §1). */
export const replyPrefixes = ["/json/reply", "/api", "/json/syncreply"] as const;

/** The same for clients that want no answer (contract §1). */
export const onewayPrefixes = ["/json/oneway", "/json/asynconeway"] as const;
