import { publish, register } from "../support/people.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";
import type { FuzzTarget, KnownWords } from "./fuzz-http.ts";
import { knownPassword, knownSession, knownStatus } from "./texts.ts";

/** A system of our own to fuzz. */
export interface FuzzedSystem extends FuzzTarget, Pick<TestSystem, "stop" | "database"> {
  known: KnownWords;
}

/** No load shedding and long deadlines, since a busy machine is slow. */
const slowMachineSettings = { MAX_EVENT_LOOP_DELAY_MS: "0", SERVICE_TIMEOUT_MS: "60000" };

/** The number of users of a batch: several, so that others stay when one signs out or deletes the account. */
const usersPerBatch = 4;

/** Starts the whole system in this process; its log is checked and dropped after each batch. */
export async function startFuzzedSystem(settings: NodeJS.ProcessEnv = {}): Promise<FuzzedSystem> {
  const system = await startTestSystem({ LOG_LEVEL: "info", ...slowMachineSettings, ...settings });
  const defects: string[] = [];
  const secrets = new Set([knownPassword]);
  const status = await publish(system, await register(system, "walter"));
  await register(system, "bob");
  const sessions: string[] = [];
  let [users, asked] = [0, 0];

  const known: KnownWords = {
    fill({ target, headers, body, ...rest }) {
      const session = sessions[asked++ % sessions.length] as string;
      const fill = (text: string) => text.replaceAll(knownSession, session).replaceAll(knownStatus, `${status.id}`);
      const filled = body.includes(knownStatus) ? Buffer.from(fill(body.toString())) : body;
      return {
        ...rest,
        target: fill(target),
        headers: headers.map(([name, value]) => [name, fill(value)]),
        body: filled,
      };
    },
    note({ body }) {
      const [, id] = /"sessionId":"([\w-]{20,})"/.exec(body.toString("latin1")) ?? [];
      if (id !== undefined) secrets.add(id);
    },
    async renew() {
      secrets.clear();
      secrets.add(knownPassword);
      for (let index = 0; index < usersPerBatch; index++) {
        const form = { userName: `user${users++}`, password: knownPassword, autoLogin: true };
        sessions[index] = (await system.clients.account.registration(form)).sessionId;
        secrets.add(sessions[index] as string);
      }
    },
  };
  await known.renew();
  return {
    url: system.url,
    deadlineMs: 60_000,
    database: system.database,
    known,
    checkLog() {
      const lines = system.logged.splice(0).map((line) => [line.level as number, JSON.stringify(line)] as const);
      const faulty = lines.filter(
        ([level, text]) => level >= 50 || [...secrets].some((secret) => text.includes(secret)),
      );
      defects.push(...faulty.map(([, text]) => text));
      if (defects.length > 0) throw new Error(`the log has ${defects.splice(0).slice(0, 3).join("\n    ")}`);
    },
    stop: () => system.stop(),
  };
}
