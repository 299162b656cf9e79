# gRPC by Debian's grpcio, without generated code: the messages come from the descriptors. Prints one JSON object.
import json
import sys
import uuid

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

descriptors, account, social = sys.argv[1:]
pool = descriptor_pool.DescriptorPool()
with open(descriptors, "rb") as file:
    for proto in descriptor_pb2.FileDescriptorSet.FromString(file.read()).file:
        pool.Add(proto)


def message(name):
    return message_factory.MessageFactory(pool).GetPrototype(pool.FindMessageTypeByName(name))


def call(target, service, method, request, viewer=None, **options):
    rpc = pool.FindServiceByName(service).FindMethodByName(method)
    headers = [] if viewer is None else [("roost-viewer", str(viewer))]
    with grpc.insecure_channel(target) as channel:
        ask = channel.unary_unary(
            f"/{service}/{method}",
            request_serializer=lambda given: given.SerializeToString(),
            response_deserializer=message(rpc.output_type.full_name).FromString,
        )
        return ask(message(rpc.input_type.full_name)(**request), metadata=headers, **options)


accounts = ("account.v1.AccountService", "Registration")
person = {"user_name": "pythonist", "password": "correct horse"}
user = call(account, *accounts, person, timeout=60, compression=grpc.Compression.Gzip).user_id
status = {"user_id": user, "text": "From Python: ünï ✓", "request_id": str(uuid.uuid4())}
published = call(social, "social.people.v1.PeopleService", "PublishStatus", status, viewer=user, timeout=60).results[0]
page = call(social, "social.v1.SocialService", "SocialTimelines", {"screen_name": "PYTHONIST"})
try:
    call(account, *accounts, person, timeout=60)
    refusal = None
except grpc.RpcError as error:
    refusal = [error.code().name, error.details()]
print(json.dumps({"same": published.id == page.results[0].id, "text": page.results[0].text, "refusal": refusal}))
