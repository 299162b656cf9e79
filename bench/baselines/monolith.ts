// A simple implementation as a reference: one process, Fastify, pg, JSON.stringify, no cache. Its queries and its JSON are the
// same as the system's. Run with the URL of the database.
import Fastify from "fastify";
import pg from "pg";
import { profileJson, statusJson } from "./monolith-json.ts";
import { profilesSql, timelineSql } from "./monolith-sql.ts";
import { serveBaseline } from "./serve-baseline.ts";

const pool = new pg.Pool({ connectionString: process.argv[2], max: 10 });
pool.on("error", () => {});
const app = Fastify({ routerOptions: { maxParamLength: 48 * 1024 } });

app.get<{ Params: { name: string }; Querystring: { take?: string; sinceId?: string; maxId?: string } }>(
  "/social/:name/timelines",
  async ({ params, query }, reply) => {
    const { take = "100", sinceId = "0", maxId = `${Number.MAX_SAFE_INTEGER}` } = query;
    const page = [params.name, sinceId, maxId, Math.min(Number(take), 200)];
    const { rows } = await pool.query({ name: "timeline", text: timelineSql, values: page });
    if (rows.length === 0) return reply.code(404).send({});
    const user = profileJson(rows[0]);
    const statuses = rows[0].status_id === null ? [] : rows;
    return reply
      .header("content-type", "application/json")
      .send(JSON.stringify({ results: statuses.map((row) => statusJson(row, user)) }));
  },
);

app.get<{ Params: { names: string } }>("/social/:names", async ({ params }, reply) => {
  const names = params.names.split(",").map((name) => name.toLowerCase());
  const { rows } = await pool.query({ name: "profiles", text: profilesSql, values: [names] });
  const byName = new Map(rows.map((row) => [row.screen_name.toLowerCase(), row]));
  const found = [...new Set(names)].flatMap((name) => byName.get(name) ?? []);
  const results = found.map((row) => ({
    ...profileJson(row),
    status: row.status_id === null ? undefined : statusJson(row, undefined),
  }));
  return reply.header("content-type", "application/json").send(JSON.stringify({ results }));
});

await app.ready();
serveBaseline(app.server);
