/** What `npm start` says when everything answers: where, and three commands to try. */
export function welcome(url: string): string {
  return `
Three things to try:
  curl ${url}/social/lighthouse
  curl '${url}/social/lighthouse/timelines?take=3'
  curl -d '{"userName":"you","password":"correct horse"}' ${url}/register

ready ${url}`;
}
