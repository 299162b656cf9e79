// Starts Postgres from a process of its own, with options as JSON: `main.ts '{"home":"…"}'`. Prints its pid and URL, and then waits
// until it is killed.
import { type PostgresOptions, startPostgres } from "../../../services/local/postgres/start-postgres.ts";

const { pid, url } = await startPostgres(JSON.parse(process.argv[2] as string) as PostgresOptions);
console.log(JSON.stringify({ pid, url: url("postgres", "postgres") }));
