import * as assert from "uvu/assert";
import { RegistrationRequestSchema } from "../../proto/gen/account/v1/registration_pb.ts";
import { checkContinue } from "../../services/account/domain/continue-url.ts";
import { derivedNames } from "../../services/account/domain/derived-name.ts";
import { checkEmail } from "../../services/account/domain/email.ts";
import { checkNewPassword, passwordForm } from "../../services/account/domain/password.ts";
import { checkReserved, isFreeForNewUser } from "../../services/account/domain/user-name.ts";
import { compileField } from "../../services/platform/rules/field-rules.ts";
import { isAllowedForNewUser, isScreenName } from "../../services/platform/rules/screen-name.ts";
import { suite } from "../support/suite.ts";

const Rules = suite("registration rules");
const checkFirstName = compileField(RegistrationRequestSchema.field.firstName);
const checkUserName = compileField(RegistrationRequestSchema.field.userName);
const none: ReadonlySet<string> = new Set();

Rules("accept user names of contract §6 and no others", () => {
  const good = ["a", "A.b-c_9", "_x", "9", "a".repeat(36), "idsx"];
  const bad = ["", ".a", "-a", "a b", "é", "a\n", "ids", "IDS", "requests", "Search", "a".repeat(37), "a/b", "@a"];
  assert.equal(
    good.filter((name) => !isFreeForNewUser(name, none)),
    [],
  );
  assert.equal(
    bad.filter((name) => isFreeForNewUser(name, none)),
    [],
  );
});

Rules("refuse reserved names in any case, also those of the settings", () => {
  const offices = ["admin", "Root", "support", "moderator", "HELP", "favicon.ico", "robots.txt"];
  assert.equal(
    offices.filter((name) => isAllowedForNewUser(name)),
    [],
  );
  assert.equal(offices.filter(isScreenName), offices);
  const reserved = new Set(["mayor"]);
  const fault = { errorCode: "RegularExpression", message: "'User Name' is not in the correct format." };
  assert.equal({ ...checkReserved("Mayor", reserved) }, { ...checkUserName("Admin"), ...fault });
  assert.is(checkReserved("mayor2", reserved), undefined);
  const form = { displayName: "Mayor", firstName: "", lastName: "" };
  assert.is([...derivedNames(form, none)][0], "mayor");
  assert.not([...derivedNames(form, reserved)].includes("mayor"));
});

Rules("accept a sign-in by a name that was registered before it was reserved", () => {
  assert.equal(["search", "Requests", "ids", "a"].map(isScreenName), [true, true, true, true]);
  assert.equal(["search", "Requests", "ids", "a"].map(isAllowedForNewUser), [false, false, false, true]);
});

Rules("accept usual e-mail addresses and refuse others", () => {
  const good = ["a@b.co", "a.b+c@x-y.example.org", "ü@müller.example", `${"a".repeat(64)}@b.co`];
  const bad = [
    "a",
    "a@b",
    "@b.co",
    "a@",
    "a b@c.de",
    "a@b..co",
    "a@-b.co",
    "a@@b.co",
    ".a@b.co",
    `${"a".repeat(65)}@b.co`,
  ];
  assert.equal(
    good.filter((email) => checkEmail(email)),
    [],
  );
  assert.equal(
    bad.filter((email) => !checkEmail(email)),
    [],
  );
  assert.ok(checkEmail(`a@${"b.".repeat(130)}co`));
});

Rules("check e-mail addresses in linear time", () => {
  // Would not end within the room's deadline if the pattern backtracked.
  for (const text of ["a.".repeat(127), `a@${"b".repeat(252)}`, `a@${"b-".repeat(120)}!`]) checkEmail(text);
});

Rules("measure the minimum of passwords in code points and the maximum in bytes", () => {
  assert.is(checkNewPassword("😀".repeat(8), 8), undefined);
  assert.is(checkNewPassword("x".repeat(1_024), 8), undefined);
  assert.is(checkNewPassword("😀".repeat(7), 8)?.errorCode, "Length");
  assert.is(checkNewPassword("x".repeat(1_025), 8)?.errorCode, "Length");
  assert.is(checkNewPassword("é".repeat(513), 8)?.errorCode, "Length");
});

Rules("measure passwords in the form that is hashed", () => {
  assert.is(checkNewPassword("e\u0301".repeat(7), 8)?.errorCode, "Length");
  assert.is(checkNewPassword("e\u0301".repeat(8), 8), undefined);
  // NFC, as RFC 8265 has it, and every blank a space; not NFKC.
  assert.equal(["Zoe\u0308\u00a0\u3000x", "ﬁ①Ａ"].map(passwordForm), ["Zoë  x", "ﬁ①Ａ"]);
});

