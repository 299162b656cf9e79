import * as assert from "uvu/assert";
import { importSample } from "../../services/local/load-sample.ts";
import { share } from "../support/shared-services.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";

/** The whole system with the sample data, for tests that only read. */
export const sampleSystem = share(startSampleSystem, (system) => system.stop());

async function startSampleSystem(): Promise<TestSystem> {
  const system = await startTestSystem();
  await importSample({ ...system, serviceTokens: [] }, (refusal) => assert.unreachable(refusal));
  return system;
}
