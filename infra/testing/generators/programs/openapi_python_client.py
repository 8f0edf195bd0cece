import io
import os

from svc import AuthenticatedClient
from svc.api.csv_import import upload_import_source
from svc.api.onboarding_checklists import record_event
from svc.api.rate_limits import check
from svc.models import CheckRequest, RecordEventRequest, SubjectCohort
from svc.types import File

env = os.environ


def client(credential):
    return AuthenticatedClient(base_url=env["SVC_URL"], token=env[credential], raise_on_unexpected_status=True)


request = CheckRequest(namespace="generators", identifier=env["NAME"], limit=100, window=3_600_000)
decision = check.sync(client=client("LIMITER_KEY"), body=request).data

event = RecordEventRequest(
    schema_version="2026-09-07",
    idempotency_key=env["NAME"],
    subject_digest=env["SUBJECT"],
    cohort=SubjectCohort.TEST,
    event_key="first",
)
recorded = record_event.sync(env["INSTALLATION_ID"], env["CHECKLIST_ID"], client=client("PROJECT"), body=event)

source = File(payload=io.BytesIO(env["CSV"].encode()))
uploaded = upload_import_source.sync(env["IMPORT_ID"], client=client("UPLOAD_TOKEN"), body=source)

received_at = round(recorded.received_at.timestamp() * 1000)
print(str(decision.allowed).lower(), decision.reset_at, recorded.event_id, received_at, uploaded.byte_length)
