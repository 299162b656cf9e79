import pg from "pg";

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
