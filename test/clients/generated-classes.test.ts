import { spawnSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { JsonServiceClient } from "@servicestack/client";
import { tsImport } from "tsx/esm/api";
import * as assert from "uvu/assert";
import { useFolder } from "../support/folder.ts";
import { useSharedSystem } from "../support/shared-services.ts";
import { suite } from "../support/suite.ts";

const Classes = suite("the classes of /types");
const root = join(import.meta.dirname, "../..");

/** A client's program, which is compiled and run with the classes of /types/typescript. */
const program = `import { JsonServiceClient } from "@servicestack/client";
import {
  Authenticate, ChangePassword, DeleteStatus, FollowUser, MarkStatus, PublishStatus, Registration, Sessions, SocialFriends,
  SocialStatus, SocialTimelines, SocialUsers, UpdateProfile,
} from "./dtos.ts";

export async function shown(client: JsonServiceClient): Promise<string> {
  const { userId }: { userId: string } = await client.api(new Registration({ userName: "dto1", password: "correct horse" })).then((api) => api.response!);
  const { results } = await client.get(new SocialUsers({ userIds: [userId] }));
  const found: string | undefined = results[0]?.screen_name;
  const timeline = await client.get(new SocialTimelines({ screenName: found, take: 1 }));
  return \`\${found} \${timeline.results.length}\`;
}

/** What a user does in a day; \`present\` makes the client present the session of the sign-in. */
export async function day(client: JsonServiceClient, userName: string, present: (sessionId: string) => void): Promise<unknown[]> {
  const password = "correct horse";
  await client.post(new Registration({ userName, password }));
  const refused: string | undefined = (await client.api(new PublishStatus({ text: "nobody" }))).error?.errorCode;
  const { sessionId, displayName } = await client.post(new Authenticate({ provider: "credentials", userName, password }));
  present(sessionId);
  const { results: [status] } = await client.post(new PublishStatus({ text: "Hello #town", mediaUrls: [], latitude: undefined }));
  const id: string = String(status!.id);
  const marked = await client.post(new MarkStatus({ screenName: userName, id, favorited: true }));
  const read = await client.get(new SocialStatus({ screenName: userName, id }));
  const followed = await client.post(new FollowUser({ screenName: "dto1", notifications: true }));
  const friends = await client.get(new SocialFriends({ screenName: userName, take: 1 }));
  const profile = await client.post(new UpdateProfile({ description: "Here", profile_link_color: "0084B4" }));
  await client.post(new ChangePassword({ oldPassword: password, newPassword: "battery staple" }));
  const sessions = await client.get(new Sessions());
  const gone = await client.post(new DeleteStatus({ id }));
  const out = await client.post(new Authenticate({ provider: "logout" }));
  const after: string | undefined = (await client.api(new Sessions())).error?.errorCode;
  return [
    refused, displayName, status!.user!.screen_name, marked.results[0]!.favorited, read.results[0]!.text,
    followed.results[0]!.notifications, friends.results.length, friends.next, profile.results[0]!.description,
    sessions.results.map(({ current }) => current), gone.results, out.userId, after,
  ];
}
`;

const { path: folder, write } = useFolder(Classes);
const system = useSharedSystem(Classes);
Classes.before(async () => {
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  write("package.json", '{ "type": "module" }');
  write("dtos.ts", await textOf("typescript"));
  write("program.ts", program);
});

async function textOf(language: string): Promise<string> {
  const reply = await fetch(`${system.url}/types/${language}`);
  assert.equal([reply.status, reply.headers.get("content-type")], [200, "text/plain; charset=utf-8"]);
  return reply.text();
}

Classes("in TypeScript compile under strict options, and have the types of their replies", () => {
  write("wrong.ts", program.replace("screen_name", "screenName"));
  const options = "--strict --noEmit --skipLibCheck --allowImportingTsExtensions --erasableSyntaxOnly";
  const words = `${options} --module nodenext --target es2023 --lib es2023,dom program.ts wrong.ts`.split(" ");
  const { status, stdout } = spawnSync(join(root, "node_modules/.bin/tsc"), words, { cwd: folder, encoding: "utf8" });
  const [error = "", ...others] = stdout.trimEnd().split("\n");
  assert.match(error, /^wrong\.ts\(.*Property 'screenName' does not exist on type 'ProfileResult'/);
  assert.equal([status, others], [1, []]);
});

interface Program {
  shown(client: JsonServiceClient): Promise<string>;
  day(client: JsonServiceClient, userName: string, present: (sessionId: string) => void): Promise<unknown[]>;
}
const runProgram = () => tsImport(join(folder, "program.ts"), import.meta.url) as Promise<Program>;

Classes("in TypeScript work with ServiceStack's client", async () => {
  const { shown } = await runProgram();
  assert.is(await shown(new JsonServiceClient(system.url)), "dto1 0");
});

for (const [how, name, present] of [
  ["a cookie jar", "dto2", () => {}],
  ["a bearer", "dto3", (client: JsonServiceClient, sessionId: string) => void (client.bearerToken = sessionId)],
] as const) {
  Classes(`in TypeScript let ServiceStack's client sign in, read, write and sign out with ${how}`, async () => {
    const { day } = await runProgram();
    const client = new JsonServiceClient(system.url);
    const seen = await day(client, name, (sessionId) => present(client, sessionId));
    const read = ["Unauthorized", name, name, true, "Hello #town", true, 1, "", "Here", [true], [], "", "Unauthorized"];
    assert.equal(seen, read);
  });
}

Classes("begin with the options that ServiceStack's tools read, with the requested address", async () => {
  for (const language of ["typescript", "csharp", "CSharp"]) {
    const text = await textOf(language);
    assert.ok(text.startsWith(`/* Options:\nVersion: 1\nBaseUrl: ${system.url}\n*/\n`), text.slice(0, 80));
  }
});

Classes("in C# have routes, marker interfaces and JSON names, and no classes of ServiceStack's own", async () => {
  const text = await textOf("csharp");
  assert.match(
    text,
    `    [Route("/social/ids/{UserIds}")]
    [Route("/social/{ScreenNames}")]
    [DataContract]
    public partial class SocialUsers : IReturn<SocialUsersResponse>, IGet
`,
  );
  assert.match(text, "public partial class Registration : IReturn<RegistrationResponse>, IPost\n");
  assert.match(text, '[DataMember(Name="screen_name")]\n        public virtual string ScreenName { get; set; }\n');
  assert.match(text, "public virtual List<ProfileResult> Results { get; set; } = new List<ProfileResult>();\n");
  assert.not.match(text, "class ResponseStatus");
  // C# allows no property with the name of its class.
  for (const [, name = "", body = ""] of text.matchAll(/partial class (\w+)[^{]*\{([^]*?)\n {4}\}/g)) {
    assert.not.match(body, ` ${name} { get;`);
  }
});

Classes.run();
