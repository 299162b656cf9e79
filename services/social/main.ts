import { runProcess } from "../platform/lifecycle.ts";
import { createLog } from "../platform/log.ts";
import { loadConfig } from "./config.ts";
import { startSocial } from "./service.ts";

const config = loadConfig();
const log = createLog("social", config.logLevel);
await runProcess(log, () => startSocial(config, log));
