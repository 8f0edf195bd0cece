import { randomBytes } from 'node:crypto';
import { createWorkspacesFold } from '../../../processors/workspaces/fold.ts';
import type { Envelope } from '../../../schemas/base/command.ts';
import { digestOf } from '../../../schemas/base/digest.ts';
import { requestIdFrom } from '../../../schemas/base/ids.ts';
import type { JsonObject } from '../../../schemas/base/json.ts';
import { DEFAULT_LIMITS } from '../../../schemas/limits.ts';
import type { LogRecord } from '../../../topics/ports/log.ts';
import type { Evidence } from './check.ts';
import { type Operation, type Promised, settled } from './history.ts';
import { refold } from './refold.ts';

/** When the first record of the topics is appended, in Unix milliseconds. */
export const BEGAN_AT = Date.UTC(2026, 10, 21);

export const INSTALLATION = 'ins_aaaaaaaaaaaaaaaaaaaaaaaa';
const REQUEST_ID_BYTES = 18;
const FOLDS = [createWorkspacesFold(DEFAULT_LIMITS)];

/** A creation of a workspace as the topic carries it. The same creation again has the same key. */
export function creation(installationId = INSTALLATION, name = 'Orders'): LogRecord {
  const input: JsonObject = {
    name,
    cohort: 'dogfood',
    products: [],
    provisionDigest: digestOf([installationId, 'provision']),
    credential: {
      credentialId: `crd_${installationId.slice(4)}`,
      number: 1,
      digest: digestOf([installationId, 'credential']),
      lastFour: 'last',
    },
  };
  const envelope: Envelope = {
    envelope: 1,
    type: 'create',
    operation: 'createWorkspace',
    key: installationId,
    keyFrom: 'client',
    inputDigest: digestOf(input),
    requestId: requestIdFrom(randomBytes(REQUEST_ID_BYTES)),
    replyTo: null,
    notAfter: null,
    issuedAt: BEGAN_AT,
    actor: { kind: 'agent', id: 'agent' },
    input,
  };
  return {
    topic: 'workspaces',
    key: installationId,
    value: JSON.stringify(envelope),
    generation: 1,
    partition: 0,
    offset: 0,
    appendedAt: BEGAN_AT,
  };
}

/** A request that was acknowledged, with what it promised. */
export function acknowledged(promised: readonly Promised[], name = 'create workspace'): Operation {
  const attempt = { endedAt: 1, answer: 'acknowledged', said: '201', promised } as const;
  return { name, quota: null, refusals: [], attempts: [attempt] };
}

export function promisedWorkspace(installationId = INSTALLATION): Promised {
  return { row: { table: 'workspaces', aggregate: installationId, kind: '', id: '' } };
}

/** Returns the evidence of a sound service: the records in order, their folded state, and clients with its answers. */
export function soundEvidence(given: readonly LogRecord[] = [creation()]): Evidence {
  const records = given.map((record, offset) => ({ ...record, offset, appendedAt: BEGAN_AT + offset }));
  const refolded = refold(records, FOLDS);
  const operations = [...new Set(records.map(({ key }) => key))].map((key) =>
    acknowledged([promisedWorkspace(key)]),
  );
  const commands = refolded.effects.flatMap((effect, offset): LogRecord[] =>
    effect.kind === 'append'
      ? [
          {
            ...creation(),
            topic: effect.topic,
            key: effect.key,
            value: JSON.stringify(effect.envelope),
            offset,
          },
        ]
      : [],
  );
  return {
    operations,
    stored: new Map(refolded.aggregates),
    records: [...records, ...commands],
    refolded,
    counted: [{ table: 'workspaces', kind: '' }],
  };
}

/** The same operation with its last answer exchanged. */
export function answered(operation: Operation, answer: 'refused' | 'unknown', said: string): Operation {
  const endedAt = settled(operation)?.endedAt ?? 1;
  return { ...operation, attempts: [{ endedAt, answer, said, promised: [] }] };
}
