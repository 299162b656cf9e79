import * as assert from "uvu/assert";
import { person, publish, registerSignedIn } from "../support/people.ts";
import { suite } from "../support/suite.ts";
import { useSystem } from "../support/system.ts";

const Previews = suite("gateway: link previews");
const system = useSystem(Previews);

Previews("has title, description, picture and address of a user, escaped and from the next read on", async () => {
  const ann = await person(system, "ann");
  const description = `<b>"Tea" & 'cake'</b>`;
  const fields = { name: "Ann <3", description, profileImageUrl: "https://pictures.example/ann.png" };
  await change(ann, fields);
  const { status, text } = await get(`/@${ann.name.toUpperCase()}`);
  assert.is(status, 200);
  assert.match(text, `<title>Ann &#60;3 (@${ann.name}) – Roost</title>`);
  assert.equal(tags(text), {
    description: "&#60;b&#62;&#34;Tea&#34; &#38; &#39;cake&#39;&#60;/b&#62;",
    "og:url": `${system.url}/@${ann.name}`,
    "og:site_name": "Roost",
    "og:type": "profile",
    "og:title": `Ann &#60;3 (@${ann.name})`,
    "og:description": "&#60;b&#62;&#34;Tea&#34; &#38; &#39;cake&#39;&#60;/b&#62;",
    "og:image": "https://pictures.example/ann.png",
    "twitter:card": "summary",
  });
  assert.match(text, `<link rel="canonical" href="${system.url}/@${ann.name}">`);
});

Previews("has the text and the picture of a status, and nothing of it once it is protected or deleted", async () => {
  const bea = await person(system, "bea");
  const picture = "https://pictures.example/bread.png";
  const said = { authorId: bea.id, text: "Bread & butter", mediaUrls: [picture] };
  const { status } = await system.clients.statuses.publishStatus(said);
  const path = `/@${bea.name}/status/${status?.id}`;
  const shown = await get(path);
  assert.match(tags(shown.text)["og:description"] ?? "", /^Bread &#38; butter/);
  assert.is(tags(shown.text)["og:image"], picture);
  assert.is(tags(shown.text)["twitter:card"], "summary_large_image");

  await change(bea, { protected: true });
  const hidden = await get(path);
  assert.is(hidden.status, 200);
  assert.equal(tags(hidden.text), plain);

  await change(bea, { protected: false });
  assert.is((await get(path)).status, 200);
  await system.clients.statuses.deleteStatus({ authorId: bea.id, id: status?.id as bigint });
  const gone = await get(path);
  assert.equal([gone.status, tags(gone.text)], [404, plain]);
});

Previews("shows nothing of a suspended user, and what an anonymous caller sees to a user with a session", async () => {
  const cy = await person(system, "cy");
  const said = await publish(system, cy, "before the suspension");
  await system.clients.moderation.suspend({ userId: cy.id });
  for (const path of [`/@${cy.name}`, `/@${cy.name}/status/${said.id}`]) {
    const { status, text } = await get(path);
    assert.equal([status, tags(text)], [403, plain], path);
  }
  const { userId: id, sessionId } = await registerSignedIn(system, "dan");
  const own = await publish(system, id, "for followers");
  await change({ id }, { protected: true });
  const { status, text } = await get(`/@dan/status/${own.id}`, { authorization: `Bearer ${sessionId}` });
  assert.equal([status, tags(text)], [200, plain]);
});

Previews("answers 404 with the page for a user, a status and an address that are not there", async () => {
  const eve = await person(system, "eve");
  const unknown = ["/@nobody", "/@nobody/followers", "/@nobody/status/1", "/@", "/@a%20b", "/@nobody?maxId=1"];
  for (const path of [...unknown, ...["status/1", "status/x", "nothing"].map((end) => `/@${eve.name}/${end}`)]) {
    const { status, type, text } = await get(path);
    assert.equal([status, type], [404, "text/html; charset=utf-8"], path);
    assert.match(text, '<div id="app">', path);
  }
  assert.is((await get(`/@${eve.name}/followers`)).status, 200);
});

Previews("takes the pictures of the gateway itself from the host that is asked", async () => {
  const fay = await person(system, "fay");
  // As the sample data has it: users give whole addresses.
  await system.database.query(
    `update social.profile set profile_image_url = '/pictures/faces/a.svg', content_version = content_version + 1
     where user_id = $1`,
    [fay.id],
  );
  assert.is(tags((await get(`/@${fay.name}`)).text)["og:image"], `${system.url}/pictures/faces/a.svg`);
});

Previews.run();

async function change({ id: userId }: { id: bigint }, fields: Record<string, string | boolean>): Promise<void> {
  await system.clients.people.updateProfile({ userId, ...fields });
}

/** What every page has. */
const plain = { description: "Find people, and read what they say." };

async function get(path: string, headers: Record<string, string> = {}) {
  const reply = await fetch(system.url + path, { headers: { accept: "text/html", ...headers } });
  return { status: reply.status, type: reply.headers.get("content-type"), text: await reply.text() };
}

/** The tags of a page that describe it, by name. */
function tags(text: string): Record<string, string> {
  const found = text.matchAll(/<meta (?:name|property)="(description|og:\w+|twitter:\w+)" content="([^"]*)">/g);
  return Object.fromEntries(Array.from(found, ([, name = "", content = ""]) => [name, content]));
}
