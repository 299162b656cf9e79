// Bare node:http: sends the recorded reply of each request, and nothing else. Run with the file of the recording.
import { createServer, type ServerResponse } from "node:http";
import { requestKey } from "../load/load.ts";
import { serveBaseline } from "./baseline.ts";
import { readRecording } from "./recording.ts";

const recording = readRecording(process.argv[2] as string);

serveBaseline(
  createServer((request, response) => {
    const path = request.url as string;
    if (request.method === "GET") return send(response, path);
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => send(response, requestKey(path, Buffer.concat(chunks).toString())));
  }),
);

function send(response: ServerResponse, key: string): void {
  const reply = recording.get(key);
  if (reply === undefined) response.writeHead(404).end();
  else response.writeHead(reply.status, reply.headers).end(reply.body);
}
