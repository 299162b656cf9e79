import { statSync } from "node:fs";

/** A way to run the server: the user, and how to become that user. */
export interface Identity {
  /** For messages. */
  name: string;
  /** What precedes the command. Each program in it execs the next one, so that the child's pid is the command's own. */
  prefix: readonly string[];
  /** For node's own spawn, where no prefix changes the user. */
  spawnAs?: Account;
  /** The owner that the data directory must have on disk: Postgres refuses any other. */
  account: Account;
  /** Whether the kernel ends the server when this process dies. If not, it needs a watchdog. */
  endsWithParent: boolean;
  /** Whether the server's user may lack access to the path of the home. */
  outside: boolean;
  /** Whether the server's user may lack access to the path of node_modules, and runs a copy. */
  fromCopy: boolean;
}

export interface Account {
  uid: number;
  gid: number;
}

/**
 * The identities to try, best first. Postgres refuses to run as root, so root becomes another user:
 * 1. in a user namespace, where root has the id 65534 and still has access to root's files;
 * 2. by setpriv, keeping the one capability that opens directories of mode 0700. Not dac_read_search: it adds nothing to
 *    dac_override, and containers do not have it;
 * 3. by node's own spawn, without any capability.
 * A folder that root shares with an ordinary user stays that user's: root then runs the server as that user.
 */
export function identities(folder: string): Identity[] {
  const we = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  if (we.uid !== 0) {
    // initdb looks up its user. One without an entry in passwd, as in containers, gets the id 65534 in a namespace.
    return [plain(we), inNamespace(we)].flatMap(withAndWithoutDeathSignal);
  }
  const owner = statSync(folder);
  const account = owner.uid === 0 ? unprivileged : { uid: owner.uid, gid: owner.gid };
  const namespaced = owner.uid === 0 ? [inNamespace(we)] : [];
  return [
    ...[...namespaced, bySetpriv(account)].flatMap(withAndWithoutDeathSignal),
    ...[bySpawn(account, false), bySpawn(account, true)].flatMap(withAndWithoutDeathSignal),
  ];
}

// 65534 is the user without privileges, but on macOS, where 1 (daemon) comes closest.
const unprivileged: Account = process.platform === "darwin" ? { uid: 1, gid: 1 } : { uid: 65534, gid: 65534 };

const ordinary = { prefix: [], endsWithParent: false, outside: false, fromCopy: false };

function plain(account: Account): Identity {
  return { ...ordinary, name: "as this user", account };
}

function inNamespace(account: Account): Identity {
  const prefix = ["unshare", "--user", "--map-user=65534", "--map-group=65534", "--"];
  return { ...ordinary, name: "in a user namespace", prefix, account };
}

function bySetpriv(account: Account): Identity {
  const user = ["--reuid", `${account.uid}`, "--regid", `${account.gid}`, "--clear-groups"];
  const capability = ["--inh-caps", "+dac_override", "--ambient-caps", "+dac_override"];
  // Postgres checks its own program with access(2), which otherwise disregards the capabilities of all but root.
  const lasting = ["--securebits", "+no_setuid_fixup"];
  const prefix = ["setpriv", ...user, ...lasting, ...capability, "--"];
  return { ...ordinary, name: "with one capability", prefix, account };
}

function bySpawn(account: Account, fromCopy: boolean): Identity {
  const name = fromCopy ? "without privileges, from a copy" : "without privileges";
  return { ...ordinary, name, spawnAs: account, account, outside: true, fromCopy };
}

// The signal is set last, since a change of the user clears it. Old versions of setpriv, and busybox's, lack it.
function withAndWithoutDeathSignal(identity: Identity): Identity[] {
  const prefix = [...identity.prefix, "setpriv", "--pdeathsig", "INT", "--"];
  return [{ ...identity, prefix, endsWithParent: true }, identity];
}
