import type { IncomingMessage, ServerResponse } from "node:http";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { admitCallers, isLoopback } from "../../services/platform/connect/admission.ts";

const Admission = suite("admission");

/** The status that a caller gets: 200 stands for "let through". */
function statusFor(serviceTokens: string[], remoteAddress: string, presented?: string): number {
  let status = 0;
  const response = { writeHead: (code: number) => (status = code), end: () => {} } as unknown as ServerResponse;
  const request = {
    socket: { remoteAddress },
    headers: { "roost-service-token": presented },
  } as unknown as IncomingMessage;
  admitCallers(serviceTokens, () => (status = 200))(request, response);
  return status;
}

Admission("lets loopback through without a token", () => {
  for (const address of ["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"])
    assert.is(statusFor(["t"], address), 200);
});

Admission("asks everybody else for the token", () => {
  assert.is(statusFor(["secret"], "10.0.0.7"), 401);
  assert.is(statusFor(["secret"], "10.0.0.7", "Secret"), 401);
  assert.is(statusFor(["secret"], "10.0.0.7", ""), 401);
  assert.is(statusFor(["secret"], "10.0.0.7", "secret"), 200);
});

Admission("refuses everybody else when there is no token at all", () => {
  assert.is(statusFor([], "10.0.0.7"), 401);
  assert.is(statusFor([], "10.0.0.7", ""), 401);
  assert.is(statusFor([], "10.0.0.7", "undefined"), 401);
  assert.is(statusFor([""], "10.0.0.7", ""), 401);
});

Admission("takes the new token and the old one while both are known", () => {
  const changing = (presented: string) => statusFor(["new", "old"], "10.0.0.7", presented);
  assert.equal(["new", "old", "new,old", "older", ""].map(changing), [200, 200, 401, 401, 401]);
});

Admission("takes no other address for loopback", () => {
  assert.equal(["1.127.0.0", "::ffff:10.0.0.1", "fe80::1", "", undefined].filter(isLoopback), []);
});

Admission.run();
