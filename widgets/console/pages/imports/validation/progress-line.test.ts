import { describe, expect, it } from 'vitest';
import { segments } from './progress-line.tsx';

const FACTS = {
  status: 'needs_correction',
  validations: { used: 2, limit: 5 },
  acknowledgedBatches: 1,
  batchCount: 3,
  mappingRevision: 1,
  capabilities: 1,
  progress: { done: 0, total: 0 },
} as const;

const AT = '2026-09-18T14:02:00.000Z';
const TIMES = {
  importId: '',
  sourceSha256: '',
  reservedAt: AT,
  uploadedAt: AT,
  validatedAt: AT,
  approvedAt: null,
  deliveredAt: null,
};

const way = (status: Parameters<typeof segments>[0]['status']) =>
  segments({ ...FACTS, status }, TIMES).map(({ kind, word }) => `${kind} ${word}`);

describe('segments', () => {
  it('are done, then the current one, then those ahead', () => {
    expect(way('uploaded')).toEqual([
      'now Uploaded',
      'ahead Validated',
      'ahead Ready',
      'ahead Approved',
      'ahead Delivered',
    ]);
    expect(way('needs_correction').slice(0, 3)).toEqual([
      'done Uploaded',
      'done Validated',
      'now Needs correction',
    ]);
    expect(way('ready').slice(2)).toEqual(['now Ready', 'ahead Approved', 'ahead Delivered']);
    expect(way('approved').slice(2)).toEqual(['done Approved', 'now Delivering']);
  });

  it('say whom the current state waits for', () => {
    const note = (status: Parameters<typeof segments>[0]['status']) =>
      segments({ ...FACTS, status }, TIMES).find(({ kind }) => kind === 'now')?.note;
    expect(note('ready')).toBe('Waits for an owner or admin');
    expect(note('approved')).toBe('Waits for your backend, 1 of 3 batches');
    expect(note('uploaded')).toBe('Waits for a validation');
    const unreachable = segments({ ...FACTS, status: 'approved', capabilities: 0 }, TIMES).at(-1);
    expect(unreachable).toMatchObject({ word: 'Not delivered', note: 'Waits for a capability' });
  });

  it('keep what an import reached before its end', () => {
    expect(way('cancelled')).toEqual(['done Reserved', 'done Uploaded', 'done Validated', 'now Cancelled']);
  });
});
