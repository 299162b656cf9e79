import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, type ConnectRouter } from "@connectrpc/connect";
import {
  ServerReflection,
  type ServerReflectionRequest,
  type ServerReflectionResponse,
  ServerReflectionResponseSchema,
} from "../../../proto/gen/grpc/reflection/v1/reflection_pb.ts";
import { ServerReflection as ServerReflectionAlpha } from "../../../proto/gen/grpc/reflection/v1alpha/reflection_pb.ts";
import { createSymbolIndex, type SymbolIndex } from "./symbol-index.ts";

/** Adds grpc.reflection.v1, and v1alpha for older tools, for all services that the router has by now and for itself. */
export function addReflection(router: ConnectRouter): void {
  const served = router.handlers.map((handler) => handler.service);
  const index = createSymbolIndex(new Set([...served, ServerReflection, ServerReflectionAlpha]));

  async function* serverReflectionInfo(requests: AsyncIterable<ServerReflectionRequest>) {
    for await (const request of requests) yield respond(index, request);
  }
  router.service(ServerReflection, { serverReflectionInfo });
  router.service(ServerReflectionAlpha, { serverReflectionInfo });
}

function respond(index: SymbolIndex, request: ServerReflectionRequest): ServerReflectionResponse {
  return create(ServerReflectionResponseSchema, {
    validHost: request.host,
    originalRequest: request,
    messageResponse: answer(index, request.messageRequest),
  });
}

type Question = ServerReflectionRequest["messageRequest"];
type Answer = NonNullable<MessageInitShape<typeof ServerReflectionResponseSchema>["messageResponse"]>;

function answer(index: SymbolIndex, question: Question): Answer {
  switch (question.case) {
    case "fileByFilename":
      return files(index.fileNamed(question.value));
    case "fileContainingSymbol":
      return files(index.fileOfSymbol(question.value));
    case "fileContainingExtension":
      return files(index.fileOfExtension(question.value.containingType, question.value.extensionNumber));
    case "allExtensionNumbersOfType":
      return extensions(question.value, index.extensionNumbers(question.value));
    case "listServices": {
      const service = index.serviceNames.map((name) => ({ name }));
      return { case: "listServicesResponse", value: { service } };
    }
    default:
      return failure(Code.InvalidArgument, "Nothing known was asked.");
  }
}

function files(fileDescriptorProto: Uint8Array[] | undefined): Answer {
  if (fileDescriptorProto === undefined) return failure(Code.NotFound, "There is no such file or symbol.");
  return { case: "fileDescriptorResponse", value: { fileDescriptorProto } };
}

function extensions(baseTypeName: string, extensionNumber: number[] | undefined): Answer {
  if (extensionNumber === undefined) return failure(Code.NotFound, "There is no such message.");
  return { case: "allExtensionNumbersResponse", value: { baseTypeName, extensionNumber } };
}

// Connect and gRPC have the same codes.
function failure(errorCode: Code, errorMessage: string): Answer {
  return { case: "errorResponse", value: { errorCode, errorMessage } };
}
