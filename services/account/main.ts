import { runProcess } from "../platform/lifecycle.ts";
import { loadConfig } from "./config.ts";
import { startAccount } from "./service.ts";

await runProcess("account", loadConfig, startAccount);
