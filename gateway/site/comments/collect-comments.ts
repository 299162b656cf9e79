import type {
  CodeGeneratorRequest,
  DescriptorProto,
  FileDescriptorProto,
  ServiceDescriptorProto,
} from "@bufbuild/protobuf/wkt";

/** What the proto files say about services, methods, messages and fields, by full name (`social.v1.Status.id`). */
export type Comments = Record<string, string>;

/** The leading comments of the files that a protoc plugin is asked to generate for, each as one line, sorted by name. */
export function collectComments({ protoFile, fileToGenerate }: CodeGeneratorRequest): Comments {
  const asked = new Set(fileToGenerate);
  const found = protoFile.filter(({ name }) => asked.has(name)).flatMap(fileComments);
  return Object.fromEntries(found.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

type Found = [name: string, comment: string];

/** The comment at a path of field numbers and indexes into the file's descriptor (descriptor.proto: SourceCodeInfo). */
type CommentAt = (path: readonly number[]) => string | undefined;

// Field numbers of descriptor.proto.
const messageOfFile = 4;
const serviceOfFile = 6;
const fieldOfMessage = 2;
const messageOfMessage = 3;
const methodOfService = 2;

function fileComments(file: FileDescriptorProto): Found[] {
  const locations = file.sourceCodeInfo?.location ?? [];
  const byPath = new Map(locations.map(({ path, leadingComments }) => [path.join(), oneLine(leadingComments)]));
  const at: CommentAt = (path) => byPath.get(path.join());
  return [
    ...file.messageType.flatMap((message, i) => messageComments(message, file.package, [messageOfFile, i], at)),
    ...file.service.flatMap((service, i) => serviceComments(service, file.package, [serviceOfFile, i], at)),
  ];
}

function messageComments(message: DescriptorProto, scope: string, path: number[], at: CommentAt): Found[] {
  const name = `${scope}.${message.name}`;
  return [
    ...found(name, at(path)),
    ...message.field.flatMap((field, i) => found(`${name}.${field.name}`, at([...path, fieldOfMessage, i]))),
    ...message.nestedType.flatMap((inner, i) => messageComments(inner, name, [...path, messageOfMessage, i], at)),
  ];
}

function serviceComments(service: ServiceDescriptorProto, scope: string, path: number[], at: CommentAt): Found[] {
  const name = `${scope}.${service.name}`;
  return [
    ...found(name, at(path)),
    ...service.method.flatMap((method, i) => found(`${name}.${method.name}`, at([...path, methodOfService, i]))),
  ];
}

function found(name: string, comment: string | undefined): Found[] {
  return comment ? [[name, comment]] : [];
}

function oneLine(comment: string): string {
  return comment.trim().replace(/\s*\n\s*/g, " ");
}
