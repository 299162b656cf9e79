import { create, createFileRegistry, type DescService, setExtension } from "@bufbuild/protobuf";
import { protoCamelCase } from "@bufbuild/protobuf/reflect";
import {
  type DescriptorProto,
  DescriptorProtoSchema,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FieldDescriptorProtoSchema,
  FieldOptionsSchema,
  FileDescriptorProtoSchema,
  MessageOptionsSchema,
  MethodDescriptorProtoSchema,
  MethodOptionsSchema,
} from "@bufbuild/protobuf/wkt";
import {
  fills,
  internal,
  max_entries,
  OperationSchema,
  operation,
} from "../../proto/gen/contract/v1/annotations_pb.ts";

export interface MadeField {
  name: string;
  type: keyof typeof FieldDescriptorProto_Type;
  isList?: boolean;
  isInternal?: boolean;
  /** In a oneof of its own. */
  isChoice?: boolean;
  fills?: string;
  /** For messages: the full name of their type. */
  typeName?: string;
}

export interface MadeMethod {
  name: string;
  paths: string[];
  isStreaming?: boolean;
}

/** The descriptor of a service whose methods all take `Request` and answer `Reply`. */
export function makeService(parts: {
  methods: MadeMethod[];
  request?: MadeField[];
  reply?: MadeField[];
  maxEntries?: number;
}): DescService {
  const file = create(FileDescriptorProtoSchema, {
    name: "made.proto",
    package: "made",
    syntax: "proto3",
    messageType: [message("Request", parts.request, parts.maxEntries ?? 1_000), message("Reply", parts.reply)],
    service: [{ name: "Made", method: parts.methods.map(method) }],
  });
  return createFileRegistry(file, () => undefined).getService("made.Made") as DescService;
}

function message(name: string, fields: MadeField[] = [], maxEntries = 0): DescriptorProto {
  const options = create(MessageOptionsSchema);
  setExtension(options, max_entries, maxEntries);
  const choices = fields.filter(({ isChoice }) => isChoice);
  const oneofDecl = choices.map((choice) => ({ name: `choice_of_${choice.name}` }));
  return create(DescriptorProtoSchema, {
    name,
    options,
    oneofDecl,
    field: fields.map((made, index) => ({
      ...field(made, index),
      ...(made.isChoice ? { oneofIndex: choices.indexOf(made) } : {}),
    })),
  });
}

function field(made: MadeField, index: number) {
  const options = create(FieldOptionsSchema);
  if (made.isInternal) setExtension(options, internal, true);
  if (made.fills) setExtension(options, fills, made.fills);
  return create(FieldDescriptorProtoSchema, {
    name: made.name,
    jsonName: protoCamelCase(made.name),
    number: index + 1,
    type: FieldDescriptorProto_Type[made.type],
    label: made.isList ? FieldDescriptorProto_Label.REPEATED : FieldDescriptorProto_Label.OPTIONAL,
    typeName: made.typeName ?? "",
    options,
  });
}

function method({ name, paths, isStreaming = false }: MadeMethod) {
  const options = create(MethodOptionsSchema);
  setExtension(options, operation, create(OperationSchema, { paths }));
  const types = { inputType: ".made.Request", outputType: ".made.Reply" };
  return create(MethodDescriptorProtoSchema, { name, ...types, serverStreaming: isStreaming, options });
}
