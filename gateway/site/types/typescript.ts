import type { DataClass, DataClasses, DataField, RequestClass } from "./data-classes.ts";

/** The classes as ServiceStack's `x typescript URL` saves them; they need no package, and compile under `strict`. */
export function typeScriptClasses({ messages, requests }: DataClasses): string {
  return [interfaces, ...messages.map(messageClass), ...requests.map(requestClass)].join("\n");
}

const interfaces = `export interface IReturn<T>
{
    createResponse(): T;
}

export interface IGet
{
}

export interface IPost
{
}
`;

function messageClass(message: DataClass): string {
  const body = message.fields.map((field) => `${comment(field.comment, "    ")}    public ${replyField(field)};\n\n`);
  return `${comment(message.comment)}export class ${message.name}
{
${body.join("")}${constructorOf(message.name)}}
`;
}

function requestClass({ name, fields, routes, verb, reply, comment: text }: RequestClass): string {
  const body = fields.map(
    (field) => `${comment(field.comment, "    ")}    public ${field.name}?: ${typeOf(field)};\n\n`,
  );
  const marker = verb === "GET" ? "IGet" : "IPost";
  return `${comment(text)}${routes.map((route) => `// @Route(${JSON.stringify(route)})\n`).join("")}export class ${name} implements IReturn<${reply}>, ${marker}
{
${body.join("")}${constructorOf(name)}    public getTypeName() { return '${name}'; }
    public getMethod() { return '${verb}'; }
    public createResponse() { return new ${reply}(); }
}
`;
}

function replyField(field: DataField): string {
  if (!field.isAlwaysWritten) return `${field.name}?: ${typeOf(field)}`;
  const empty = { single: undefined, list: "[]", map: "{}" }[field.shape];
  return empty === undefined ? `${field.name}!: ${typeOf(field)}` : `${field.name}: ${typeOf(field)} = ${empty}`;
}

function typeOf({ type, shape }: DataField): string {
  const single = "class" in type ? type.class : scalars[type.json];
  return { single, list: `${single}[]`, map: `{ [index: string]: ${single}; }` }[shape];
}

const scalars = { string: "string", boolean: "boolean", int: "number", long: "number", double: "number" };

function constructorOf(name: string): string {
  return `    public constructor(init?: Partial<${name}>) { (Object as any).assign(this, init); }\n`;
}

function comment(text: string, indent = ""): string {
  return text === "" ? "" : `${indent}/** ${text.replaceAll("*/", "* /")} */\n`;
}