Rules("refuse the 10,000 most common passwords in any case", () => {
  const common = ["password", "PassWord", "12345678", "qwertyuiop", "1qaz2wsx", "iloveyou", "24081990"];
  assert.equal(
    common.map((text) => checkNewPassword(text, 8)?.errorCode),
    common.map(() => "RegularExpression"),
  );
  assert.is(checkNewPassword("password", 8)?.message, "'Password' is one of the 10,000 most common passwords.");
  const field = checkNewPassword("password", 8, "newPassword");
  assert.is(field?.message, "'New Password' is one of the 10,000 most common passwords.");
  assert.is(checkNewPassword("correct horse", 8), undefined);
  // A short one is reported as short.
  assert.is(checkNewPassword("123456", 8)?.errorCode, "Length");
});

Rules("accept paths and plain http(s) URLs as continue, and no other", () => {
  const good = ["/", "/home?x=1#y", "http://a.example", "https://a.example:8443/b", "HTTPS://a.example/"];
  const bad = [
    "home",
    "//evil.example",
    "/\\evil.example",
    "http:/a",
    "http://",
    "https:///a",
    "http://u@a.example",
    "http://u:p@a.example/",
  ];
  const worse = [
    "javascript:1",
    "data:,x",
    "/a b",
    "/a\tb",
    "http://a.example/\n",
    "https:\\\\a.example",
    `/${"x".repeat(2_048)}`,
  ];
  assert.equal(
    good.filter((url) => checkContinue(url, undefined)),
    [],
  );
  assert.equal(
    [...bad, ...worse].filter((url) => !checkContinue(url, undefined)),
    [],
  );
});

Rules("accept in continue only listed origins and paths when origins are configured", () => {
  const origins = ["https://a.example"];
  assert.is(checkContinue("https://a.example/x", origins), undefined);
  assert.is(checkContinue("/x", origins), undefined);
  assert.ok(checkContinue("https://b.example/x", origins));
  assert.ok(checkContinue("http://a.example/x", origins));
});

Rules("accept every character in names except C0, C1, U+202A to U+202E and U+2066 to U+2069", () => {
  const ranges = [
    [0x00, 0x1f],
    [0x7f, 0x9f],
    [0x202a, 0x202e],
    [0x2066, 0x2069],
  ] as const;
  for (let code = 0; code <= 0x10ffff; code++) {
    // Lone surrogates are no characters; the gateway refuses them.
    if (code === 0xd800) code = 0xe000;
    const isHidden = ranges.some(([first, last]) => code >= first && code <= last);
    const fault = checkFirstName(`a${String.fromCodePoint(code)}`);
    assert.is(fault?.errorCode, isHidden ? "RegularExpression" : undefined, code.toString(16));
  }
});

Rules("measure all lengths in code points, also beyond the basic plane", () => {
  const lengthOf = (check: (text: string) => unknown) => {
    let length = 0;
    while (check("😀".repeat(length + 1)) === undefined) length++;
    return length;
  };
  assert.is(
    lengthOf((text) => checkFirstName(text)),
    64,
  );
  assert.is(
    lengthOf((text) => checkContinue(`/${text}`, undefined)),
    2_047,
  );
  // The length is checked before the characters.
  assert.is(
    lengthOf((text) => (checkUserName(text)?.errorCode === "Length" ? "Length" : undefined)),
    36,
  );
  assert.is(
    lengthOf((text) => checkEmail(`${"𠀀".repeat(text.length / 2)}@example.com`)),
    64,
  );
  assert.is(checkEmail(`a@${"𠀀𠀀𠀀.".repeat(62)}abcd`), undefined);
  assert.is(checkEmail(`a@${"𠀀𠀀𠀀.".repeat(62)}abcde`)?.errorCode, "Email");
});

Rules("derive names that are valid user names", () => {
  for (const displayName of [
    "Ann Lee",
    "Zoë",
    "山田",
    "…",
    "ids",
    "Requests",
    "search",
    "x".repeat(64),
    "--a--",
    "IDS",
  ]) {
    const names = [...derivedNames({ displayName, firstName: "", lastName: "" }, none)];
    assert.equal(
      names.filter((name) => !isFreeForNewUser(name, none)),
      [],
      displayName,
    );
    assert.ok(names.length >= 8);
  }
});

Rules.run();
