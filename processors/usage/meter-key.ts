import { meteredKeyId } from '../../schemas/usage/documents.ts';
import { NOTED, type UsageInput, type UsageResult, type UsageView } from './result.ts';

/** Adds what a live key has used to the month of its organization. What a key has used only grows. */
export function meterKey(view: UsageView, { keyId, month, used }: UsageInput<'add-key'>): UsageResult {
  const id = meteredKeyId(month, keyId);
  const before = view.row('metered-key', id)?.used ?? 0;
  if (used <= before) return NOTED;
  const total = (view.row('metered', month)?.used ?? 0) + used - before;
  return {
    ...NOTED,
    root: { kind: 'organization' },
    put: [
      { kind: 'metered-key', id, document: { used } },
      { kind: 'metered', id: month, document: { used: total } },
    ],
  };
}
