import {
  type DescMessage,
  type DescMethod,
  type DescMethodUnary,
  type DescService,
  fromBinary,
  hasOption,
  type Message,
} from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import type { Transport } from "@connectrpc/connect";
import { operation as operationOption, sent_as } from "../../proto/gen/contract/v1/annotations_pb.ts";
import { isReadOnly } from "../../services/platform/connect/rpc-names.ts";
import type { Histogram } from "../../services/platform/metrics/instruments.ts";
import { oncePer } from "../../services/platform/once-per.ts";
import { readOption } from "../../services/platform/read-option.ts";
import {
  type CheckRequest,
  compileFindsNothing,
  compileRules,
  type FindsNothing,
  isEmpty,
  type Values,
} from "../../services/platform/rules/request-rules.ts";
import { type Binder, bindableNames, compileBinder, wantedOf } from "../binding/compile-binder.ts";
import type { Wanted } from "../binding/parse-json.ts";
import { groupedCall } from "../calls/grouped-call.ts";
import { createCallerLimits, decodeReply, type RawCall, rawCall } from "../calls/raw-call.ts";
import { exposedHeaders } from "../http/replies/common-headers.ts";
import { compileTranscoder, type Transcoder } from "../rendering/compile-transcoder.ts";
import { publicFields } from "../rendering/public-fields.ts";
import { compileGatewayFields, type GatewayFields } from "./gateway-fields.ts";
import { type OperationPath, parseOperationPath, pathShape } from "./paths.ts";

/** A service whose annotated RPCs are public, and the transports to it. */
export interface PublicService extends ServiceTransports {
  service: DescService;
}

/** Transports with connections of their own, so that no kind of call waits behind slow ones of another. */
export interface ServiceTransports {
  /** For what many callers ask for in one call. */
  transport: Transport;
  /** For single reads, such as those of viewers. By default the same one. */
  reads?: Transport;
  /** For writes, some of which hash a password. By default the same one. */
  writes?: Transport;
}

/** One public operation, ready to run. */
export interface Operation {
  /** The RPC's name, which is the operation's name on the generic routes. */
  name: string;
  /** The RPC. */
  method: DescMethodUnary;
  /** The transport to its service for what many callers ask for in one call. */
  transport: Transport;
  paths: readonly OperationPath[];
  /** Headers of a request that reach the service as they are, in lower case. */
  headers: readonly string[];
  /** Whether it changes nothing. */
  isRead: boolean;
  /** Whether this request changes nothing: some operations only read when the request has no field. */
  reads(input: Message): boolean;
  /** Whether a client may cache the reply and revalidate it. */
  isStorable: boolean;
  /** The parts of a request that are read. */
  wanted: Wanted;
  bind: Binder;
  /** The request fields that the gateway sets. */
  gatewayFields: GatewayFields;
  /** Checks the rules that depend on the request alone. */
  checkRules: CheckRequest;
  /** Whether a request names nothing to look up: the reply is `emptyReply`, whatever is stored. */
  findsNothing: FindsNothing;
  /** JSON. */
  emptyReply: Buffer;
  call: RawCall;
  /** The JSON of a reply. @throws ConnectError when it cannot be read */
  render: Transcoder;
  headersOf: ReplyHeaders;
}

/**
 * The table of public operations: every RPC with the `operation` option, compiled.
 * @param keysInGroup counts the requests of grouped operations, by operation
 * @throws Error at boot for an operation that cannot work: a path variable without a field, a field that JSON cannot carry, two
 * operations of one name or path.
 */
export function compileOperations(
  services: readonly PublicService[],
  keysInGroup?: (name: string) => Histogram,
): Operation[] {
  const limitsOf = oncePer((_transport: Transport) => createCallerLimits());
  // The connections of groups are bounded by these, not by the callers.
  const limitViewers = createCallerLimits({ ofViewer: 16, anonymous: Infinity });
  const operations = services.flatMap(({ service, transport, reads = transport, writes = transport }) =>
    publicMethods(service).map((method) => {
      const own = isReadOnly(method) ? reads : writes;
      const { groupedBy } = readOption(method, operationOption);
      const call =
        groupedBy === ""
          ? limitsOf(own)(rawCall(method, own))
          : limitViewers(groupedCall(method, transport, groupedBy, keysInGroup?.(method.name)));
      return compileOperation(method, transport, call);
    }),
  );
  const names = operations.map(({ name }) => name.toLowerCase());
  const shapes = operations.flatMap(({ paths }) => paths.map(pathShape));
  refuseTwins("operation", names);
  refuseTwins("path", shapes);
  return operations;
}

