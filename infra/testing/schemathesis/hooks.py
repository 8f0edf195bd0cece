"""What schemathesis has to know of this service beside its OpenAPI document: ids that exist, and checksums of secrets."""

import hashlib
import hmac
import json
import os
import re
import time
import zlib
from pathlib import Path

import schemathesis
from schemathesis.core.parameters import ParameterLocation

HERE = Path(__file__).parent
# Written by main.ts for one run; scene.ts says what is in it.
WORLD = json.loads(os.environ["SVC_SCHEMATHESIS_KNOWLEDGE"])
EXCEPTIONS = json.loads((HERE / "exceptions.json").read_text())

# One request in eight keeps its drawn id, which names no resource.
DRAWN_EVERY = 8
ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
SECRET = re.compile(r"^(svc_[a-z]+_[0-9A-Za-z]{34})[0-9A-Za-z]{6}$")


@schemathesis.hook
def map_case(context, case):
    """Replaces drawn ids by ids of existing resources. Values that are wrong on purpose stay wrong."""
    if case.meta is None:
        return case
    if not case.meta.is_negative_at(ParameterLocation.HEADER) and comes_from_page(case):
        case.headers["Origin"] = WORLD["origin"]
    choice = zlib.crc32(repr((case.path_parameters, case.body)).encode())
    # schemathesis draws from answers as well, so what an operation ends is never left to it.
    if choice % DRAWN_EVERY == 0 and name_of(case) not in {**WORLD["idsOf"], **WORLD["bodiesOf"]}:
        return case
    if not case.meta.is_negative_at(ParameterLocation.PATH):
        case.path_parameters = known_ids(case)
    if not case.meta.is_negative_at(ParameterLocation.BODY):
        case.body = known_body(case)
    return case


def known_body(case):
    body = with_checksums(case.body)
    if isinstance(body, dict):
        # An acknowledgment repeats the import of its path.
        if "importId" in body:
            body["importId"] = case.path_parameters["importId"]
        body.update(WORLD["bodiesOf"].get(name_of(case), {}))
    return body


def known_ids(case):
    spared = WORLD["idsOf"].get(name_of(case), {})
    known = {**WORLD["ids"], **spared}

    def is_replaced(name, value):
        if case.meta.phase.name.value != "stateful" or name in ("workspaceId", "installationId"):
            return name in known
        # In a sequence of requests the ids of things come from the answers before, but none that ends the caller's session.
        return name in spared and value == WORLD["caller"].get(name)

    drawn = case.path_parameters or {}
    return {name: known[name] if is_replaced(name, value) else value for name, value in drawn.items()}


def name_of(case):
    return case.operation.definition.raw["operationId"]


def comes_from_page(case):
    # The widget of a page has no credential: the origin is all that it shows.
    return principal_of(case) in ("session", "progress") or name_of(case) == "submitFeedback"


def principal_of(case):
    return next((name for scheme in case.operation.definition.raw["security"] for name in scheme), None)


@schemathesis.hook
def before_call(context, case, kwargs):
    if name_of(case) == "receiveBillingEvent" and isinstance(case.body, dict) and "Svc-Signature" in case.headers:
        kwargs["data"] = json.dumps(case.body).encode()
        case.headers["Svc-Signature"] = signature(kwargs["data"])


def signature(body):
    seconds = str(int(time.time()))
    digest = hmac.new(WORLD["billingSecret"].encode(), f"{seconds}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={seconds},v1={digest}"


def with_checksums(value):
    """A pattern cannot ask for a checksum, so the secrets that are drawn get theirs here."""
    if isinstance(value, dict):
        return {name: with_checksums(member) for name, member in value.items()}
    match = SECRET.match(value) if isinstance(value, str) else None
    return value if match is None else match[1] + checksum(match[1])


def checksum(head):
    rest, text = zlib.crc32(head.encode()), ""
    for _ in range(6):
        rest, digit = divmod(rest, 62)
        text = ALPHABET[digit] + text
    return text


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Drops what exceptions.json names, and nothing else."""
    for exception in EXCEPTIONS:
        operations = exception.get("operations")
        if exception["check"] != type(failure).__name__:
            continue
        if operations is not None and name_of(case) not in operations:
            continue
        if response.status_code == exception["status"] and says(exception, response):
            return False
    return True


def says(exception, response):
    """Whether all that the refusal names are faults that the exception is about."""
    pattern = exception.get("faults")
    if pattern is None:
        return True
    message = json.loads(response.content)["error"]["message"].rstrip(".")
    faults = [fault for fault in message.split("; ") if not re.fullmatch(r"and [0-9]+ more", fault)]
    return all(re.search(pattern, fault) for fault in faults)
