import { create, type Message, ScalarType } from "@bufbuild/protobuf";
import { createRouterTransport } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import { publicServices } from "../../gateway/clients.ts";
import { maxTextLength } from "../../gateway/http/limits/limits.ts";
import { compileOperations } from "../../gateway/operations/operation-table.ts";
import { publicFields, publicName } from "../../gateway/rendering/public-fields.ts";
import { parseLogin } from "../../services/account/domain/login.ts";
import { isScreenName } from "../../services/platform/rules/screen-name.ts";
import { statusTextFault } from "../../services/social/domain/status-text.ts";
import { suite } from "../support/suite.ts";

const LongTexts = suite("gateway binder: texts that are longer than any field allows");

const transport = createRouterTransport(() => {});
const operations = compileOperations(publicServices({ publicOperations: "all" }, { transport }, { transport }));

/** Texts of a megabyte: with blanks around them, and with a beginning that alone would be valid. */
const texts = [
  "x".repeat(1_000_000),
  `${" \t".repeat(maxTextLength)}${"é".repeat(400_000)}\n`,
  `x${"\u{1F426}".repeat(250_000)}`,
  `https://example.org/${"x".repeat(1_000_000)}`,
  `${"x".repeat(1_000_000)}@example.org`,
];

/** What services make of texts that no rule of the contract's annotations refuses. */
const inServices: Record<string, (text: string) => unknown> = {
  screenName: isScreenName,
  screenNames: isScreenName,
  inReplyToScreenName: isScreenName,
  text: (text) => statusTextFault(text, 280),
  userName: parseLogin,
  provider: (text) => text.toLowerCase() === "credentials",
};

for (const { name, method, bind, checkRules } of operations) {
  for (const field of publicFields(method.input)) {
    if (field.scalar !== ScalarType.STRING) continue;
    LongTexts(`are refused by the same rule when they are cut: ${publicName(field)} of ${name}`, () => {
      for (const text of texts) {
        const given = field.fieldKind === "list" ? [text] : text;
        const whole = create(method.input, { [field.localName]: given });
        const bound = bind({ [publicName(field)]: given }, []) as Message & Record<string, string | string[]>;
        assert.equal(checkRules(bound), checkRules(whole));
        const cut = [bound[field.localName]].flat()[0]!;
        assert.is(cut.length, maxTextLength);
        const refused = checkRules(whole).some(({ fieldName }) => fieldName === publicName(field));
        if (!refused) assert.equal(inServices[field.localName]?.(cut), inServices[field.localName]?.(text));
        assert.ok(refused || field.localName in inServices);
      }
    });
  }
}

const { bind: registration } = operations.find(({ name }) => name === "Registration")!;
const userNameOf = (json: object, pairs: (readonly [string, string])[] = []) =>
  (registration(json as Record<string, unknown>, [pairs]) as unknown as { userName: string }).userName;

LongTexts("are compared whole where one is given twice", () => {
  const twice = (...ends: string[]) => ends.map((end) => ["userName", `${"a".repeat(maxTextLength)}${end}`] as const);
  assert.throws(() => userNameOf({}, twice("x", "y")));
  assert.is(userNameOf({}, twice("x", "x")), "a".repeat(maxTextLength));
});

LongTexts("are sent unchanged when only blanks around them make them long", () => {
  const text = `${" ".repeat(2 * maxTextLength)}ann`;
  assert.is(userNameOf({ userName: text }), text);
});

LongTexts.run();
