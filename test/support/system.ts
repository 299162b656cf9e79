import { loadConfig } from "../../gateway/config.ts";
import { startGateway } from "../../gateway/server.ts";
import { startTestServices, type TestServices } from "./services.ts";

export interface TestSystem extends TestServices {
  /** The gateway's address. */
  url: string;
}

/** The whole system in this process: both services and the gateway, on free ports and a database of its own. */
export async function startTestSystem(settings: NodeJS.ProcessEnv = {}): Promise<TestSystem> {
  const services = await startTestServices(settings);
  const env = { ACCOUNT_URL: services.accountUrl, SOCIAL_URL: services.socialUrl, GATEWAY_PORT: "0", ...settings };
  const gateway = await startGateway(loadConfig(env), services.log);
  return {
    ...services,
    url: gateway.url,
    async stop() {
      await gateway.close();
      await services.stop();
    },
  };
}
