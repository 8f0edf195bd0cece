import { BUN } from '../../../../schemas/base/bun.ts';

/** The newest release of the command-line tool, below `/downloads/` of the base host. */
export const TOOL_FILE = 'svc-cli-v0.4.0.js';
/** The beginning of every command of the tool. Node runs it too. */
export const TOOL = lines(BUN, TOOL_FILE);

const JSON_HEADER = "-H 'Content-Type: application/json'";
const CREDENTIAL_HEADER = '-H "Authorization: Bearer $CREDENTIAL"';

/** One command in several lines, which a shell reads as one. */
export function lines(...parts: readonly string[]): string {
  return parts.join(' \\\n  ');
}

export function downloadCommand(base: string): string {
  return `curl -fsSO ${base}/downloads/${TOOL_FILE}`;
}

/** The command with which an agent makes a workspace. It needs no account. */
export function createCommand(base: string): string {
  return lines(
    `${TOOL} workspace create --name my-app`,
    '--cohort external --products svcactivate,svcimport',
    `--base-url ${base}`,
  );
}

/** The command that makes a claim link and prints its confirm code. */
export const CLAIM_COMMAND = `${TOOL} workspace claim`;

/** The command that reports a milestone of a synthetic subject: the first accepted event is a verified result. */
export const RESULT_COMMAND = `${TOOL} activate test --checklist $CHECKLIST_ID --event $STEP_KEY`;

/** The command that configures a schema. */
export const SCHEMA_COMMAND = `${TOOL} import configure --config schema.json`;

/** The command that configures a checklist of one step. */
export const CHECKLIST_COMMAND = checklistCommand();

/** The request with which a backend lists the imports that it has not pulled yet. The shell keeps the capability. */
export function pullCommand(base: string, workspaceId: string, schemaId: string): string {
  const path = `/v1/import/delivery/${workspaceId}/${schemaId}/imports?filter=undelivered`;
  return lines(`curl '${base}${path}'`, '-H "Authorization: Bearer $CAPABILITY"');
}

/** The command that creates a feedback widget. */
export const WIDGET_COMMAND = `${TOOL} feedback create --origin https://app.example.com`;

/** The same over HTTP. */
export function widgetCommand(origin: string): string {
  const body =
    '{"schemaVersion":"2026-08-27","idempotencyKey":"first-widget","origin":"https://app.example.com"}';
  const path = '/v1/installations/$INSTALLATION_ID/svcfeedback/widgets';
  return lines(`curl -X POST ${origin}${path}`, CREDENTIAL_HEADER, JSON_HEADER, `-d '${body}'`);
}

function checklistCommand(): string {
  const step =
    '{"key":"connect_feed","label":"Connect a feed","description":"Your first data.","actionPath":"/feeds/new"}';
  const configuration = `{"name":"First steps","allowedOrigins":[],"steps":[${step}]}`;
  return lines(`${TOOL} activate create --configuration-json`, `'${configuration}'`);
}
