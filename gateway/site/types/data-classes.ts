import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import type { Operation } from "../../operations/operation-table.ts";
import { publicFields, publicName } from "../../rendering/public-fields.ts";
import type { CommentOf } from "../comments/load-comments.ts";
import { isAlwaysWritten, scalarSchema } from "../openapi/field-schema.ts";

/** A message as a class of the languages that ServiceStack's tools write. */
export interface DataClass {
  name: string;
  comment: string;
  fields: DataField[];
}

/** The request of an operation. */
export interface RequestClass extends DataClass {
  routes: string[];
  verb: "GET" | "POST";
  /** The name of the reply's class. */
  reply: string;
}

export interface DataField {
  /** In JSON. */
  name: string;
  comment: string;
  shape: "single" | "list" | "map";
  /** The JSON type, or the name of a class. */
  type: { json: "string" | "boolean" | "int" | "long" | "double" } | { class: string };
  /** Whether a reply always has it. */
  isAlwaysWritten: boolean;
}

/** The classes of all operations: what requests and replies hold first, then the replies, then the requests. */
export interface DataClasses {
  messages: DataClass[];
  requests: RequestClass[];
}

/** Reads the classes out of the operations' descriptors. Requests have the operation's name, as ServiceStack has it. */
export function dataClasses(operations: readonly Operation[], commentOf: CommentOf): DataClasses {
  const found = new Map<DescMessage, DataClass>();
  const classOf = (message: DescMessage): DataClass => {
    const known = found.get(message);
    if (known !== undefined) return known;
    const isTaken = [...found.values()].some(({ name }) => name === message.name);
    const made: DataClass = {
      name: isTaken ? message.typeName.replaceAll(".", "_") : message.name,
      comment: commentOf(message),
      fields: [],
    };
    found.set(message, made);
    made.fields = publicFields(message).map((field) => readField(field, commentOf, classOf));
    return made;
  };
  const requests = operations.map(({ name, method, paths, isRead }): RequestClass => {
    const fields = publicFields(method.input).map((field) => readField(field, commentOf, classOf));
    const routes = paths.map(({ template }) => template);
    const reply = classOf(method.output).name;
    return { name, comment: commentOf(method), fields, routes, verb: isRead ? "GET" : "POST", reply };
  });
  return { messages: [...found.values()], requests };
}

function readField(field: DescField, commentOf: CommentOf, classOf: (message: DescMessage) => DataClass): DataField {
  return {
    name: publicName(field),
    comment: commentOf(field),
    shape: field.fieldKind === "list" || field.fieldKind === "map" ? field.fieldKind : "single",
    type: field.message === undefined ? { json: jsonType(field) } : { class: classOf(field.message).name },
    isAlwaysWritten: isAlwaysWritten(field),
  };
}

function jsonType(field: DescField): "string" | "boolean" | "int" | "long" | "double" {
  const { type } = scalarSchema(field);
  if (type === "integer") return field.scalar === ScalarType.INT32 ? "int" : "long";
  if (type === "number") return "double";
  return type === "boolean" ? "boolean" : "string";
}
