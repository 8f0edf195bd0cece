"""Runs the guide infra/docs/csv-import.md with the client that openapi-python-client has generated as the package `svc`."""

import hashlib
import importlib
import io
import os
import pkgutil
import sys
import time
import typing

import svc.api
from svc import AuthenticatedClient, Client
from svc.types import File

BASE, SET_UP_CODE = os.environ["FRESH_URL"], os.environ["SET_UP_CODE"]
MODULES = {
    each.name.rsplit(".", 1)[-1]: each.name
    for each in pkgutil.walk_packages(svc.api.__path__, "svc.api.")
    if not each.ispkg
}
VALIDATION_SECONDS_MAX = 90


def ask(operation, client, body=None, **rest):
    """Sends a request. Ends the program unless the answer is a success that the client can read."""
    call = importlib.import_module(MODULES[operation]).sync_detailed
    kinds = typing.get_type_hints(call)
    if isinstance(body, dict):
        body = kinds["body"].from_dict(body)
    if "origin" in kinds and "origin" not in rest and client is owner:
        rest["origin"] = BASE
    answer = call(client=client, **rest, **({} if body is None else {"body": body}))
    if answer.status_code >= 300 or (answer.content and answer.parsed is None):
        sys.exit(f"{operation}: {answer.status_code} {answer.content!r}")
    print(operation, int(answer.status_code))
    return answer.parsed


def bearer(secret):
    return AuthenticatedClient(base_url=BASE, token=secret)


owner = Client(base_url=BASE)
workspace = ask("create_workspace", Client(base_url=BASE), {"name": "Orders", "cohort": "dogfood", "products": ["svcimport"]})
agent = bearer(workspace.credential)
here = {"installation_id": workspace.installation_id}
fields = [
    {"key": "code", "type": "text", "required": True, "maxLength": 20},
    {"key": "amount", "type": "decimal", "required": True, "precision": 8, "scale": 2},
    {"key": "ordered", "type": "date", "required": False, "format": "DD.MM.YYYY"},
]
configuration = {
    "name": "Orders",
    "allowedOrigins": ["https://app.example"],
    "schema": {"version": "svcimport.schema.v1", "revision": 1, "fields": fields},
}
schema = ask(
    "create_import_schema",
    agent,
    {"version": "svcimport.configure.v1", "idempotencyKey": "schema-1", "configuration": configuration},
    **here,
)
there = {**here, "schema_id": schema.schema_id}

source = b"Code,Amount,Day\nA-1,12.50,31.01.2026\nA-2,7,\n"
reserved = ask(
    "reserve_import",
    agent,
    {
        "version": "svcimport.upload.v1",
        "idempotencyKey": "orders-1",
        "revision": 1,
        "byteLength": len(source),
        "sha256": hashlib.sha256(source).hexdigest(),
    },
    **there,
)
import_id = reserved.import_id
ask("upload_import_source", bearer(reserved.upload_token), File(payload=io.BytesIO(source)), import_id=import_id)

columns = [
    {"source": name, "target": target} for name, target in (("Code", "code"), ("Amount", "amount"), ("Day", "ordered"))
]
mapping = {"version": "svcimport.mapping.v1", "revision": 1, "columns": columns}
ask("map_import", agent, mapping, **here, import_id=import_id)
ask(
    "validate_import",
    agent,
    {"version": "svcimport.validate.v1", "idempotencyKey": "orders-1-first"},
    **here,
    import_id=import_id,
)
for _ in range(VALIDATION_SECONDS_MAX):
    status = ask("read_import", agent, **here, import_id=import_id).status
    if status != "validating":
        break
    time.sleep(1)
if status != "ready":
    sys.exit(f"the import is {status}")
binding = ask("read_import_binding", agent, **here, import_id=import_id)

person = {"email": "you@example.com", "password": "correct horse battery"}
ask("set_up", owner, {"code": SET_UP_CODE, "organization": "Example", **person})
ask("sign_in", owner, person)
link = ask("open_claim_link", agent, {"provisionToken": workspace.provision_token})
ask("attach_claim", owner, {"code": link.claim_url.split("#")[1], "confirm": link.confirm_code})
console = {"workspace_id": workspace.workspace_id}
ask("read_import_rows", owner, **console, import_id=import_id)
ask("approve_import", owner, {"validationDigest": binding.validation_digest}, **console, import_id=import_id)

capability = ask(
    "create_capability",
    owner,
    {
        "idempotencyKey": "backend-1",
        "name": "Backend",
        "origin": "https://app.example",
        "expiresInDays": 30,
        "delegateApproval": False,
    },
    **console,
    schema_id=schema.schema_id,
)
backend = bearer(capability.capability)
delivery = {**console, "schema_id": schema.schema_id}
ask("list_deliveries", backend, **delivery)
batch = ask("read_batch", backend, **delivery, import_id=import_id, index=0)
rows = [row.to_dict() for row in batch.rows]
if [row["values"]["code"] for row in rows] != ["A-1", "A-2"]:
    sys.exit(f"the rows are {rows}")
ack = {
    "version": "svcimport.ack.v1",
    "status": "accepted",
    "batchId": batch.batch_id,
    "acceptedRowIds": [row["rowId"] for row in rows],
}
acknowledgment = {"version": "svcimport.acknowledge.v1", "importId": import_id, "ack": ack}
ask("acknowledge_batch", backend, acknowledgment, **delivery, import_id=import_id)
if ask("read_delivery", backend, **delivery, import_id=import_id).status != "delivered":
    sys.exit("the import is not delivered")
ask("mint_import_session", backend, {"version": "svcimport.mint-session.v1"}, **delivery)
ask("erase_import", owner, {"confirm": import_id}, **console, import_id=import_id)
