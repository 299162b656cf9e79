import { loadSample } from "../load-sample.ts";
import { loadDatabaseConfig, loadSampleConfig, loadSecretsConfig } from "./config.ts";
import { makeSecrets, prepareDatabases } from "./tasks.ts";

/** The tasks that run once, each in a container of its own: `main.ts secrets|database|sample`. */
const tasks: Record<string, () => unknown> = {
  secrets: () => makeSecrets(loadSecretsConfig()),
  database: () => {
    const { adminUrl, serviceUrls } = loadDatabaseConfig();
    return prepareDatabases(adminUrl, serviceUrls);
  },
  sample: () => loadSample(loadSampleConfig(), false, (line) => console.error(line)),
};

try {
  const [name = ""] = process.argv.slice(2);
  const task = tasks[name];
  if (task === undefined) throw new Error(`There is no task "${name}": it is one of ${Object.keys(tasks).join(", ")}`);
  await task();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
