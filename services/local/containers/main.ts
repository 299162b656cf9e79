import { loadSample } from "../load-sample.ts";
import { readDatabaseConfig, readSampleConfig, readSecretsConfig, readTask } from "./config.ts";
import { makeSecrets, prepareDatabases } from "./tasks.ts";

/** The tasks that run once, each in a container of its own: `main.ts secrets|database|sample`. */
const tasks: Record<string, () => unknown> = {
  secrets: () => makeSecrets(readTask(readSecretsConfig)),
  database: () => {
    const { adminUrl, serviceUrls } = readTask(readDatabaseConfig);
    return prepareDatabases(adminUrl, serviceUrls);
  },
  sample: () => loadSample(readTask(readSampleConfig), false, (line) => console.error(line)),
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
