// Bare Fastify: one handler that sends the recorded reply of the path. Run with the file of the first recording.
import Fastify from "fastify";
import { type Recording, readRecording } from "./recording.ts";
import { serveBaseline } from "./serve-baseline.ts";

let replies = repliesOf(readRecording(process.argv[2] as string));

const app = Fastify({ routerOptions: { maxParamLength: 48 * 1024 } });
app.get("/*", (request, reply) => {
  const recorded = replies.get(request.raw.url as string);
  if (recorded === undefined) return reply.code(404).send();
  const { status, fields, body } = recorded;
  return reply
    .code(status)
    .headers(fields)
    .send(status === 304 ? undefined : body);
});

await app.ready();
serveBaseline(app.server, (next) => (replies = repliesOf(next)));

function repliesOf(recording: Recording) {
  return new Map(
    [...recording].map(([path, { status, headers, body }]) => {
      const names = headers.filter((_, index) => index % 2 === 0);
      const fields = Object.fromEntries(names.map((name, index) => [name, headers[index * 2 + 1] as string]));
      return [path, { status, fields, body: Buffer.from(body) }];
    }),
  );
}
