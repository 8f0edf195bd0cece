import { serviceError } from '../../../schemas/base/errors.ts';
import { MINUTE_MS } from '../../../schemas/base/time.ts';
import { parseInput } from '../../../schemas/base/validation.ts';
import { billingEventRequestSchema } from '../../../schemas/billing/http.ts';
import { collectBytes, decodeText } from '../../http/body/body.ts';
import { parseStrictJson } from '../../http/body/strict-json.ts';
import { notFound } from '../../http/guards.ts';
import { defineRoute } from '../../http/routing/route.ts';
import { isSigned } from '../signature.ts';

/** The maximum by which an event's time may be ahead of this clock. */
const AHEAD_MS_MAX = 5 * MINUTE_MS;

/** The request is signed instead of authenticated, so the raw body is read before every other check. */
export const receiveBillingEventRoute = defineRoute({
  name: 'receiveBillingEvent',
  summary: 'Receive an event of the billing provider, signed with Svc-Signature',
  description:
    'Receives an event of the billing provider. The header `Svc-Signature` signs the body. An event that was received before, or is older than the latest decision, changes nothing. Without a configured provider the answer is 404.',
  method: 'POST',
  path: '/v1/billing/events',
  host: 'base',
  principal: 'none',
  rate: 'delivery',
  signed: true,
  body: { kind: 'stream', contentType: 'application/json', schema: billingEventRequestSchema },
  success: { status: 204, description: 'The event counts, or was known, or is older than what counts' },
  errors: ['unauthorized', 'not_found', 'idempotency_conflict'],
  async handle({ stream, request, services, submit }) {
    const { billingSecret, limits, clock } = services;
    if (billingSecret === null) throw notFound();
    const bytes = await collectBytes(stream, limits.http.jsonBytes);
    const [signature, ...more] = request.headersDistinct['svc-signature'] ?? [];
    if (
      signature === undefined ||
      more.length > 0 ||
      !isSigned(signature, bytes, billingSecret, clock.now())
    ) {
      throw serviceError('unauthorized', {
        at: 'header.Svc-Signature',
        seen: 'no signature that is valid',
        expected: 'one of this body that was made in the last five minutes',
      });
    }
    const body = parseInput(billingEventRequestSchema, parseStrictJson(decodeText(bytes)), 'body');
    const at = Date.parse(body.at);
    if (at > clock.now() + AHEAD_MS_MAX) {
      throw serviceError('bad_request', {
        at: 'body.at',
        seen: 'a time in the future',
        expected: 'the time when it happened',
      });
    }
    const { eventId, organizationId, status } = body;
    await submit({
      topic: 'organizations',
      key: organizationId,
      type: 'billing-event',
      input: { eventId, status, at },
      idempotencyKey: eventId,
      keyAt: 'body.eventId',
      digestInput: body,
      actor: { kind: 'system', id: 'billing' },
    });
    return {};
  },
});
