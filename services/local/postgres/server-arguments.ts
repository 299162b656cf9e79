/** The server's settings. On the command line, so that a home stores none and an upgrade of ours changes them. */
export function serverArguments(dataPath: string, launchMark: string, durable: boolean): string[] {
  return ["-D", dataPath, ...[...settings, ...(durable ? [] : fast), launchMark].flatMap((setting) => ["-c", setting])];
}

const settings = [
  // No network; the socket lies in the data directory, which only the server's user may enter.
  "listen_addresses=",
  "port=5432",
  "unix_socket_directories=.",
  "unix_socket_permissions=0700",
  "max_connections=100",
  "shared_buffers=64MB",
  "max_wal_size=256MB",
  "timezone=UTC",
  // Compiling a query takes longer than running any of ours.
  "jit=off",
  "log_timezone=UTC",
  "log_destination=stderr",
  "logging_collector=off",
  // Failed statements stay out: the client gets their errors, they quote people's data, and the file would grow.
  "log_min_messages=log",
  "log_checkpoints=off",
];

// For tests, of which several share the server. The last setting of a name counts.
const fast = [
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "max_connections=300",
  // No test has replicas of such a server.
  "wal_level=minimal",
  "max_wal_senders=0",
  // It would start a process for each database every minute.
  "autovacuum=off",
];
