import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import pg from "pg";
import type { SecretsConfig } from "./config.ts";

/**
 * Makes the secrets of a system in containers, each in the folder of the process that may read it. Existing ones stay: the
 * database knows the passwords, and a token that the operator wrote into `account/` is copied to the other folders.
 */
export function makeSecrets({ folder, databaseHost, databaseName }: SecretsConfig): void {
  const urlOf = (role: string, password: string, database = databaseName) =>
    `postgres://${role}:${password}@${databaseHost}/${database}`;

  const adminPassword = readOrMake(join(folder, "postgres/password"));
  write(join(folder, "database/admin-url"), urlOf("postgres", adminPassword, "postgres"));
  for (const role of ["account", "social"]) {
    const password = readOrMake(join(folder, `database/${role}-password`));
    write(join(folder, `database/${role}-url`), urlOf(role, password));
    write(join(folder, `${role}/database-url`), urlOf(role, password));
  }

  const token = readOrMake(join(folder, "account/service-token"));
  for (const holder of ["social", "gateway", "operator"]) write(join(folder, `${holder}/service-token`), token);
}

/** 256 bits, in characters that need no escaping in a URL. */
function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

function readOrMake(file: string): string {
  if (!existsSync(file)) write(file, newSecret());
  return readFileSync(file, "utf8").trim();
}

/**
 * Writes a file atomically, also when this process is killed. All users may read it, since user ids differ between
 * containers: only the containers that may know the secret mount its folder.
 */
function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, `${text}\n`, { mode: 0o444 });
  renameSync(`${file}.new`, file);
}

/**
 * Makes the databases and the roles that the services' URLs name, where they are missing, and gives the roles the passwords
 * of these URLs. The roles may create schemas there and nothing else; each service owns what it creates, so neither reads
 * the other's tables, and no other role may connect.
 */
export async function prepareDatabases(adminUrl: string, serviceUrls: readonly string[]): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    for (const url of serviceUrls) {
      const { username, password, pathname } = new URL(url);
      const [role, secret, database] = [username, password, pathname.slice(1)].map(decodeURIComponent) as Place;
      await giveRole(admin, role, secret);
      await giveDatabase(admin, role, database);
    }
  } finally {
    await admin.end();
  }
}

type Place = [role: string, password: string, database: string];

async function giveRole(admin: pg.Client, role: string, password: string): Promise<void> {
  const { rowCount } = await admin.query("select from pg_roles where rolname = $1", [role]);
  const verb = rowCount === 0 ? "create" : "alter";
  await admin.query(`${verb} role ${pg.escapeIdentifier(role)} login password ${pg.escapeLiteral(password)}`);
}

async function giveDatabase(admin: pg.Client, role: string, database: string): Promise<void> {
  const name = pg.escapeIdentifier(database);
  const { rowCount } = await admin.query("select from pg_database where datname = $1", [database]);
  if (rowCount === 0) await admin.query(`create database ${name}`);
  await admin.query(`revoke all on database ${name} from public`);
  await admin.query(`grant connect, create, temporary on database ${name} to ${pg.escapeIdentifier(role)}`);
}
