// `npm run contract -- URL`: judges the implementation of the contract at URL. The last line is `N passed, N failed`.
import { loadCases } from "./load-cases.ts";
import { type CaseResult, runTopic } from "./run-topic.ts";

const [url] = process.argv.slice(2);
if (url === undefined || !/^https?:\/\//.test(url) || !URL.canParse(url)) {
  console.error("The base URL of an implementation is needed: npm run contract -- http://127.0.0.1:8080");
  process.exit(2);
}

const base = new URL(url);
const all: CaseResult[] = [];
const topics = loadCases();
for (const section of new Set(topics.map((topic) => topic.section))) {
  const results: CaseResult[] = [];
  for (const topic of topics.filter((candidate) => candidate.section === section)) {
    const ofTopic = await runTopic(base, topic);
    report(`${section}, ${topic.name}`, ofTopic);
    results.push(...ofTopic);
  }
  console.log(`§${section}: ${count(results)}`);
  all.push(...results);
}
console.log(count(all));
process.exitCode = all.some(({ failure }) => failure !== undefined) || all.length === 0 ? 1 : 0;

function report(topic: string, results: CaseResult[]): void {
  for (const { title, open, failure } of results) {
    if (failure === undefined) continue;
    const known = open === undefined ? "" : `\n  known of this project's own system: ${open}`;
    console.log(`FAILED §${topic}: ${title}${known}\n  ${failure.replaceAll("\n", "\n  ")}`);
  }
}

function count(results: CaseResult[]): string {
  const failed = results.filter(({ failure }) => failure !== undefined).length;
  return `${results.length - failed} passed, ${failed} failed`;
}
