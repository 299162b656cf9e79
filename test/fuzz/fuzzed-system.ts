import { publish, register } from "../support/people.ts";
import { startTestSystem, type TestSystem } from "../support/system.ts";
import type { FuzzTarget, KnownWords } from "./fuzz-http.ts";
import { knownPassword, knownSession, knownStatus } from "./texts.ts";

export interface FuzzedSystem extends FuzzTarget, Pick<TestSystem, "stop" | "database"> {
  known: KnownWords;
}

/** No load shedding and long deadlines, since a busy machine is slow. */
const slowMachineSettings = { LOG_LEVEL: "info", MAX_EVENT_LOOP_DELAY_MS: "0", SERVICE_TIMEOUT_MS: "60000" };

/** The number of users of a batch: several, so that others stay when one signs out or deletes the account. */
const usersPerBatch = 4;

/** Starts the whole system in this process; its log is checked and dropped after each batch. */
export async function startFuzzedSystem(settings: NodeJS.ProcessEnv = {}): Promise<FuzzedSystem> {
  const system = await startTestSystem({ ...slowMachineSettings, ...settings });
  const secrets = new Set([knownPassword]);
  const status = await publish(system, await register(system, "walter"));
  await register(system, "bob");
  const sessions: string[] = [];
  let [users, asked] = [0, 0];

  const known: KnownWords = {
    fill({ target, headers, body, ...rest }) {
      const session = sessions[asked++ % sessions.length] as string;
      const fill = (text: string) => text.replaceAll(knownSession, session).replaceAll(knownStatus, `${status.id}`);
      return {
        ...rest,
        target: fill(target),
        headers: headers.map(([name, value]) => [name, fill(value)]),
        body: body.includes(knownStatus) ? Buffer.from(fill(body.toString())) : body,
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
      const isSecret = (text: string) => [...secrets].some((secret) => text.includes(secret));
      const lines = system.logged
        .splice(0)
        .map((line) => ({ level: line.level as number, text: JSON.stringify(line) }));
      const defects = lines.filter(({ level, text }) => level >= 50 || isSecret(text)).map(({ text }) => text);
      if (defects.length > 0) throw new Error(`the log has ${defects.slice(0, 3).join("\n    ")}`);
    },
    stop: () => system.stop(),
  };
}
