import { deadLetterRecord } from '../../../processors/runtime/effects/follow-up.ts';
import { MINUTE_MS } from '../../../schemas/base/time.ts';
import type { NewRecord } from '../../../topics/ports/log.ts';

const REQUEST_ID = `req_${'a'.repeat(24)}`;
const FAILURE = { group: 'fold-usage', reason: 'folding a publish' };
const NOW = Date.now();

/** Records that an earlier version of a processor could not handle, and this one can. */
export function deadLetters(count: number): readonly NewRecord[] {
  return Array.from({ length: count }, (_, at) =>
    deadLetterRecord(
      {
        ...{ topic: 'usage', generation: 1, partition: 0, offset: at, appendedAt: NOW },
        ...{ key: `key_${'a'.repeat(24)}`, value: JSON.stringify(publication()) },
      },
      FAILURE,
      REQUEST_ID,
      NOW,
    ),
  );
}

/** A call of a key, as the limiter publishes it. */
function publication() {
  const minute = NOW - (NOW % MINUTE_MS);
  const count = { minute, incarnation: 'one', allowed: 1, denied: 0, refused: 0 };
  return {
    ...{ envelope: 1, type: 'publish', operation: 'publish', key: REQUEST_ID, keyFrom: 'request' },
    ...{ inputDigest: 'a'.repeat(64), requestId: REQUEST_ID, replyTo: 'gone', notAfter: NOW, issuedAt: NOW },
    actor: { kind: 'system', id: 'limiter' },
    input: { organizationId: `org_${'a'.repeat(24)}`, mode: 'test', counts: [count] },
  };
}
