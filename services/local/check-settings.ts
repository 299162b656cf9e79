import { readConfig as readGateway } from "../../gateway/config.ts";
import { readConfig as readAccount } from "../account/config.ts";
import { ConfigurationError, type EnvironmentReader, listSettings, readEnvironment } from "../platform/environment.ts";
import { nearestWord } from "../platform/parse-options.ts";
import { readConfig as readSocial } from "../social/config.ts";

type Read = (read: EnvironmentReader) => unknown;

const processes: readonly Read[] = [readGateway, readAccount, readSocial];

/**
 * Checks the settings of all processes before any is started.
 * @param readLocal reads the launcher's own settings
 * @returns a sentence for each variable that looks like a misspelled setting
 * @throws ConfigurationError naming every faulty setting of every process
 */
export function checkSettings(environment: NodeJS.ProcessEnv, readLocal: Read): string[] {
  const faults = new Set<string>();
  for (const read of [readLocal, ...processes]) {
    try {
      // The launcher knows whether a database is configured; without one it starts its own.
      readEnvironment(read === readLocal ? environment : { DATABASE_URL: "postgres://embedded", ...environment }, read);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      for (const fault of error.faults) faults.add(fault);
    }
  }
  if (faults.size > 0) throw new ConfigurationError([...faults]);
  return misspelled(Object.keys(environment), [readLocal, ...processes]);
}

function misspelled(variables: readonly string[], reads: readonly Read[]): string[] {
  const settings = reads.flatMap((read) => listSettings(read));
  const known = new Set(settings.flatMap(({ names }) => names.flatMap((name) => [name, `${name}_FILE`])));
  // A short name is near to many words.
  const longNames = [...known].filter((one) => one.length >= 6);
  return variables.flatMap((name) => {
    if (known.has(name)) return [];
    const near = nearestWord(name, longNames);
    if (near !== undefined) return [`${name} is no setting. Is ${near} meant?`];
    return /^(?:ROOST|GATEWAY)_/.test(name) ? [`${name} is no setting (docs/operations.md lists them).`] : [];
  });
}
