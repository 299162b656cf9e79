import { runProcess } from "../services/platform/lifecycle.ts";
import { createLog } from "../services/platform/log.ts";
import { loadConfig } from "./config.ts";
import { startGateway } from "./server.ts";

const config = loadConfig();
const log = createLog("gateway", config.logLevel);
await runProcess(log, () => startGateway(config, log));
