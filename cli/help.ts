/** The help of each command. */
export const help = {
  import: `Usage: npm run import -- FILE…
       npm run import -- FILE… --as USER [--dry-run]
       npm run import -- --undo JOB [--dry-run]

FILE… are JSON files in the shape of Twitter API v1.1, with users and statuses: a list of them, one in each line,
or {"statuses": […]}, {"users": […]}, {"results": […]}. A later file overrides an earlier one. A retweet becomes a
repost of the original. Running an import again changes nothing.

  --as USER    FILE is one person's archive of X (since 2012) or Mastodon, as zip, tar, tar.gz, folder or single
               file (tweets.js, outbox.json), or API v1.1. All of its statuses go to the account USER, whatever
               author the file names. Direct and followers-only posts are left out and counted. Each file is a
               job, named when it begins; run the same command again to continue.
  --undo JOB   removes what a job added, and nothing else.
  --dry-run    only prints what would happen.

Examples:
  npm run import -- my-statuses.json more.json
  npm run import -- twitter-archive.zip --as ann --dry-run
  npm run import -- --undo 1234567-0123456789abcdef0123456789abcdef
`,
  export: `Usage: npm run export -- USER [FILE]

Writes the timeline of USER in the shape of Twitter API v1.1 to FILE, or to standard output. npm itself writes two
lines to standard output first, unless it runs with --silent.

Examples:
  npm run export -- ann ann.json
  npm run --silent export -- ann | gzip >ann.json.gz
`,
  account: `Usage: npm run account -- COMMAND

The operator's commands on accounts. NAME is a user name or an e-mail address, in any case.

  list [--search TEXT] [--take N]     lists the newest accounts (100), or those whose name begins with TEXT, or its e-mail address
  show NAME                           shows one account: addresses, dates, sessions, suspension, open reports
  suspend NAME                        hides a user, refuses the user's writes and signs them out; deletes nothing
  reinstate NAME                      ends a suspension: all is as before
  reports, reports show ID            lists the open reports of users; shows one of them
  reports close ID                    closes a report
  reset-password NAME [--stdin]       prints a new password, or takes the first line of standard input; ends all sessions
  claim NAME [--stdin] [--email A]    gives an imported user an account: a first password, as reset-password does
  sessions NAME [--end]               lists the user's sessions; --end signs them out everywhere
  verify NAME, unverify NAME          sets whether the profile shows that you have checked who this is
  delete NAME [--yes]                 deletes the account and everything that the user wrote; asks first, unless --yes
  invite make [--uses N] [--days N]   prints an invitation, for SIGN_UP=invite: by default for one account within 14 days
  invite list, invite revoke ID       lists the invitations that have not expired; ends one before its time

Secrets are printed alone on standard output, and never taken as an argument. npm itself writes two lines there
first, unless it runs with --silent.

Examples:
  npm run account -- list --search ann
  npm run account -- suspend ann
  npm run account -- reset-password ann
  npm run account -- reset-password ann --stdin <password.txt
  npm run account -- claim ann --email ann@example.org
  npm run --silent account -- invite make --uses 20 --days 30
`,
  verify: `Usage: npm run verify [-- --repair]

Recounts every counter of profiles and statuses, and names each that is wrong. Then compares accounts with profiles, and names
each user who has only one of them, has two names, or was deleted on one side. Changes nothing without --repair.

  --repair     makes the profiles that accounts lack, and finishes deletions that only one side has seen. What remains is
               for you: counters, names, and profiles without an account, whose password nobody knows.

Examples:
  npm run verify -- --repair
  SOCIAL_URL=http://127.0.0.1:5002 npm run verify
`,
};

/** A name of a command. */
export type Command = keyof typeof help;

/** The help of the tool. */
export const overview = `Roost's tool: imports, exports and verifies users and statuses of a running system, and manages accounts.

Usage:
  npm run import -- FILE…                 users and statuses from JSON files
  npm run import -- FILE… --as USER       one person's archive, into one account
  npm run import -- --undo JOB            removes what such an import added
  npm run export -- USER [FILE]           a user's timeline as JSON
  npm run verify                          recounts every counter, and compares accounts with profiles
  npm run account -- COMMAND              users, suspensions, reports, passwords, invitations: for operators

Each has its own --help, such as npm run import -- --help.

Settings (environment; without any the tool calls the system of \`npm start\`):
  ACCOUNT_URL    the account service, http://127.0.0.1:4001 by default, or with the port of ACCOUNT_PORT
  SOCIAL_URL     the social service, http://127.0.0.1:4002 by default, or with the port of SOCIAL_PORT
  SERVICE_TOKEN  needed when the services run on another machine

Exit code: 0 when all went well, 1 when something was refused, failed or is wrong, 2 for wrong arguments,
130 after Ctrl-C.
`;
