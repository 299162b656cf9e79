import * as assert from "uvu/assert";
import { compileBinder, wantedOf } from "../../gateway/binding/compile-binder.ts";
import { parseBody } from "../../gateway/binding/parse-body.ts";
import { PublicError } from "../../gateway/http/errors/public-error.ts";
import { requestObject } from "../../gateway/operations/read-sources.ts";
import { SocialTimelinesRequestSchema, SocialUsersRequestSchema } from "../../proto/gen/social/v1/social_service_pb.ts";
import { useFakeGateway } from "../gateway/fake-gateway.ts";
import { suite } from "../support/suite.ts";

const Hostile = suite("gateway with hostile bodies");
const gateway = useFakeGateway(Hostile);

const path = "/json/reply/SocialUsers";
const tooMany = (fieldName: string) => {
  const message = "'User Ids' and 'Screen Names' together must be between 0 and 1000 entries.";
  const error = { errorCode: "InclusiveBetween", message };
  return { responseStatus: { ...error, errors: [{ errorCode: error.errorCode, fieldName, message }] } };
};

const json = "application/json";
const form = "application/x-www-form-urlencoded";
const multipart = "multipart/form-data; boundary=b";
const partOf = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const tooLong: [what: string, fieldName: string, contentType: string, body: string][] = [
  ["260,000 names", "screenNames", json, `{"screenNames":[${'"a",'.repeat(260_000)}"b"]}`],
  ["a text of 500,000 names", "screenNames", "text/plain", `{"screenNames":"${"a,".repeat(500_000)}"}`],
  ["500,000 ids", "userIds", json, `{"userIds":[${"1,".repeat(500_000)}1]}`],
  ["both lists", "screenNames", json, `{"userIds":"${"1,".repeat(999)}","screenNames":"a,b"}`],
  ["70,000 values", "screenNames", form, "screenNames=a&".repeat(70_000)],
  ["a value of 500,000", "screenNames", form, `screenNames=${"a,".repeat(500_000)}`],
  ["16,000 parts", "screenNames", multipart, `${partOf("screenNames", "a").repeat(16_000)}--b--\r\n`],
];
for (const [what, fieldName, contentType, body] of tooLong) {
  Hostile(`refuses ${what} without asking the service`, async () => {
    const reply = await gateway.send({ method: "POST", path, body, headers: { "content-type": contentType } });
    assert.equal([reply.status, JSON.parse(reply.text)], [400, tooMany(fieldName)]);
    assert.equal(gateway.calls, []);
  });
}

Hostile("refuses too many names in a path, a query and an item of a batch", async () => {
  const names = "a,".repeat(1_001);
  const batch = { method: "POST", path: `${path}[]`, body: JSON.stringify([{}, { screenNames: names }]) };
  for (const asked of [{ path: `/social/${names}` }, { path: `${path}?screenNames=${names}` }, batch]) {
    const reply = await gateway.send(asked);
    assert.equal([reply.status, JSON.parse(reply.text)], [400, tooMany("screenNames")], asked.path.slice(0, 30));
  }
  assert.equal(gateway.calls, []);
});

for (const [what, contentType, bodyOf] of [
  ["values of one field", form, (count: number) => "userIds=,&".repeat(count)],
  ["parts of one field", multipart, (count: number) => `${partOf("userIds", ",").repeat(count)}--b--\r\n`],
  ["parts with unknown names", multipart, (count: number) => `${partOf("other", "a").repeat(count)}--b--\r\n`],
] as const) {
  Hostile(`takes 5,000 ${what}, and refuses 5,001`, async () => {
    const send = (count: number) =>
      gateway.send({ method: "POST", path, body: bodyOf(count), headers: { "content-type": contentType } });
    assert.is((await send(5_000)).status, 200);
    const reply = await send(5_001);
    assert.is(reply.status, 400);
    assert.match(reply.text, '"errorCode":"SerializationException"');
  });
}

Hostile("reads any body of 1 MiB in less than 100 ms of processor time", () => {
  const readers = [SocialUsersRequestSchema, SocialTimelinesRequestSchema].map((schema) => {
    const [bind, wanted] = [compileBinder(schema), wantedOf(schema)];
    return (body: Buffer, contentType: string) => {
      const { json, form } = parseBody(body, { "content-type": contentType }, wanted);
      bind(requestObject(json), [form]);
    };
  });
  for (const [name, contentType, text] of hostileBodies()) {
    const body = Buffer.from(text);
    for (const read of readers) {
      const times: number[] = [];
      // It takes at most 20 ms on an idle machine, and took up to 700 before.
      do times.push(processorMs(() => read(body, contentType)));
      while ((times.at(-1) as number) > 100 && times.length < 4);
      assert.ok((times.at(-1) as number) < 100, `${name} took ${times.join(", ")} ms of processor`);
    }
  }
});

Hostile.run();

