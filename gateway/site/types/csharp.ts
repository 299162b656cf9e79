import type { DataClass, DataClasses, DataField, RequestClass } from "./data-classes.ts";

/** The classes as ServiceStack's `x csharp URL` saves them. */
export function csharpClasses({ messages, requests }: DataClasses): string {
  const classes = [
    ...messages.filter(({ name }) => !ofServiceStack.has(name)).map((message) => classOf(message, [], "")),
    ...requests.map((request) => classOf(request, request.routes, markers(request))),
  ];
  return `using System.Collections.Generic;
using System.Runtime.Serialization;
using ServiceStack;

namespace Roost
{
${classes.join("\n")}}
`;
}

/** Classes that the package ServiceStack has: its client throws errors with its own. */
const ofServiceStack = new Set(["ResponseStatus", "FieldError"]);

function markers({ reply, verb }: RequestClass): string {
  return ` : IReturn<${reply}>, ${verb === "GET" ? "IGet" : "IPost"}`;
}

function classOf({ name, comment, fields }: DataClass, routes: readonly string[], bases: string): string {
  const attributes = routes.map((route) => `    [Route(${JSON.stringify(route)})]\n`).join("");
  return `${summary(comment, "    ")}${attributes}    [DataContract]
    public partial class ${name}${bases}
    {
${fields.map(property).join("\n")}    }
`;
}

function property(field: DataField): string {
  // Names of C# in code, and those of JSON on the wire: ServiceStack's serializer goes by the attribute.
  return `${summary(field.comment, "        ")}        [DataMember(Name=${JSON.stringify(field.name)})]
        public virtual ${typeOf(field)} ${pascalCase(field.name)} { get; set; }${initial(field)}
`;
}

function typeOf({ type, shape, isAlwaysWritten }: DataField): string {
  if ("class" in type) return collection(type.class, shape);
  const scalar = scalars[type.json];
  const mayLack = shape === "single" && !isAlwaysWritten && scalar !== "string";
  return collection(mayLack ? `${scalar}?` : scalar, shape);
}

function collection(element: string, shape: DataField["shape"]): string {
  return { single: element, list: `List<${element}>`, map: `Dictionary<string, ${element}>` }[shape];
}

function initial(field: DataField): string {
  return field.shape === "single" || !field.isAlwaysWritten ? "" : ` = new ${typeOf(field)}();`;
}

const scalars = { string: "string", boolean: "bool", int: "int", long: "long", double: "double" };

function pascalCase(name: string): string {
  return name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function summary(text: string, indent: string): string {
  if (text === "") return "";
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `${indent}///<summary>\n${indent}///${escaped}\n${indent}///</summary>\n`;
}
