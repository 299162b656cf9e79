/** The absolute URL where a link leads: a bare host is taken for a web server, by http as every browser did. */
export function expandUrl(url: string): string {
  return /^https?:\/\//i.test(url) ? url : `http://${url}`;
}
