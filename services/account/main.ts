import { runProcess } from "../platform/lifecycle.ts";
import { createLog } from "../platform/log.ts";
import { loadConfig } from "./config.ts";
import { startAccount } from "./service.ts";

const config = loadConfig();
const log = createLog("account", config.logLevel);
await runProcess(log, () => startAccount(config, log));
