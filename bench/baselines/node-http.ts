// Bare node:http: sends the recorded reply of each path, and nothing else. Run with the file of the recording.
import { createServer } from "node:http";
import { readRecording } from "./recording.ts";
import { serveBaseline } from "./serve-baseline.ts";

const recording = readRecording(process.argv[2] as string);

serveBaseline(
  createServer((request, response) => {
    const reply = recording.get(request.url as string);
    if (reply === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(reply.status, reply.headers).end(reply.body);
  }),
);
