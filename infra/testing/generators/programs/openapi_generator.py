import os

import openapi_client as svc

env = os.environ


def client(credential):
    return svc.ApiClient(svc.Configuration(host=env["SVC_URL"], access_token=env[credential]))


check = svc.CheckRequest(namespace="generators", identifier=env["NAME"], limit=100, window=3_600_000)
decision = svc.RateLimitsApi(client("LIMITER_KEY")).check(check).data

event = svc.RecordEventRequest(
    schemaVersion="2026-09-07",
    idempotencyKey=env["NAME"],
    subjectDigest=env["SUBJECT"],
    cohort=svc.SubjectCohort.TEST,
    eventKey="first",
)
recorded = svc.OnboardingChecklistsApi(client("PROJECT")).record_event(env["INSTALLATION_ID"], env["CHECKLIST_ID"], event)

uploaded = svc.CSVImportApi(client("UPLOAD_TOKEN")).upload_import_source(env["IMPORT_ID"], env["CSV"].encode())

received_at = round(recorded.received_at.timestamp() * 1000)
print(str(decision.allowed).lower(), decision.reset_at, recorded.event_id, received_at, uploaded.byte_length)
