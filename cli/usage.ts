/** What the operator's tool prints about itself. */
export const usage = `Usage: npm run import -- FILE…
       npm run import -- FILE… --as USER [--dry-run]
       npm run import -- --undo JOB [--dry-run]
       npm run export -- USER [FILE]
       npm run verify

import FILE… takes over users and statuses from JSON files in the shape of Twitter API v1.1:
a list of statuses or users, or {"statuses": […]}, {"users": […]}, {"results": […]}.
A later file wins over an earlier one. Running an import again changes nothing.

With --as, FILE is somebody's archive: X (zip), Mastodon (zip, tar.gz), or API v1.1. All of its statuses
go to the account USER, whoever the file names. Direct and followers-only posts are left out and counted.
Each file is a job, named in the first line; the same command again goes on where it was stopped.
--undo removes what a job added, and nothing else. --dry-run only says what would happen.

export writes a user's timeline in the shape of API v1.1, to FILE or to standard output
(there by npm run --silent export -- USER, since npm itself writes two lines before).

verify recounts every counter of profiles and statuses, names each that is wrong, and changes nothing.

Settings (environment):
  ACCOUNT_URL    the account service, http://127.0.0.1:4001 by default
  SOCIAL_URL     the social service, http://127.0.0.1:4002 by default
  SERVICE_TOKEN  needed when the services run on another machine

Exit code: 0 when all went well, 1 when something was refused, failed or is wrong, 2 for a wrong call.
`;
