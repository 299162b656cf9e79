import { allNames } from "../dataset/datasets.ts";
import { runAtOnce } from "../load/at-once.ts";
import { connections } from "../load/load.ts";
import { randomNumbers } from "../load/random-numbers.ts";
import { sendRequest } from "../load/send-request.ts";
import { NotSupported, type Row } from "../row.ts";
import { peakMemory } from "../system/processes.ts";
import { bearer, drawNames, registerViewer, type Viewer } from "./targets.ts";

const viewers = 600;

/** Each reply is another one, so that every cache of the gateway fills. */
export const memory: Row = {
  name: "memory",
  title: `${viewers} viewers look up random lists of 30 names`,
  unit: "MB of the gateway at most",
  floor: { atMost: 200 },
  isOnce: true,
  async prepare(side, { isLong, seconds: turn }) {
    // A kind of its own, so that no other row has used the gateway before.
    const { url, gatewayPid } = await side.system({
      hasDataset: true,
      settings: { PASSWORD_HASH_MEMORY_KIB: "8", PASSWORD_HASH_PASSES: "1" },
    });
    const all: Viewer[] = [];
    await runAtOnce(connections, { count: viewers }, async () => all.push(await registerViewer(url)));
    const random = randomNumbers(30);
    const seconds = isLong ? 480 : 10 * turn;
    return async () => {
      const { perSecond, p99 } = await runAtOnce(connections, { seconds }, async () => {
        const viewer = all[Math.floor(random() * viewers)] as Viewer;
        const { status } = await sendRequest(
          url,
          `/social/${drawNames(allNames, 30, random).join(",")}`,
          bearer(viewer),
        );
        if (status !== 200) throw new Error(`a lookup was answered ${status}`);
      });
      const value = peakMemory(gatewayPid());
      if (value === undefined) throw new NotSupported("there is no /proc");
      return { value, perSecond, p99 };
    };
  },
};
