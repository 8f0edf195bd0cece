import { z } from 'zod';
import { defineRoute, type Route } from '../../../../gateway/http/route.ts';
import { eventSchema, TOPIC, UNREAD_TOPIC } from './fold.ts';
import { unawaitedRecord } from './records.ts';
import type { SceneDependencies } from './scene.ts';

export const EVENTS_PATH = '/v1/bench/events';
export const APPENDS_PATH = '/v1/bench/appends';

const bodySchema = z.strictObject({
  aggregate: z.string().max(60),
  idempotencyKey: z.string().min(1).max(128),
  event: eventSchema,
});

/** Fields that all routes of the benchmark share. They need no credential, because authentication is not measured. */
const COMMON = {
  method: 'POST',
  host: 'base',
  principal: 'none',
  rate: 'none',
  body: { kind: 'json', schema: bodySchema, limit: 'jsonBytes' },
  success: { status: 200, schema: z.looseObject({}), description: 'The outcome.' },
  errors: [],
} as const;

/** Two routes: one answers with the durable outcome of its command, the other as soon as the record is appended. */
export function benchRoutes({ log, submitter }: SceneDependencies): Route[] {
  return [
    defineRoute({
      ...COMMON,
      name: 'report-event',
      summary: 'Reports an event and answers what became of it.',
      description: 'A route of a test.',
      path: EVENTS_PATH,
      handle: async ({ body, requestId, actor }) => ({
        body: await submitter.send({
          topic: TOPIC,
          key: body.aggregate,
          type: 'event',
          operation: 'report-event',
          idempotencyKey: body.idempotencyKey,
          digestInput: { path: {}, body },
          requestId,
          actor,
          input: body.event,
        }),
      }),
    }),
    defineRoute({
      ...COMMON,
      name: 'append-event',
      summary: 'Appends an event and answers that it is there.',
      description: 'A route of a test.',
      path: APPENDS_PATH,
      handle: async ({ body: { aggregate, event, idempotencyKey }, requestId, actor, services }) => {
        const command = {
          topic: UNREAD_TOPIC,
          aggregate,
          type: 'event',
          operation: 'append-event',
          key: idempotencyKey,
          digestInput: { path: {}, body: { aggregate, event, idempotencyKey } },
          actor,
          input: event,
        } as const;
        await log.append([unawaitedRecord(command, { requestId, issuedAt: services.clock.now() })]);
        return { body: { subject: event.subject, count: 0 } };
      },
    }),
  ];
}
