import { runProcess } from "../platform/lifecycle.ts";
import { loadConfig } from "./config.ts";
import { startSocial } from "./service.ts";

await runProcess("social", loadConfig, startSocial);
