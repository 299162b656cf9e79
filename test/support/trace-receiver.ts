import http from "node:http";
import { listen, stopListening } from "./listen.ts";

/** A span in OTLP's JSON, with the name of its process. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Empty for the root of a trace. */
  parentSpanId?: string;
  name: string;
  /** 2 for a server's span, 3 for a client's. */
  kind: number;
  attributes: { key: string; value: Record<string, unknown> }[];
  status: { code: number };
  process: string;
}

/** An OTLP receiver on loopback that stores what it gets. */
export interface TraceReceiver {
  url: string;
  spans: ReceivedSpan[];
  /** All request bodies. */
  bodies: string[];
  /** Answers with this status from now on. */
  answer(status: number): void;
  /** The number of batches refused so far. */
  refused(): number;
  stop(): Promise<void>;
}

interface ExportRequest {
  resourceSpans: {
    resource: { attributes: ReceivedSpan["attributes"] };
    scopeSpans: { spans: Omit<ReceivedSpan, "process">[] }[];
  }[];
}

export async function startTraceReceiver(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  let status = 200;
  let refused = 0;
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (request.method === "POST" && request.url === "/v1/traces" && status === 200) {
        const body = Buffer.concat(chunks).toString();
        bodies.push(body);
        for (const { resource, scopeSpans } of (JSON.parse(body) as ExportRequest).resourceSpans) {
          const name = resource.attributes.find(({ key }) => key === "service.name")?.value.stringValue;
          for (const span of scopeSpans.flatMap((scope) => scope.spans)) spans.push({ ...span, process: `${name}` });
        }
      }
      if (status !== 200) refused++;
      response.writeHead(status, { "content-type": "application/json" }).end("{}");
    });
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    bodies,
    refused: () => refused,
    answer: (next) => void (status = next),
    stop: () => stopListening(server),
  };
}
