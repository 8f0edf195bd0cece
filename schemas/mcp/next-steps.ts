import { ERRORS, type ErrorCode, type ErrorStatus } from '../base/error-codes.ts';

const ASK_THE_OWNER = 'Ask the owner of the workspace. An agent cannot change this.';
const NEW_WORKSPACE =
  'Create a new workspace with `workspace create` of the command-line tool or POST /v1/agent/workspaces, and use its credential.';
const REPEAT = 'Call the tool again with the same arguments, the same idempotencyKey included.';
const UPLOAD_AGAIN = 'Upload the file again with `import upload` for a new importId.';

/** The next step of an agent after an error, by its status. */
const BY_STATUS: Readonly<Record<ErrorStatus, string>> = {
  400: 'Correct the argument that the message names, and call the tool again.',
  401: 'Send the project credential of the workspace as a bearer token.',
  402: ASK_THE_OWNER,
  403: ASK_THE_OWNER,
  404: 'Call list_imports for the ids of imports, or discover_limits for those of schemas.',
  405: 'Send the request with POST.',
  409: 'Call read_counts, and act on the state that it returns.',
  410: UPLOAD_AGAIN,
  413: 'Send fewer or shorter arguments.',
  415: 'Send JSON.',
  429: 'Wait as long as retryAfterSeconds says, then call the tool again.',
  500: REPEAT,
  503: REPEAT,
};

/** Steps that differ from that of the status, by the code. */
const BY_CODE: Partial<Record<ErrorCode, string>> = {
  workspace_paused: 'Ask the owner to resume the workspace in the console, then call the tool again.',
  workspace_disconnected: NEW_WORKSPACE,
  claim_required: 'Open a claim link with `workspace claim`, and let a person claim the workspace.',
  product_not_enabled: NEW_WORKSPACE,
  origin_not_allowed: BY_STATUS[400],
  idempotency_conflict: 'Call the tool again with a new idempotencyKey, or with the first arguments.',
  revision_conflict:
    'Read the current revision with discover_limits for a schema, or read_counts for a mapping, and send the next one.',
  acknowledgment_conflict: ASK_THE_OWNER,
  state_conflict: 'Call read_counts, and act on the status that it returns.',
  upload_conflict: UPLOAD_AGAIN,
  expired:
    'Call discover_limits. If the workspace has expired, create a new one; else upload the file again.',
  limit_reached: 'Call discover_limits to see what is left, and when the limit starts again.',
};

/** Steps that a tool knows better, by its name. */
const BY_TOOL: Readonly<Record<string, Partial<Record<ErrorCode, string>>>> = {
  configure_schema: {
    revision_conflict: 'Call discover_limits for the current revision, and send the next one.',
    limit_reached: 'Revise one of the schemas that discover_limits lists: give its schemaId.',
  },
  submit_mapping: {
    revision_conflict: 'Call read_counts, and send `mappingRevision` and 1 more; without one, send 1.',
  },
  queue_validation: {
    limit_reached:
      'If retryAfterSeconds is there, another validation runs: wait, then call the tool again. Else upload the file again.',
    state_conflict:
      'Call read_counts. `reserved`: upload the file first. `uploaded` without mappingRevision: call submit_mapping first.',
  },
};

/** Returns what an agent does after an error of a tool. */
export function nextStep(tool: string, code: ErrorCode): string {
  return BY_TOOL[tool]?.[code] ?? BY_CODE[code] ?? BY_STATUS[ERRORS[code].status];
}
