import { keyedDigest } from '../../../schemas/base/digest.ts';
import { canonicalJson } from '../../../schemas/base/json.ts';
import { isoTime } from '../../../schemas/base/time.ts';
import { contentBlob, contentExpiry } from '../../../schemas/feedback/blobs.ts';
import type { SubmissionContent } from '../../../schemas/feedback/content.ts';
import { submissionReceiptSchema, submissionRequestSchema } from '../../../schemas/feedback/http.ts';
import { writeBlob } from '../../../topics/ports/blob-bytes.ts';
import { json } from '../../http/routing/audience.ts';
import { widgetPage } from '../audiences.ts';

const CONTENT_NAME_BYTES = 16;

/** The content goes into a blob; the command has a keyed digest, from which a short message cannot be guessed. */
export const submitFeedbackRoute = widgetPage.post('/:widgetId/submissions', {
  name: 'submitFeedback',
  summary: 'Send feedback from a page',
  description:
    'Stores feedback of a visitor. Only pages of the origin of the widget may call it. 202 means that it is stored durably.',
  switch: 'feedback',
  body: json(submissionRequestSchema),
  success: { status: 202, schema: submissionReceiptSchema, description: 'It is stored durably' },
  errors: ['idempotency_conflict', 'limit_reached'],
  async handle({ params: { widgetId }, body, principal, workspace: { installationId }, services, submit }) {
    const { submissionId, message, rating = null, path = null, website, elapsedMs } = body;
    const { blobs, clock, limits, secrets, entropy, tally } = services;
    const held = website !== '' || elapsedMs < limits.feedback.thinkingMs;
    const content: SubmissionContent = { message, rating, path };
    const digest = keyedDigest(secrets.identity, 'feedback', widgetId, submissionId, canonicalJson(content));
    const blob = Buffer.from(entropy.bytes(CONTENT_NAME_BYTES)).toString('hex');
    await writeBlob(
      blobs,
      contentBlob(installationId, widgetId, blob),
      [Buffer.from(JSON.stringify(content))],
      { expiresAt: contentExpiry(clock.now(), limits.feedback.retentionMs) },
    );
    const same = { widgetId, submissionId, digest: digest.toString('hex') };
    const { receivedAt } = await submit({
      topic: 'feedback',
      key: installationId,
      type: 'receive-submission',
      input: { ...same, blob, held },
      // The request's own digest would be one over the message.
      digestInput: same,
    });
    if (principal.origin !== null) tally.feedback(principal.origin, held, installationId);
    return { body: { submissionId, receivedAt: isoTime(receivedAt) } };
  },
});
