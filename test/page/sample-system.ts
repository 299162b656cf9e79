import { importFiles } from "../../cli/import/import-files.ts";
import { memorySource } from "../../cli/import/memory-source.ts";
import { connectServices } from "../../cli/import/services.ts";
import { readSample } from "../../services/local/sample/read-sample.ts";
import { share } from "../support/share.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";

/** The whole system with the sample data, for tests that only read. */
export const sampleSystem = share(startSampleSystem, (system) => system.stop());

async function startSampleSystem(): Promise<TestSystem> {
  const system = await startTestSystem();
  const { accountUrl, socialUrl } = system;
  const services = connectServices({ accountUrl, socialUrl, serviceTokens: [] });
  const { users, statuses } = readSample(system.url);
  const refusals: string[] = [];
  const reporter = { refused: (place: string, why: string) => refusals.push(`${place}: ${why}`), progress: () => {} };
  try {
    await importFiles(services.clients, [memorySource("sample", [...users, ...statuses])], reporter, {
      origin: "sample",
    });
  } finally {
    services.close();
  }
  if (refusals.length > 0) throw new Error(`the sample data was not imported whole: ${refusals[0]}`);
  return system;
}
