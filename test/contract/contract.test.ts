import * as assert from "uvu/assert";
import { suite } from "../support/suite.ts";
import { useSystem } from "../support/system.ts";
import { loadCases } from "./case-files.ts";
import { openTopic } from "./run-topic.ts";

const Contract = suite("contract");
const system = useSystem(Contract);
const topics = loadCases();

Contract("has at least 300 cases, and some for each section from 1 to 15", () => {
  assert.ok(topics.flatMap(({ cases }) => cases).length >= 300);
  assert.equal(
    [...new Set(topics.map(({ section }) => Number.parseInt(section, 10)))],
    Array.from({ length: 15 }, (_, index) => index + 1),
  );
});

for (const topic of topics) {
  let run: ReturnType<typeof openTopic> | undefined;
  for (const golden of topic.cases) {
    const title = `§${topic.section}, ${topic.name}: ${golden.title}`;
    if (golden.open !== undefined) {
      console.warn(`\n!!! SKIPPED, since the system is known to differ: ${title}: ${golden.open} !!!\n`);
      Contract.skip(title);
      continue;
    }
    Contract(title, async () => {
      run ??= openTopic(new URL(system.url), topic);
      await run(golden);
    });
  }
}

Contract.run();
