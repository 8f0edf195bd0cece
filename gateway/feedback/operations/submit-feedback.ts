import { keyedDigest } from '../../../schemas/base/digest.ts';
import { canonicalJson } from '../../../schemas/base/json.ts';
import { isoTime } from '../../../schemas/base/time.ts';
import { contentBlob, contentExpiry } from '../../../schemas/feedback/blobs.ts';
import type { SubmissionContent } from '../../../schemas/feedback/content.ts';
import {
  submissionReceiptSchema,
  submissionRequestSchema,
  widgetParamsSchema,
} from '../../../schemas/feedback/http.ts';
import type { BlobAddress } from '../../../topics/ports/blobs.ts';
import { json } from '../../http/audience.ts';
import type { GatewayServices } from '../../http/services.ts';
import { widgetPage } from '../audiences.ts';

const CONTENT_NAME_BYTES = 16;

/**
 * POST `/v1/feedback/{widgetId}/submissions`: what a visitor writes. The content goes into a blob; the command has a keyed
 * digest, from which a short message cannot be guessed.
 */
export const submitFeedbackRoute = widgetPage.post('/:widgetId/submissions', {
  name: 'submitFeedback',
  summary: 'Send feedback from a page',
  switch: 'feedback',
  params: widgetParamsSchema,
  body: json(submissionRequestSchema),
  success: { status: 202, schema: submissionReceiptSchema, description: 'It is stored durably' },
  errors: ['idempotency_conflict', 'limit_reached'],
  async handle({ params: { widgetId }, body, workspace: { installationId }, services, submit }) {
    const { submissionId, message, rating = null, path = null, website, elapsedMs } = body;
    const { limits, secrets, entropy } = services;
    const content: SubmissionContent = { message, rating, path };
    const digest = keyedDigest(secrets.identity, 'feedback', widgetId, submissionId, canonicalJson(content));
    const blob = Buffer.from(entropy.bytes(CONTENT_NAME_BYTES)).toString('hex');
    await storeContent(services, contentBlob(installationId, widgetId, blob), content);
    const same = { widgetId, submissionId, digest: digest.toString('hex') };
    const { receivedAt } = await submit({
      topic: 'feedback',
      key: installationId,
      type: 'receive-submission',
      input: { ...same, blob, held: website !== '' || elapsedMs < limits.feedback.thinkingMs },
      // The request's own digest would be one over the message.
      digestInput: same,
    });
    return { body: { submissionId, receivedAt: isoTime(receivedAt) } };
  },
});

async function storeContent(
  { blobs, clock, limits }: Pick<GatewayServices, 'blobs' | 'clock' | 'limits'>,
  address: BlobAddress,
  content: SubmissionContent,
): Promise<void> {
  const expiresAt = contentExpiry(clock.now(), limits.feedback.retentionMs);
  const writer = blobs.create(address, { expiresAt });
  try {
    await writer.write(Buffer.from(JSON.stringify(content)));
    await writer.close();
  } catch (error) {
    await writer.abort();
    throw error;
  }
}