function publicMethods(service: DescService): DescMethodUnary[] {
  const methods = service.methods.filter((method) => hasOption(method, operationOption));
  const stray = methods.find((method) => !isUnary(method));
  if (stray !== undefined) throw new Error(`${stray} streams, so it cannot be a public operation`);
  return methods.filter(isUnary);
}

function isUnary(method: DescMethod): method is DescMethodUnary {
  return method.methodKind === "unary";
}

function compileOperation(method: DescMethodUnary, transport: Transport, call: RawCall): Operation {
  const { paths: templates, headers, noStore, readsWhenEmpty } = readOption(method, operationOption);
  const paths = templates.map(parseOperationPath);
  refuseBadNames(method, paths);
  const transcode = compileTranscoder(method.output);
  const isRead = isReadOnly(method);
  const fields = publicFields(method.input);
  // A given empty text of a field with presence is a value: it clears the stored text.
  const hasNoField = (input: Values) =>
    fields.every(({ presence, localName }) =>
      presence === FeatureSet_FieldPresence.EXPLICIT ? input[localName] === undefined : isEmpty(input[localName]),
    );
  return {
    name: method.name,
    method,
    transport,
    paths,
    headers,
    isRead,
    reads: (input) => isRead || (readsWhenEmpty && hasNoField(input as Values)),
    isStorable: isRead && !noStore,
    wanted: wantedOf(method.input),
    bind: compileBinder(method.input),
    gatewayFields: compileGatewayFields(method.input),
    checkRules: compileRules(method.input),
    findsNothing: compileFindsNothing(method),
    // An empty message has no bytes.
    emptyReply: transcode(new Uint8Array()),
    call,
    render: (wire) => decodeReply(() => transcode(wire)),
    headersOf: compileReplyHeaders(method.output),
  };
}

/** Parameters that are valid on every route and belong to the gateway (interface document, Endpoints). */
const ownParameters = ["callback", "format"];

function refuseBadNames(method: DescMethod, paths: readonly OperationPath[]): void {
  const names = bindableNames(method.input);
  for (const { template, variables } of paths) {
    const stray = variables.find((variable) => !names.has(variable.name.toLowerCase()));
    if (stray !== undefined) throw new Error(`{${stray.name}} in ${template} is no field of ${method.input}`);
  }
  const taken = ownParameters.find((name) => names.has(name));
  if (taken !== undefined) throw new Error(`${method.input} has a field "${taken}", which is the gateway's parameter`);
}

function refuseTwins(what: string, names: readonly string[]): void {
  const twin = names.find((name, index) => names.indexOf(name) !== index);
  if (twin !== undefined) throw new Error(`Two operations have the ${what} ${twin}`);
}

/** The headers of a reply: the fields of its message that are sent there and not in the JSON (annotations.proto, sent_as). */
type ReplyHeaders = (wire: Uint8Array) => Readonly<Record<string, string>>;

/** Compiles the headers of a reply message; pages of other origins may read them. They throw ConnectError for an unreadable one. */
function compileReplyHeaders(message: DescMessage): ReplyHeaders {
  const fields = message.fields.filter((field) => readOption(field, sent_as));
  if (fields.length === 0) return () => none;
  const names = fields.map((field) => readOption(field, sent_as));
  const exposed = { "Access-Control-Expose-Headers": [exposedHeaders, ...names].join(", ") };
  return (wire) => {
    const values = decodeReply(() => fromBinary(message, wire)) as unknown as Record<string, unknown>;
    const headers = fields.map(({ localName }, index) => [names[index] as string, `${values[localName]}`] as const);
    return { ...exposed, ...Object.fromEntries(headers) };
  };
}

const none = {};
