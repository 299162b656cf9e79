import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { DescMethod, DescMethodStreaming, DescMethodUnary, DescService, Message } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";

const gen = join(import.meta.dirname, "../../proto/gen");

/** Every service of the contract, from the generated code, so that a new one needs no line here. */
const services: readonly DescService[] = await findServices();

/** Every RPC of the contract, gRPC's own for health and reflection included. */
export const rpcs: readonly DescMethod[] = services.flatMap((service) => service.methods);

/** Whether an RPC is one of gRPC's own, which both services serve to every caller. */
export function isGrpcs(method: DescMethod): boolean {
  return method.parent.typeName.startsWith("grpc.");
}

/** Makes a call; of a stream it reads the first answer, and leaves. */
export async function callRpc(
  transport: Transport,
  method: DescMethod,
  message: Message,
  header: Record<string, string> = {},
): Promise<unknown> {
  if (method.methodKind === "unary") {
    return transport.unary(method as DescMethodUnary, undefined, undefined, header, message);
  }
  const left = new AbortController();
  async function* once() {
    yield message;
  }
  try {
    const streaming = method as DescMethodStreaming;
    const { message: answers } = await transport.stream(streaming, left.signal, undefined, header, once());
    for await (const answer of answers) return answer;
    return undefined;
  } finally {
    left.abort();
  }
}

async function findServices(): Promise<DescService[]> {
  const files = readdirSync(gen, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith("_pb.ts"));
  const paths = files.toSorted().map((file) => join(gen, file));
  const modules = await Promise.all(paths.map((path) => import(pathToFileURL(path).href)));
  const exported = modules.flatMap((module): unknown[] => Object.values(module));
  return exported.filter((value): value is DescService => (value as { kind?: string }).kind === "service");
}
