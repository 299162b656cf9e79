import { type DescField, getOption, hasOption, ScalarType } from "@bufbuild/protobuf";
import { publicFields, publicName } from "../../gateway/rendering/public-fields.ts";
import { operation } from "../../proto/gen/contract/v1/annotations_pb.ts";
import { rpcs } from "../support/rpcs.ts";

export interface PublicOperation {
  name: string;
  /** With variables in braces. */
  paths: readonly string[];
  fields: readonly PublicField[];
}

export interface PublicField {
  name: string;
  kind: "text" | "number" | "yes or no";
}

/** All public operations of the descriptors, so that new ones are fuzzed too. */
export const publicOperations: readonly PublicOperation[] = rpcs
  .filter((method) => hasOption(method, operation))
  .map((method) => ({
    name: method.name,
    paths: getOption(method, operation).paths,
    fields: publicFields(method.input).map((field) => ({ name: publicName(field), kind: kindOf(field) })),
  }));

function kindOf({ scalar }: DescField): PublicField["kind"] {
  if (scalar === ScalarType.BOOL) return "yes or no";
  return scalar === undefined || scalar === ScalarType.STRING ? "text" : "number";
}
