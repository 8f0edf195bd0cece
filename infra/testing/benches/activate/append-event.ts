import { recordEventRoute } from '../../../../gateway/activate/operations/record-event.ts';
import { defineRoute, type Route } from '../../../../gateway/http/routing/route.ts';
import { isoTime } from '../../../../schemas/base/time.ts';
import type { Log } from '../../../../topics/ports/log.ts';
import { unawaitedRecord } from '../events/records.ts';
import { eventCommand } from './commands.ts';

/** A topic without a consumer here, for appends without processing. */
const UNREAD_TOPIC = 'import-partitions';

/**
 * The event route without a processor behind it. It authenticates, limits, checks, derives and appends like the real
 * route, to a topic without a consumer, and answers as soon as the record is durable.
 */
export function appendEventRoute(log: Pick<Log, 'append'>): Route {
  const { direct, handle, ...admission } = recordEventRoute;
  return defineRoute({
    ...admission,
    name: 'appendEvent',
    summary: 'Append a milestone and answer that it is there',
    path: recordEventRoute.path.replace(/events$/, 'appends'),
    errors: [],
    async handle({ params, body, services, requestId, actor }) {
      const issuedAt = services.clock.now();
      const command = {
        ...eventCommand(params, body, services.secrets),
        topic: UNREAD_TOPIC,
        actor,
      } as const;
      await log.append([unawaitedRecord(command, { requestId, issuedAt })]);
      return {
        body: {
          eventId: command.input['eventId'] ?? '',
          outcome: 'completed',
          completedSteps: 1,
          totalSteps: 5,
          complete: false,
          receivedAt: isoTime(issuedAt),
        },
      };
    },
  });
}
