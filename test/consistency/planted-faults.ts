import type { CacheParts } from "../../gateway/cache/kept-reads.ts";
import { type LeasedValues, leased } from "../../services/platform/redis/leased-values.ts";
import type { SocialConfig } from "../../services/social/config.ts";
import type { Freshness } from "../../services/social/freshness.ts";

/** Three ways to get the protocol of design §5 wrong that look right. */
export const plantedFaults = [
  "set without a lease",
  "join the current flight",
  "acknowledge without the drop",
] as const;
export type PlantedFault = (typeof plantedFaults)[number];

/** A gateway's cache with this fault in it; undefined for a sound one. */
export function plantedParts(fault: PlantedFault | undefined, freshnessMs: number): CacheParts | undefined {
  if (fault === "set without a lease") {
    return { kept: (sound) => withoutLease(sound, freshnessMs), tokenReader: (sound) => sound };
  }
  if (fault === "join the current flight") return { kept: (sound) => sound, tokenReader: joiningFlights };
  return undefined;
}

/** A social service that drops nothing before it acknowledges, though it says so; undefined for a sound one. */
export function plantedFreshness(fault: PlantedFault | undefined, config: SocialConfig): Freshness | undefined {
  if (fault !== "acknowledge without the drop") return undefined;
  return { keepMs: config.freshnessMs, announce: async () => {}, close() {} };
}

/** Nobody holds a lease, and a value is put there whatever has happened since it was read. */
function withoutLease(sound: LeasedValues, ms: number): LeasedValues {
  return {
    read: async (keys) => (await sound.read(keys)).map((value) => (value === leased ? undefined : value)),
    lease: async (keys) => keys.map(() => "none"),
    async fill(values) {
      const keys = values.map(({ key }) => key);
      await sound.drop(keys);
      const leases = await sound.lease(keys, ms);
      await sound.fill(values.map((value, index) => ({ ...value, lease: leases[index] ?? "" })));
    },
    drop: (keys) => sound.drop(keys),
  };
}

/** Readers take the answer of a question that was under way before they came. */
const joiningFlights: CacheParts["tokenReader"] = (sound) => {
  const underWay = new Map<string, Promise<string>>();
  return (key) => {
    const current = underWay.get(key) ?? sound(key).finally(() => underWay.delete(key));
    underWay.set(key, current);
    return current;
  };
};
