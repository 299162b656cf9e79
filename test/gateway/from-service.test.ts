import { Code, ConnectError } from "@connectrpc/connect";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { urlTooLong } from "../../gateway/http/errors/catalog.ts";
import { toPublicError } from "../../gateway/http/errors/from-service.ts";
import { ResponseStatusSchema } from "../../proto/gen/contract/v1/response_status_pb.ts";
import {
  badField,
  conflict,
  invalidFields,
  notFound,
  unauthenticated,
  unavailable,
} from "../../services/platform/errors.ts";

const Errors = suite("gateway errors of services");

const secret = "connect ECONNREFUSED 10.0.0.7:4001";
const words = { errorCode: "Told", message: "As told." };

type Row = [code: Code, status: number, withWords: string, withoutWords: string, retryAfter?: number];
const rows: Row[] = [
  [Code.Canceled, 500, "InternalServerError", "InternalServerError"],
  [Code.Unknown, 500, "InternalServerError", "InternalServerError"],
  [Code.InvalidArgument, 400, "Told", "BadRequest"],
  [Code.DeadlineExceeded, 504, "Timeout", "Timeout"],
  [Code.NotFound, 404, "Told", "NotFound"],
  [Code.AlreadyExists, 400, "Told", "BadRequest"],
  [Code.PermissionDenied, 403, "Told", "InternalServerError"],
  [Code.ResourceExhausted, 429, "Told", "TooManyRequests", 1],
  [Code.FailedPrecondition, 400, "Told", "BadRequest"],
  [Code.Aborted, 503, "ServiceUnavailable", "ServiceUnavailable", 1],
  [Code.OutOfRange, 400, "Told", "BadRequest"],
  [Code.Unimplemented, 405, "Told", "NotImplementedException"],
  [Code.Internal, 500, "InternalServerError", "InternalServerError"],
  [Code.Unavailable, 503, "ServiceUnavailable", "ServiceUnavailable", 1],
  [Code.DataLoss, 500, "InternalServerError", "InternalServerError"],
  [Code.Unauthenticated, 401, "Told", "InternalServerError"],
];

Errors("covers every code there is", () => {
  assert.is(new Set(rows.map(([code]) => code)).size, Object.keys(Code).length / 2);
});

for (const [code, status, withWords, withoutWords, retryAfter] of rows) {
  Errors(`turns ${Code[code]} with words into ${status} ${withWords}`, () => {
    const error = toPublicError(failure(code, words), "ref");
    assert.equal([error.status, error.responseStatus.errorCode, error.retryAfter], [status, withWords, retryAfter]);
    assert.not.match(error.toText(), "10.0.0.7");
  });

  Errors(`says ${withoutWords} for ${Code[code]} without words, and repeats nothing`, () => {
    const error = toPublicError(failure(code), "ref");
    assert.is(error.responseStatus.errorCode, withoutWords);
    assert.not.match(error.toText(), "ECONNREFUSED");
    assert.is(error.toText().includes("Reference: ref"), error.status >= 500);
  });
}

Errors("hands the words and fields of a service through, but never a stack trace", () => {
  const bad = [
    badField("userName", "AlreadyExists", "UserName already exists"),
    badField("password", "Length", "short"),
  ];
  const error = toPublicError(invalidFields(bad), "ref");
  assert.is(
    error.toText(),
    '{"responseStatus":{"errorCode":"AlreadyExists","message":"UserName already exists","errors":[' +
      '{"errorCode":"AlreadyExists","fieldName":"userName","message":"UserName already exists"},' +
      '{"errorCode":"Length","fieldName":"password","message":"short"}]}}',
  );
  const traced = toPublicError(failure(Code.InvalidArgument, { ...words, stackTrace: "at secret.ts" }), "ref");
  assert.is(traced.toText(), '{"responseStatus":{"errorCode":"Told","message":"As told."}}');
});

Errors("knows the errors of the platform's catalog", () => {
  const told = [notFound("gone"), unauthenticated("who?"), conflict("changed"), unavailable()].map((error) =>
    toPublicError(error, "ref").toText(),
  );
  assert.equal(told, [
    '{"responseStatus":{"errorCode":"NotFound","message":"gone"}}',
    '{"responseStatus":{"errorCode":"Unauthorized","message":"who?"}}',
    '{"responseStatus":{"errorCode":"Conflict","message":"changed"}}',
    '{"responseStatus":{"errorCode":"ServiceUnavailable","message":"The service is not available at the moment. Reference: ref"}}',
  ]);
});

Errors("takes anything else for a defect", () => {
  for (const thrown of [new TypeError(secret), secret, undefined, null, { status: 200 }]) {
    const error = toPublicError(thrown, "ref");
    assert.is(error.status, 500);
    assert.is(
      error.toText(),
      '{"responseStatus":{"errorCode":"InternalServerError","message":"Something went wrong on our side. Reference: ref"}}',
    );
  }
});

Errors("leaves the gateway's own errors as they are", () => {
  const own = urlTooLong();
  assert.is(toPublicError(own, "ref"), own);
});

Errors.run();

function failure(code: Code, status?: { errorCode: string; message: string; stackTrace?: string }): ConnectError {
  const details = status === undefined ? [] : [{ desc: ResponseStatusSchema, value: status }];
  return new ConnectError(secret, code, undefined, details);
}
