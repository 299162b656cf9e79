import { runProcess } from "../services/platform/lifecycle.ts";
import { loadConfig } from "./config.ts";
import { startGateway } from "./server.ts";

await runProcess("gateway", loadConfig, startGateway);
