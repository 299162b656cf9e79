// `npm run contract -- URL`: tests the implementation of the contract at URL. The last line is `N passed, N failed`.
import { readCommandLine, refuse } from "../../bench/command-line.ts";
import { loadCases } from "./case-files.ts";
import { type CaseResult, runTopic } from "./run-topic.ts";

const help = `usage: npm run contract -- URL

Tests the implementation of the contract at URL by every case of test/contract/cases. It registers new users there.

  npm run contract -- http://127.0.0.1:8080`;
const { positionals } = readCommandLine(help, { allowPositionals: true });
const [url = ""] = positionals;
if (positionals.length !== 1 || !/^https?:\/\//.test(url) || !URL.canParse(url)) {
  refuse(help, "The base URL of one implementation is needed.");
}

const base = new URL(url);
const all: CaseResult[] = [];
const topics = loadCases();
for (const section of new Set(topics.map((topic) => topic.section))) {
  const results: CaseResult[] = [];
  for (const topic of topics.filter((candidate) => candidate.section === section)) {
    const topicResults = await runTopic(base, topic);
    report(`${section}, ${topic.name}`, topicResults);
    results.push(...topicResults);
  }
  console.log(`§${section}: ${count(results)}`);
  all.push(...results);
}
console.log(count(all));
process.exitCode = all.some(({ failure }) => failure !== undefined) || all.length === 0 ? 1 : 0;

function report(topic: string, results: CaseResult[]): void {
  for (const { title, open, failure } of results) {
    if (failure === undefined) continue;
    const known = open === undefined ? "" : `\n  known difference of this project's own system: ${open}`;
    console.log(`FAILED §${topic}: ${title}${known}\n  ${failure.replaceAll("\n", "\n  ")}`);
  }
}

function count(results: CaseResult[]): string {
  const failed = results.filter(({ failure }) => failure !== undefined).length;
  return `${results.length - failed} passed, ${failed} failed`;
}
