import { statSync } from "node:fs";

/** A way to run the server: as which user, and how that user is taken on. */
export interface Identity {
  /** For messages. */
  name: string;
  /** The words before the command; each replaces itself by the next, so that the child's pid is the command's own. */
  prefix: readonly string[];
  /** For node's own spawn, where no prefix changes the user. */
  spawnAs?: Account;
  /** Who must own the data directory, as the disk sees it. Postgres refuses any other. */
  account: Account;
  /** Whether the kernel ends the server when this process dies. If not, it needs a watchdog. */
  endsWithParent: boolean;
  /** Whether the server's user may be unable to walk the path to the home. */
  outside: boolean;
  /** Whether the server's user may be unable to walk the path to node_modules, and runs a copy. */
  fromCopy: boolean;
}

export interface Account {
  uid: number;
  gid: number;
}

/**
 * The ways worth trying, best first. Postgres refuses to run as root, so root takes on another user:
 * 1. in a user namespace, where root is called 65534 and yet reaches what root owns;
 * 2. by setpriv, keeping the one capability that opens directories of mode 0700. Not dac_read_search: it adds nothing to
 *    dac_override, and containers do not have it;
 * 3. by node's own spawn, which keeps nothing.
 * A folder that root shares with an ordinary user stays that user's: root then runs the server as that user.
 */
export function identities(folder: string): Identity[] {
  const we = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  if (we.uid !== 0) {
    // Initdb looks its user up: one without an entry in passwd, as containers have, borrows the name of 65534.
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

// 65534 is the user that owns nothing, everywhere but on macOS, where 1 (daemon) comes close.
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

// The signal is set last: the kernel forgets it when the user changes. Old versions of setpriv, and busybox's, lack it.
function withAndWithoutDeathSignal(identity: Identity): Identity[] {
  const prefix = [...identity.prefix, "setpriv", "--pdeathsig", "INT", "--"];
  return [{ ...identity, prefix, endsWithParent: true }, identity];
}
