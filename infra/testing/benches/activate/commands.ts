import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import { enrollmentOf, retryKeyOf } from '../../../../gateway/activate/subject.ts';
import type { SecretKeys } from '../../../../gateway/services.ts';
import type { eventRequestSchema } from '../../../../schemas/activate/http.ts';
import { ID_BYTES, idFrom } from '../../../../schemas/base/ids.ts';
import type { Lifecycle } from '../../../../schemas/workspaces/lifecycle.ts';
import type { KeyedCommand } from '../events/records.ts';
import { CONFIGURATION, LIMITS } from './checklist.ts';

/** The ids that the events of one installation belong to. */
export interface Place {
  readonly installationId: string;
  readonly checklistId: string;
}

/** The installation's own credential. */
const AGENT = { kind: 'agent', id: idFrom('credential', randomBytes(ID_BYTES)) } as const;

/** Returns the first commands of an installation: they create a workspace in its preview, and one checklist. */
export function beginningOf({ installationId, checklistId }: Place): KeyedCommand[] {
  const lifecycle: Lifecycle = {
    version: 1,
    state: 'preview',
    plan: 'preview',
    expiresAt: Date.now() + LIMITS.workspace.previewMs,
    products: ['svcactivate'],
  };
  const about = { topic: 'activate', aggregate: installationId, actor: AGENT } as const;
  const checklist = { checklistId, configuration: CONFIGURATION };
  return [
    { ...about, ...commandOf('lifecycle', 'create', lifecycle) },
    { ...about, ...commandOf('create-checklist', 'checklist', checklist) },
  ];
}

function commandOf<Input>(type: string, key: string, input: Input) {
  return { type, operation: type, key, input, digestInput: input };
}

/** The command for an event that a backend reports. */
export function eventCommand(
  place: Place,
  body: z.infer<typeof eventRequestSchema>,
  secrets: SecretKeys,
): Omit<KeyedCommand, 'topic'> {
  const { installationId, checklistId } = place;
  const { subjectDigest, cohort, eventKey } = body;
  return {
    aggregate: installationId,
    type: 'record-event',
    operation: 'recordEvent',
    key: retryKeyOf(secrets, installationId, body.idempotencyKey),
    digestInput: { path: place, body },
    actor: AGENT,
    input: {
      checklistId,
      cohort,
      enrollment: enrollmentOf(secrets, { ...place, cohort, subjectDigest }),
      eventKey,
      eventId: idFrom('event', randomBytes(ID_BYTES)),
    },
  };
}