function processorMs(read: () => void): number {
  const start = process.cpuUsage();
  try {
    read();
  } catch (error) {
    assert.instance(error, PublicError);
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

const mebibyte = 1024 * 1024;
const dashes = "-".repeat(70);

/** Bodies of 1 MiB, or a little less, that ask for as much work as their bytes can. Each is made when it is needed. */
function* hostileBodies(): Generator<readonly [name: string, contentType: string, text: string]> {
  const names = (piece: (index: number) => string, end = '"z"]}') => filled('{"screenNames":[', piece, end);
  const keys = (piece: (index: number) => string) => filled("{", piece, '"z":1}');
  yield ["JSON, 260,000 names", json, names(() => '"a",')];
  yield ["JSON, 130,000 names, all different", json, names((index) => `"${index.toString(36)}",`)];
  yield ["JSON, 200,000 escaped blanks", json, names(() => '"\\t",')];
  yield ["JSON, names in one text", json, filled('{"screenNames":"', () => "a,", 'a"}')];
  yield ["JSON, quoted blanks in one text", json, filled('{"screenNames":"', () => '\\"\\\\t\\",', 'a"}')];
  yield ["JSON, numbers of 20 digits", json, filled('{"userIds":[', () => "1.0000000000000000001,", "1]}")];
  yield ["JSON, one number of 1,000,000 digits", json, `{"take":${"1".repeat(1_000_000)}.0}`];
  yield ["JSON, 45,000 keys", json, keys((index) => `"key${`${index}`.padStart(13, "0")}":1,`)];
  yield ["JSON, 110,000 keys", json, keys((index) => `"${index.toString(36)}":1,`)];
  yield ["JSON, one key 60,000 times", json, keys(() => '"screenName":"a",')];
  yield ["JSON, one key in 1,024 spellings", json, keys((index) => `"${spelling("screenname", index)}":"a",`)];
  yield ["JSON, empty lists", json, filled('{"screenNames":[', () => "[],", "1]}")];
  yield ["JSON, small objects", json, filled('{"a":[', (index) => `{"${index.toString(36)}":1},`, "1]}")];
  yield ["JSON, 500,000 lists in each other", json, `{"screenName":${"[".repeat(520_000)}${"]".repeat(520_000)}}`];
  yield ["JSON, 170,000 objects in each other", json, `${'{"a":'.repeat(170_000)}1${"}".repeat(170_000)}`];
  yield ["JSON, 1,000,000 lists that do not end", json, "[".repeat(1_000_000)];
  yield ["JSON, escaped letters", json, filled('{"screenName":"', () => "\\u00e9", '"}')];
  yield ["JSON, blanks", json, `{"screenName":${" ".repeat(1_000_000)}"a"}`];
  yield ["JSON, an array of 350,000 requests", json, filled("[", () => "{},", "{}]")];
  yield ["form, one name 75,000 times", form, filled("", () => "screenNames=a&", "")];
  yield ["form, 60,000 different values of one number", form, filled("", (index) => `take=${index}&`, "")];
  yield ["form, a list with brackets", form, filled("", () => "screenNames[]=a&", "")];
  yield ["form, names with many brackets", form, filled("", () => `screenNames${"[]".repeat(90)}x=a&`, "")];
  yield ["form, 1,000,000 blanks written as +", form, filled("screenName=", () => "+", "a")];
  yield ["form, 1,000,000 ampersands", form, "&".repeat(mebibyte)];
  yield ["form, 130,000 encoded names", form, filled("", () => "%41=%41&", "")];
  yield ["form, names in one value", form, filled("screenNames=", () => "a,", "a")];
  yield ["multipart, 18,000 parts of one name", multipart, filled("", part("screenNames", "a"), "--b--\r\n")];
  yield ["multipart, 9,000 parts of a list", multipart, filled("", part("screenNames[]", "a"), "--b--\r\n")];
  const brackets = `"n${"[0]".repeat(5_000)}x"`;
  yield ["multipart, names with many brackets", multipart, filled("", part(brackets, "a"), "--b--\r\n")];
  yield ["multipart, 16,000 files", multipart, filled("", part("n; filename=f", ""), "--b--\r\n")];
  yield ["multipart, one long part", multipart, `${part("screenName", "\r\n--".repeat(250_000))()}--b--\r\n`];
  yield ["multipart, a boundary of dashes", `multipart/form-data; boundary=${dashes}`, "-".repeat(mebibyte)];
  const parameters = filled("n", () => ";a=b", "");
  yield ["multipart, parameters of a part", multipart, `${part(parameters, "a")()}--b--\r\n`];
}

/** A text of at most 1 MiB, with as many pieces as fit between its ends. */
function filled(start: string, piece: (index: number) => string, end: string): string {
  const pieces = [start];
  let left = mebibyte - 200 - Buffer.byteLength(start) - Buffer.byteLength(end);
  for (let index = 0; ; index++) {
    const next = piece(index);
    left -= Buffer.byteLength(next);
    if (left < 0) return pieces.join("") + end;
    pieces.push(next);
  }
}

function spelling(name: string, number: number): string {
  return name.replace(/./g, (letter, index: number) => ((number >> index) & 1 ? letter.toUpperCase() : letter));
}

function part(name: string, value: string): () => string {
  return () => `--b\r\nContent-Disposition: form-data; name=${name}\r\n\r\n${value}\r\n`;
}
