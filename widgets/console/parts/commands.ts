/** The digest of a synthetic subject has as many hexadecimal digits as any. */
const DIGEST_CHARACTERS = 64;

const JSON_HEADER = "-H 'Content-Type: application/json'";
const CREDENTIAL_HEADER = '-H "Authorization: Bearer $CREDENTIAL"';

/** One command in several lines, which a shell reads as one. */
export function lines(...parts: readonly string[]): string {
  return parts.join(' \\\n  ');
}

/** The command with which an agent makes a workspace. It needs no account. */
export function createCommand(origin: string): string {
  const body = '{"name":"my-app","cohort":"external","products":["svcactivate","svcimport"]}';
  return lines(`curl -X POST ${origin}/v1/agent/workspaces`, JSON_HEADER, `-d '${body}'`);
}

/** The command that prints the claim link and its confirm code. Its variables are members of the answer of the creation. */
export function claimCommand(origin: string): string {
  return lines(
    `curl -X POST ${origin}/v1/agent/workspace/claim-link`,
    CREDENTIAL_HEADER,
    JSON_HEADER,
    `-d '{"provisionToken":"'$PROVISION_TOKEN'"}'`,
  );
}

/** The command of a backend that reports a checklist step: the first accepted event is a verified result. */
export function resultCommand(origin: string): string {
  const path = '/v1/installations/$INSTALLATION_ID/svcactivate/checklists/$CHECKLIST_ID/events';
  const event =
    '{"schemaVersion":"2026-09-07","idempotencyKey":"first-event","cohort":"test","eventKey":"' +
    "'$STEP_KEY'" +
    '",' +
    `"subjectDigest":"${'0'.repeat(DIGEST_CHARACTERS)}"}`;
  return lines(`curl -X POST ${origin}${path}`, CREDENTIAL_HEADER, JSON_HEADER, `-d '${event}'`);
}

/** Creates a feedback widget with the command-line tool. */
export const WIDGET_COMMAND = 'svc feedback create --origin https://app.example.com';

/** The same over HTTP. */
export function widgetCommand(origin: string): string {
  const body =
    '{"schemaVersion":"2026-08-27","idempotencyKey":"first-widget","origin":"https://app.example.com"}';
  const path = '/v1/installations/$INSTALLATION_ID/svcfeedback/widgets';
  return lines(`curl -X POST ${origin}${path}`, CREDENTIAL_HEADER, JSON_HEADER, `-d '${body}'`);
}

/** The command of an agent that configures a checklist of one step. */
export function checklistCommand(origin: string): string {
  const step =
    '{"key":"connect_feed","label":"Connect a feed","description":"Your first data.","actionPath":"/feeds/new"}';
  const configuration = `{"name":"First steps","allowedOrigins":[],"steps":[${step}]}`;
  const body = `{"schemaVersion":"2026-09-07","idempotencyKey":"first-steps","configuration":${configuration}}`;
  const path = '/v1/installations/$INSTALLATION_ID/svcactivate/checklists';
  return lines(`curl -X POST ${origin}${path}`, CREDENTIAL_HEADER, JSON_HEADER, `-d '${body}'`);
}
