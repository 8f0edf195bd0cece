import { expect, it } from 'vitest';
import { keyedDigest } from '../../schemas/base/digest.ts';
import { idFrom } from '../../schemas/base/ids.ts';
import { inboxPosition, inboxPrefix, type SubmissionState } from '../../schemas/feedback/documents.ts';
import { newestFirst } from './inbox.ts';

const WIDGET = idFrom('widget', keyedDigest('test', 'one'));

function row(name: string, receivedAt: number, state: SubmissionState) {
  const submissionId = idFrom('submission', keyedDigest('test', name));
  return { submissionId, id: inboxPrefix(WIDGET, state) + inboxPosition(receivedAt, submissionId) };
}

it('has each submission once, also one that was moved while the lists were read', () => {
  const [first, second, third] = [row('a', 1, 'open'), row('b', 2, 'done'), row('c', 3, 'held')];
  const rows = [first, row('c', 3, 'open'), second, third];
  const entries = newestFirst(rows.map(({ id }) => id));
  expect(entries.map(({ submissionId }) => submissionId)).toEqual(
    [third, second, first].map(({ submissionId }) => submissionId),
  );
});
