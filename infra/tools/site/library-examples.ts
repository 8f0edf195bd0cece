// Writes examples with the client library, for the operations that it has a call for.
import type { JsonValue } from '../../../schemas/base/json.ts';
import type { Operation } from './openapi.ts';

type Fields = Readonly<Record<string, JsonValue>>;

/** Writes code from the address of the service and the example of the body. */
type Write = (address: string, sent: Fields) => string;

const checklist = (address: string, { cohort = 'test' }: Fields) => `  baseUrl: '${address}',
  credential: process.env.SVC_CREDENTIAL,
  installationId: process.env.INSTALLATION_ID,
  checklistId: process.env.CHECKLIST_ID,
  cohort: ${literal(cohort)},`;

const schema = (address: string) => `  baseUrl: '${address}',
  capability: process.env.SVC_CAPABILITY,
  workspaceId: process.env.WORKSPACE_ID,
  schemaId: process.env.SCHEMA_ID,`;

const CALLS: Readonly<Record<string, Write>> = {
  check: (address, sent) => `import { limiter } from 'svc-client';

const limits = limiter({
  baseUrl: '${address}',
  key: process.env.LIMITER_KEY,
  onNoAnswer: 'allow',
});
const decision = await limits.check(${literal(sent)});
console.log(decision.allowed, decision.remaining);`,

  recordEvent: (address, sent) => `import { events } from 'svc-client';

const milestones = events({
${checklist(address, sent)}
});
const { outcome } = await milestones.record(${literal(only(sent, ['idempotencyKey', 'subjectDigest', 'eventKey']))});
console.log(outcome);`,

  issueProgressSession: (address, sent) => `import { createProgressSession } from 'svc-client';

const { token, expiresAt } = await createProgressSession({
${checklist(address, sent)}
  subjectDigest: ${literal(sent['subjectDigest'] ?? '')},
  origin: ${literal(sent['origin'] ?? '')},
});
console.log(token, expiresAt);`,

  mintImportSession: (address) => `import { createSession } from 'svc-client';

const { sessionToken, expiresAt } = await createSession({
${schema(address)}
});
console.log(sessionToken, expiresAt);`,

  // The loop pulls the batches of every approved import, this one too.
  readBatch: (address) => `import { delivery } from 'svc-client';

const batches = delivery({
${schema(address)}
});
for await (const { batchId, rows } of batches) {
  console.log(batchId, rows); // the service gets the acknowledgment when the body ends
}`,

  acknowledgeBatch: (address, { ack }) => {
    const { batchId = '', acceptedRowIds = [] } = Object(ack) as Fields;
    return `import { delivery } from 'svc-client';

const batches = delivery({
${schema(address)}
});
const { acknowledgedAt, remainingBatches } = await batches.acknowledge({
  importId: process.env.IMPORT_ID,
  batchId: ${literal(batchId)},
  rowIds: ${literal(acceptedRowIds, '  ')},
});
console.log(acknowledgedAt, remainingBatches);`;
  },
};

/** Returns the call of the client library for an operation, or null if it has none. */
export function libraryCallOf({ name, body }: Operation, address: string): string | null {
  return CALLS[name]?.(address, (body?.example ?? {}) as Fields) ?? null;
}

function only(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
}

/** Writes a value as JavaScript does, each member on its own line. The examples have no quotes in their texts. */
function literal(value: JsonValue, margin = ''): string {
  const inner = `${margin}  `;
  const lines = (open: string, members: readonly string[], close: string) =>
    `${open}\n${members.map((member) => `${inner}${member},\n`).join('')}${margin}${close}`;
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) {
    const entries: readonly JsonValue[] = value;
    return lines(
      '[',
      entries.map((each) => literal(each, inner)),
      ']',
    );
  }
  const members = Object.entries(value as Fields).map(([name, each]) => `${name}: ${literal(each, inner)}`);
  return lines('{', members, '}');
}
