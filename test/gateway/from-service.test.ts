import { Code, ConnectError } from "@connectrpc/connect";
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
import { suite } from "../support/suite.ts";

const Errors = suite("services' errors at the gateway");

const secret = "connect ECONNREFUSED 10.0.0.7:4001";
const details = { errorCode: "Given", message: "As given." };

type Row = [code: Code, status: number, withDetails: string, withoutDetails: string, retryAfter?: number];
const rows: Row[] = [
  [Code.Canceled, 500, "InternalServerError", "InternalServerError"],
  [Code.Unknown, 500, "InternalServerError", "InternalServerError"],
  [Code.InvalidArgument, 400, "Given", "BadRequest"],
  [Code.DeadlineExceeded, 504, "Timeout", "Timeout"],
  [Code.NotFound, 404, "Given", "NotFound"],
  [Code.AlreadyExists, 400, "Given", "BadRequest"],
  [Code.PermissionDenied, 403, "Given", "InternalServerError"],
  [Code.ResourceExhausted, 429, "Given", "TooManyRequests", 1],
  [Code.FailedPrecondition, 400, "Given", "BadRequest"],
  [Code.Aborted, 503, "ServiceUnavailable", "ServiceUnavailable", 1],
  [Code.OutOfRange, 400, "Given", "BadRequest"],
  [Code.Unimplemented, 405, "Given", "NotImplementedException"],
  [Code.Internal, 500, "InternalServerError", "InternalServerError"],
  [Code.Unavailable, 503, "ServiceUnavailable", "ServiceUnavailable", 1],
  [Code.DataLoss, 500, "InternalServerError", "InternalServerError"],
  [Code.Unauthenticated, 401, "Given", "InternalServerError"],
];

Errors("cover every code of Connect", () => {
  assert.is(new Set(rows.map(([code]) => code)).size, Object.keys(Code).length / 2);
});

for (const [code, status, withDetails, withoutDetails, retryAfter] of rows) {
  Errors(`with the code ${Code[code]} and details become ${status} ${withDetails}`, () => {
    const error = toPublicError(failure(code, details), "ref");
    assert.equal([error.status, error.responseStatus.errorCode, error.retryAfter], [status, withDetails, retryAfter]);
    assert.not.match(error.toText(), "10.0.0.7");
  });

  Errors(`with the code ${Code[code]} without details become ${withoutDetails}, without the service's text`, () => {
    const error = toPublicError(failure(code), "ref");
    assert.is(error.responseStatus.errorCode, withoutDetails);
    assert.not.match(error.toText(), "ECONNREFUSED");
    assert.is(error.toText().includes("Reference: ref"), error.status >= 500);
  });
}

Errors("keep the service's message and fields, but never a stack trace", () => {
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
  const traced = toPublicError(failure(Code.InvalidArgument, { ...details, stackTrace: "at secret.ts" }), "ref");
  assert.is(traced.toText(), '{"responseStatus":{"errorCode":"Given","message":"As given."}}');
});

Errors("of the platform's catalog keep their codes", () => {
  const texts = [notFound("gone"), unauthenticated("who?"), conflict("changed"), unavailable()].map((error) =>
    toPublicError(error, "ref").toText(),
  );
  assert.equal(texts, [
    '{"responseStatus":{"errorCode":"NotFound","message":"gone"}}',
    '{"responseStatus":{"errorCode":"Unauthorized","message":"who?"}}',
    '{"responseStatus":{"errorCode":"Conflict","message":"changed"}}',
    '{"responseStatus":{"errorCode":"ServiceUnavailable","message":"The service is not available at the moment. Reference: ref"}}',
  ]);
});

Errors("of any other kind become 500 with a reference", () => {
  for (const thrown of [new TypeError(secret), secret, undefined, null, { status: 200 }]) {
    const error = toPublicError(thrown, "ref");
    assert.is(error.status, 500);
    assert.is(
      error.toText(),
      '{"responseStatus":{"errorCode":"InternalServerError","message":"Something went wrong on our side. Reference: ref"}}',
    );
  }
});

Errors("are distinguished from the gateway's own errors, which stay unchanged", () => {
  const own = urlTooLong();
  assert.is(toPublicError(own, "ref"), own);
});

Errors.run();

function failure(code: Code, status?: { errorCode: string; message: string; stackTrace?: string }): ConnectError {
  const details = status === undefined ? [] : [{ desc: ResponseStatusSchema, value: status }];
  return new ConnectError(secret, code, undefined, details);
}
