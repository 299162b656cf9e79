// Starts the whole system with the settings of its first argument, serves a few requests, and prints which modules of
// OpenTelemetry were loaded on the way, as a JSON list.
import Module from "node:module";
import { startTestSystem } from "../support/system.ts";

const system = await startTestSystem(JSON.parse(process.argv[2] ?? "{}") as NodeJS.ProcessEnv);
const person = JSON.stringify({ userName: "ann", password: "correct horse" });
const statuses = [(await fetch(`${system.url}/register`, { method: "POST", body: person })).status];
for (let round = 0; round < 3; round++) statuses.push((await fetch(`${system.url}/social/ann`)).status);
await system.stop();
if (statuses.some((status) => status !== 200)) throw new Error(`The system answered ${statuses}`);
const { _cache: cache } = Module as unknown as { _cache: Record<string, unknown> };
console.log(JSON.stringify(Object.keys(cache).filter((file) => file.includes("/@opentelemetry/"))));
