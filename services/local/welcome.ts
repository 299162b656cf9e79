/** The text of `npm start -- --help`. */
export const usage = `Usage: npm start
       npm start -- --empty     without the sample data, on the first start
       ROOST_HOME=/tmp/other GATEWAY_PORT=8090 ACCOUNT_PORT=4011 SOCIAL_PORT=4012 npm start
                                a second system beside the first

Starts the whole system on this machine: Postgres, Redis where there is a redis-server, and the three processes. Its data is
in .roost (ROOST_HOME); delete that folder to start anew. Ctrl-C, or SIGTERM, stops it.

docs/operations.md lists all settings.`;

/** What `npm start` prints when everything is ready: commands to try, and the address. Without the sample data there is no user to read yet. */
export function welcome(url: string, hasSample: boolean): string {
  const reads = hasSample ? [`curl ${url}/social/lighthouse`, `curl '${url}/social/lighthouse/timelines?take=3'`] : [];
  return `
To try:
${reads.map((command) => `  ${command}\n`).join("")}  curl -d '{"userName":"you","password":"correct horse"}' ${url}/register

ready ${url}`;
}
