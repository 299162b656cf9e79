import { type DescFile, type DescService, toBinary } from "@bufbuild/protobuf";
import { nestedTypes } from "@bufbuild/protobuf/reflect";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";

/** Answers what reflection can ask. A file is returned serialized, followed by all files that it imports. */
export interface SymbolIndex {
  serviceNames: readonly string[];
  fileNamed(name: string): Uint8Array[] | undefined;
  /** @param name the full name of anything that a file declares */
  fileOfSymbol(name: string): Uint8Array[] | undefined;
  fileOfExtension(extendee: string, number: number): Uint8Array[] | undefined;
  /** In ascending order; undefined for an unknown message. */
  extensionNumbers(extendee: string): number[] | undefined;
}

/** An index of the files of some services and of all that these import, made once. */
export function createSymbolIndex(services: Iterable<DescService>): SymbolIndex {
  const roots = [...services];
  const files = withImports(roots.map((service) => service.file));
  const byName = new Map(files.map((file) => [protoName(file), file]));
  const symbols = new Map<string, DescFile>();
  const extensions = new Map<string, Map<number, DescFile>>();
  for (const file of files) {
    for (const name of symbolsOf(file)) symbols.set(name, file);
    for (const type of nestedTypes(file)) {
      if (type.kind !== "extension") continue;
      const { typeName } = type.extendee;
      extensions.set(typeName, (extensions.get(typeName) ?? new Map<number, DescFile>()).set(type.number, file));
    }
  }
  const serialized = (file: DescFile | undefined) =>
    file && withImports([file]).map((one) => toBinary(FileDescriptorProtoSchema, one.proto));

  return {
    serviceNames: roots.map((service) => service.typeName).toSorted(),
    fileNamed: (name) => serialized(byName.get(name)),
    fileOfSymbol: (name) => serialized(symbols.get(name)),
    fileOfExtension: (extendee, number) => serialized(extensions.get(extendee)?.get(number)),
    extensionNumbers(extendee) {
      if (!symbols.has(extendee)) return undefined;
      return [...(extensions.get(extendee)?.keys() ?? [])].toSorted((a, b) => a - b);
    },
  };
}

// A DescFile's own name has no ".proto".
function protoName(file: DescFile): string {
  return file.proto.name;
}

/** The files and everything that they import, each once, in the order of the first mention. */
function withImports(files: readonly DescFile[]): DescFile[] {
  const found = new Map<string, DescFile>();
  const add = (file: DescFile) => {
    if (found.has(protoName(file))) return;
    found.set(protoName(file), file);
    file.dependencies.forEach(add);
  };
  files.forEach(add);
  return [...found.values()];
}

function* symbolsOf(file: DescFile): Generator<string> {
  for (const type of nestedTypes(file)) {
    yield type.typeName;
    if (type.kind === "service") yield* type.methods.map((method) => `${type.typeName}.${method.name}`);
    if (type.kind === "message") {
      yield* type.fields.map((field) => `${type.typeName}.${field.name}`);
      yield* type.oneofs.map((oneof) => `${type.typeName}.${oneof.name}`);
    }
    // The values of an enum are its siblings (C++ scoping).
    if (type.kind === "enum") {
      const scope = type.typeName.slice(0, type.typeName.lastIndexOf(".") + 1);
      yield* type.values.map((value) => `${scope}${value.name}`);
    }
  }
}
