import type { z } from 'zod';
import type { ChecklistConfiguration } from '../../../../schemas/activate/configuration.ts';
import { CHECKLIST_SCHEMA_VERSION, type eventRequestSchema } from '../../../../schemas/activate/http.ts';
import { mergeLimits } from '../../../../schemas/limits.ts';
import { EVENTS_A_SUBJECT, turnOf } from '../events/turns.ts';

type EventRequest = z.infer<typeof eventRequestSchema>;

const OUT_OF_REACH = 1_000_000_000;
const DIGEST_CHARACTERS = 64;

/** Everything is decided as always, and nothing is ever refused. */
export const LIMITS = mergeLimits({
  plans: { preview: { checklistEnrollments: OUT_OF_REACH, checklistEvents: OUT_OF_REACH } },
  workspace: { createdPerAddressHour: OUT_OF_REACH, createdPerAddressDay: OUT_OF_REACH },
  http: { managementPerMinute: OUT_OF_REACH, deliveryPerMinute: OUT_OF_REACH },
});

const KEYS = Array.from({ length: EVENTS_A_SUBJECT }, (_, index) => `step-${index}`);

/** The checklist of every installation, with the greatest number of steps that is allowed. */
export const CONFIGURATION: ChecklistConfiguration = {
  name: 'Getting started',
  allowedOrigins: ['https://app.example'],
  steps: KEYS.map((key) => ({
    key,
    label: `Do ${key}`,
    description: `How to do ${key}.`,
    actionPath: `/start/${key}`,
  })),
};

/** Returns the n-th event (from 0) that a backend reports for its installation, by default of the usual subject. */
export function eventRequestAt(n: number, { subject, event } = turnOf(n)): EventRequest {
  return {
    schemaVersion: CHECKLIST_SCHEMA_VERSION,
    idempotencyKey: `outbox-${n}`,
    // As good as a digest: whatever stands here is digested again.
    subjectDigest: subject.toString(16).padStart(DIGEST_CHARACTERS, '0'),
    cohort: 'test',
    eventKey: KEYS[event] ?? '',
  };
}
